#define _GNU_SOURCE

#include "CThreads.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
extern void *__libc_stack_end;

// Returns the lower end of the first thread's stack, from its start and the limit of its size. Asking the
// system for it would read all mappings of the process. Returns 0 if it cannot be determined this way.
static uintptr_t lowest_of_first_stack(size_t *size) {
  struct rlimit limit;
  if (gettid() != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0) return 0;
  const uintptr_t top = (uintptr_t)__libc_stack_end;
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (limit.rlim_cur >= ((rlim_t)1 << 30) || limit.rlim_cur < ((rlim_t)1 << 16)) return 0;
  if (here > top || top - here >= limit.rlim_cur) return 0;
  *size = (size_t)limit.rlim_cur;
  return top - *size;
}
#endif

static uintptr_t lowest_of_stack(size_t *size) {
#ifdef __APPLE__
  *size = pthread_get_stacksize_np(pthread_self());
  return (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
#else
#ifdef __GLIBC__
  const uintptr_t first = lowest_of_first_stack(size);
  if (first != 0) return first;
#endif
  pthread_attr_t attributes;
  void *lowest = NULL;
  *size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  if (pthread_attr_getstack(&attributes, &lowest, size) != 0) *size = 0;
  pthread_attr_destroy(&attributes);
  return *size == 0 ? 0 : (uintptr_t)lowest;
#endif
}

// Returns the address below which a stack is short.
static uintptr_t mark_of_stack(void) {
  size_t size = 0;
  const uintptr_t lowest = lowest_of_stack(&size);
  const size_t most = 512 << 10;
  return lowest == 0 ? 1 : lowest + (size / 2 < most ? size / 2 : most);
}

bool kura_stack_is_short(void) {
  static _Thread_local uintptr_t mark = 0;
  if (mark == 0) mark = mark_of_stack();
  return (uintptr_t)__builtin_frame_address(0) < mark;
}

static _Thread_local uint8_t thread_note = 0;

uint8_t kura_thread_note(void) { return thread_note; }
void kura_set_thread_note(uint8_t note) { thread_note = note; }

typedef struct {
  void (*run)(void *context);
  void *context;
  uint8_t note;
} body;

static void *run_body(void *argument) {
  const body *it = argument;
  thread_note = it->note;
  it->run(it->context);
  return NULL;
}

bool kura_run_with_stack(size_t size, void (*_Nonnull run)(void *_Nonnull context),
                         void *_Nonnull context) {
  pthread_attr_t attributes;
  pthread_t thread;
  body it = {run, context, thread_note};
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool runs = pthread_attr_setstacksize(&attributes, size) == 0
      && pthread_create(&thread, &attributes, run_body, &it) == 0;
  pthread_attr_destroy(&attributes);
  if (runs) pthread_join(thread, NULL);
  return runs;
}
