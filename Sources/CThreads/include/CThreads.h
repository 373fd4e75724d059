#ifndef CTHREADS_H
#define CTHREADS_H

#include <stdbool.h>
#include <stddef.h>

// What Swift's Glibc does not tell of a thread's stack.

// Whether little is left of this thread's stack: half of it, or half a megabyte of a large one.
// False where the system does not tell. Asked once a thread, then a comparison.
bool kura_stack_is_short(void);

// Runs a body on a thread with a stack of so many bytes, and waits until it has ended.
// False, and nothing was run, if there is no such thread to be had.
bool kura_run_with_stack(size_t size, void (*_Nonnull body)(void *_Nonnull context),
                         void *_Nonnull context);

#endif
