#ifndef CTHREADS_H
#define CTHREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What Swift's Glibc does not tell of a thread's stack.

// Whether little is left of this thread's stack: half of it, or half a megabyte of a large one.
// False where the system does not tell. Asked once a thread, then a comparison.
bool kura_stack_is_short(void);

// Runs a body on a thread with a stack of so many bytes, and waits until it has ended.
// False, and nothing was run, if there is no such thread to be had.
bool kura_run_with_stack(size_t size, void (*_Nonnull body)(void *_Nonnull context),
                         void *_Nonnull context);

// A number that a thread carries, and that the threads carry on which a body is run for it; 0 at first.
uint8_t kura_thread_note(void);
void kura_set_thread_note(uint8_t note);

// The number of threads on which a body is run, this one among them: one per core, up to eight.
unsigned kura_worker_count(void);

// Runs a body on this thread and on the other workers, and waits until all have returned. It runs on this thread alone
// if there are no others, or if they are busy with the work of others.
void kura_run_on_all(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

// Whether the system gives this process another thread.
bool kura_has_threads(void);

// A timer that needs no thread: its body is called in the handler of a signal, where nothing may be
// waited for. NULL where the system has none.
typedef struct kura_bell kura_bell;

kura_bell *_Nullable kura_bell_take(void (*_Nonnull ring)(void *_Nonnull context),
                                    void *_Nonnull context);
// Rings once, after so many nanoseconds; never, with 0.
void kura_bell_set(kura_bell *_Nonnull bell, int64_t nanoseconds);
void kura_bell_give_back(kura_bell *_Nonnull bell);

// What this process gives back it keeps for what it asks for next, up to half a gigabyte. A statement
// over a million objects needs tens of megabytes for a moment; where the system gets them back each
// time, a third of it is the making of empty pages. For a program, never for a library.
void kura_keep_memory(void);

#endif
