#define _GNU_SOURCE

#include "CThreads.h"

#include <pthread.h>
#include <signal.h>

// One thread that waits for work of others; who finds it busy, or not to be had, works alone.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static bool is_there, is_taken, is_running;

typedef struct {
  void (*run)(void *context);
  void *context;
  uint8_t note;
} body;

static const body *offered;

static void *help(void *nothing) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (offered == NULL) pthread_cond_wait(&wanted, &lock);
    const body *it = offered;
    offered = NULL;
    is_running = true;
    pthread_mutex_unlock(&lock);
    kura_set_thread_note(it->note);
    it->run(it->context);
    pthread_mutex_lock(&lock);
    is_running = false;
    pthread_cond_signal(&done);
  }
  return nothing;
}

// Signals are for the threads of the program; faults are whoever's they are.
static void block_signals(sigset_t *before) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  sigset_t signals;
  sigfillset(&signals);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&signals, faults[i]);
  pthread_sigmask(SIG_BLOCK, &signals, before);
}

static bool begin(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t before;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  block_signals(&before);
  is_there = pthread_create(&thread, &attributes, help, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return is_there;
}

static bool offer(const body *it) {
  pthread_mutex_lock(&lock);
  const bool takes = !is_taken && (is_there || begin());
  if (takes) {
    is_taken = true;
    offered = it;
    pthread_cond_signal(&wanted);
  }
  pthread_mutex_unlock(&lock);
  return takes;
}

// What the other has not begun it need not begin any more.
static void finish(void) {
  pthread_mutex_lock(&lock);
  offered = NULL;
  while (is_running) pthread_cond_wait(&done, &lock);
  is_taken = false;
  pthread_mutex_unlock(&lock);
}

void kura_run_on_both(void (*_Nonnull run)(void *_Nonnull context), void *_Nonnull context) {
  const body it = {run, context, kura_thread_note()};
  const bool is_shared = offer(&it);
  run(context);
  if (is_shared) finish();
}
