#define _GNU_SOURCE

#include "CThreads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// Threads that wait for work. A caller works alone if they are busy, or if the system provides none.
enum { most_helpers = 7 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static unsigned helpers, running;
static bool is_taken;

typedef struct {
  void (*run)(void *context);
  void *context;
  uint8_t note;
} body;

static const body *offered;
// The number of bodies offered so far. A thread runs each body once.
static unsigned long offers;

static void *help(void *nothing) {
  unsigned long last = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (offered == NULL || offers == last) pthread_cond_wait(&wanted, &lock);
    const body *it = offered;
    last = offers;
    running++;
    pthread_mutex_unlock(&lock);
    kura_set_thread_note(it->note);
    it->run(it->context);
    pthread_mutex_lock(&lock);
    if (--running == 0) pthread_cond_signal(&done);
  }
  return nothing;
}

unsigned kura_worker_count(void) {
  static _Atomic unsigned known;
  unsigned count = atomic_load(&known);
  if (count == 0) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) cores = CPU_COUNT(&allowed);
#endif
    count = cores < 2 ? 1 : cores > most_helpers ? most_helpers + 1 : (unsigned)cores;
    atomic_store(&known, count);
  }
  return count;
}

// Blocks signals, which the threads of the program handle. Faults are delivered to the thread that causes
// them.
static void block_signals(sigset_t *before) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  sigset_t signals;
  sigfillset(&signals);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&signals, faults[i]);
  pthread_sigmask(SIG_BLOCK, &signals, before);
}

// Creates the threads, as many as the system provides.
static void begin(void) {
  pthread_attr_t attributes;
  sigset_t before;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  block_signals(&before);
  pthread_t thread;
  while (helpers + 1 < kura_worker_count() && pthread_create(&thread, &attributes, help, NULL) == 0) {
    helpers++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

static bool offer(const body *it) {
  pthread_mutex_lock(&lock);
  if (!is_taken && helpers == 0) begin();
  const bool takes = !is_taken && helpers > 0;
  if (takes) {
    is_taken = true;
    offered = it;
    offers++;
    pthread_cond_broadcast(&wanted);
  }
  pthread_mutex_unlock(&lock);
  return takes;
}

// Withdraws the body from threads that have not started it, and waits for the others.
static void finish(void) {
  pthread_mutex_lock(&lock);
  offered = NULL;
  while (running > 0) pthread_cond_wait(&done, &lock);
  is_taken = false;
  pthread_mutex_unlock(&lock);
}

void kura_run_on_all(void (*_Nonnull run)(void *_Nonnull context), void *_Nonnull context) {
  const body it = {run, context, kura_thread_note()};
  const bool is_shared = offer(&it);
  run(context);
  if (is_shared) finish();
}
