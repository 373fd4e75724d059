#ifndef CTHREADS_H
#define CTHREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions for threads and their stacks that Swift's Glibc module lacks.

// Returns whether little of this thread's stack is left: half of it, or half a megabyte of a large one. False
// if the system does not report the stack. The first call in a thread asks the system; later ones only
// compare.
bool kura_stack_is_short(void);

// Runs a body on a thread with a stack of this size in bytes, and waits until it returns. Returns false,
// without running the body, if the system provides no such thread.
bool kura_run_with_stack(size_t size, void (*_Nonnull body)(void *_Nonnull context),
                         void *_Nonnull context);

// A number for each thread, initially 0. Threads that run a body inherit the number of the caller.
uint8_t kura_thread_note(void);
void kura_set_thread_note(uint8_t note);

// Returns the number of threads that run a body, including the calling one: one per core, up to eight.
unsigned kura_worker_count(void);

// Runs a body on this thread and on the other workers, and waits until all have returned. Runs it only on
// this thread if there are no others, or if they are busy.
void kura_run_on_all(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

// Returns whether the system can provide another thread.
bool kura_has_threads(void);

// A timer without a thread. It calls its body in a signal handler, which must not block. NULL if the system
// has no such timer.
typedef struct kura_bell kura_bell;

kura_bell *_Nullable kura_bell_take(void (*_Nonnull ring)(void *_Nonnull context),
                                    void *_Nonnull context);
// Fires once after a number of nanoseconds; 0 stops the timer.
void kura_bell_set(kura_bell *_Nonnull bell, int64_t nanoseconds);
void kura_bell_give_back(kura_bell *_Nonnull bell);

// Keeps up to half a gigabyte of freed memory for reuse. A statement over a million objects temporarily needs
// tens of megabytes; if the memory returned to the system each time, mapping fresh pages would take a third
// of the time. For programs only, never for libraries.
void kura_keep_memory(void);

#endif
