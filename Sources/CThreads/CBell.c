#define _GNU_SOURCE

#include "CThreads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static void *nothing(void *argument) { return argument; }

bool kura_has_threads(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) != 0) return false;
  pthread_join(thread, NULL);
  return true;
}

#ifdef __linux__

// Bells are never freed, because a signal can arrive after its timer was stopped.
struct kura_bell {
  timer_t timer;
  void (*ring)(void *context);
  _Atomic(void *) context;
  struct kura_bell *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kura_bell *idle;

static void hear(int number, siginfo_t *info, void *place) {
  (void)number, (void)place;
  if (info->si_code != SI_TIMER) return;
  struct kura_bell *bell = info->si_value.sival_ptr;
  void *context = atomic_load(&bell->context);
  if (context != NULL) bell->ring(context);
}

static bool listen(void) {
  struct sigaction action = {0};
  action.sa_sigaction = hear;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGALRM, &action, NULL) == 0;
}

static struct kura_bell *make(void) {
  struct kura_bell *bell = calloc(1, sizeof *bell);
  if (bell == NULL) return NULL;
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  event.sigev_value.sival_ptr = bell;
  if (listen() && timer_create(CLOCK_MONOTONIC, &event, &bell->timer) == 0) return bell;
  free(bell);
  return NULL;
}

struct kura_bell *kura_bell_take(void (*_Nonnull ring)(void *_Nonnull context),
                                 void *_Nonnull context) {
  pthread_mutex_lock(&lock);
  struct kura_bell *bell = idle;
  if (bell != NULL) idle = bell->next;
  pthread_mutex_unlock(&lock);
  if (bell == NULL) bell = make();
  if (bell == NULL) return NULL;
  bell->ring = ring;
  atomic_store(&bell->context, context);
  return bell;
}

void kura_bell_set(struct kura_bell *_Nonnull bell, int64_t nanoseconds) {
  struct itimerspec time = {{0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  timer_settime(bell->timer, 0, &time, NULL);
}

void kura_bell_give_back(struct kura_bell *_Nonnull bell) {
  kura_bell_set(bell, 0);
  atomic_store(&bell->context, NULL);
  pthread_mutex_lock(&lock);
  bell->next = idle;
  idle = bell;
  pthread_mutex_unlock(&lock);
}

#else

struct kura_bell *kura_bell_take(void (*_Nonnull ring)(void *_Nonnull context),
                                 void *_Nonnull context) {
  (void)ring, (void)context;
  return NULL;
}

void kura_bell_set(struct kura_bell *_Nonnull bell, int64_t nanoseconds) {
  (void)bell, (void)nanoseconds;
}

void kura_bell_give_back(struct kura_bell *_Nonnull bell) { (void)bell; }

#endif
