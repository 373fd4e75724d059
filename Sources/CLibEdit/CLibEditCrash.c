#include "CLibEdit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
enum {
  FAULTS = sizeof faults / sizeof *faults,
  STACK = 4 << 20,
  SECONDS = 10,
  // A failed allocation is typically as large as the memory in use.
  PROBE = 64 << 20,
};

static const char *said, *said_of_memory;
// Static, because the handlers are needed most if memory is short from the start.
static char handler_stack[STACK];
static void (*rescuer)(void);

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) {
  }
}

// Rescues unsaved data in a copy of the process, which has one thread. If it crashes again, this process is
// not affected.
static void rescue(void) {
  pid_t copy = rescuer == NULL ? -1 : fork();
  if (copy < 0) return;
  if (copy == 0) {
    for (int i = 0; i < FAULTS; i++) signal(faults[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(SECONDS);
    rescuer();
    _exit(0);
  }
  int status;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
}

static bool has_memory(void) {
  void *probe = mmap(NULL, PROBE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return false;
  munmap(probe, PROBE);
  return true;
}

static void explain(int number) {
  const bool is_fault = has_memory();
  clibedit_give_back();
  say(is_fault ? said : said_of_memory);
  rescue();
  if (!is_fault) _exit(1);
  signal(number, SIG_DFL);
  raise(number);
}

void clibedit_explain_crashes(const char *message, const char *exhausted, void (*rescue)(void)) {
  if (getenv("SWIFT_BACKTRACE") != NULL) return;
  said = message;
  said_of_memory = exhausted;
  rescuer = rescue;
  stack_t stack = {0};
  stack.ss_sp = handler_stack;
  stack.ss_size = STACK;
  if (sigaltstack(&stack, NULL) != 0) return;
  struct sigaction action = {0};
  action.sa_handler = explain;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &action, NULL);
  // The runtime also prints a backtrace for Control-Backslash.
  struct sigaction quit;
  if (sigaction(SIGQUIT, NULL, &quit) == 0 && quit.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
}
