#include "CLibEdit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const int numbers[CLIBEDIT_SIGNAL_COUNT] = {
    [CLIBEDIT_INTERRUPT] = SIGINT, [CLIBEDIT_RESIZE] = SIGWINCH,
    [CLIBEDIT_SUSPEND] = SIGTSTP,  [CLIBEDIT_CONTINUE] = SIGCONT,
    [CLIBEDIT_TERMINATE] = SIGTERM, [CLIBEDIT_HANG_UP] = SIGHUP,
    [CLIBEDIT_QUIT] = SIGQUIT,
};

static atomic_bool pending[CLIBEDIT_SIGNAL_COUNT];
static bool is_caught[CLIBEDIT_SIGNAL_COUNT];
static struct sigaction before[CLIBEDIT_SIGNAL_COUNT];

// Without the pipe, a signal between checking the flags and waiting would be missed.
static int wake[2] = {-1, -1};

static bool open_wake(void) {
  if (wake[0] >= 0) return true;
  if (pipe(wake) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(wake[i], F_SETFL, O_NONBLOCK);
    fcntl(wake[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

static void empty_wake(void) {
  char bytes[64];
  while (read(wake[0], bytes, sizeof bytes) > 0) {
  }
}

// An action that must run at once, and not when the next line is read.
static void (*_Atomic on_interrupt)(void);

void clibedit_on_interrupt(void (*action)(void)) { atomic_store(&on_interrupt, action); }

static void handle(int number) {
  int saved = errno;
  void (*action)(void) = atomic_load(&on_interrupt);
  bool stops = number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP;
  // A second SIGTERM does not wait for running work.
  if (number == SIGTERM && atomic_load(&pending[CLIBEDIT_TERMINATE])) {
    clibedit_give_back();
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
  }
  for (int i = 0; i < CLIBEDIT_SIGNAL_COUNT; i++) {
    if (numbers[i] == number) atomic_store(&pending[i], true);
  }
  // After the flags: whoever resets the effect of the action then checks them.
  if (stops && action != NULL) action();
  // A full pipe has enough bytes to end the wait.
  if (write(wake[1], "", 1) < 0) {
  }
  errno = saved;
}

bool clibedit_catch(clibedit_signal signal) {
  if (is_caught[signal]) return true;
  if (!open_wake()) return false;
  struct sigaction action = {0};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  atomic_store(&pending[signal], false);
  // Without SA_RESTART, so that blocking calls of other code end too.
  is_caught[signal] = sigaction(numbers[signal], &action, &before[signal]) == 0;
  // nohup
  if (signal == CLIBEDIT_HANG_UP && before[signal].sa_handler == SIG_IGN) clibedit_release(signal);
  return is_caught[signal];
}

void clibedit_release(clibedit_signal signal) {
  if (!is_caught[signal]) return;
  sigaction(numbers[signal], &before[signal], NULL);
  is_caught[signal] = false;
}

bool clibedit_take(clibedit_signal signal) { return atomic_exchange(&pending[signal], false); }

bool clibedit_is_pending(clibedit_signal signal) {
  return atomic_load_explicit(&pending[signal], memory_order_relaxed);
}

void clibedit_perform_default(clibedit_signal signal) {
  clibedit_give_back();
  struct sigaction action = {0};
  struct sigaction caught;
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  if (sigaction(numbers[signal], &action, &caught) != 0) return;
  raise(numbers[signal]);
  // Reached after SIGCONT, or at once if the system ignores the signal.
  sigaction(numbers[signal], &caught, NULL);
}

static bool any_pending(void) {
  for (int i = 0; i < CLIBEDIT_SIGNAL_COUNT; i++) {
    if (is_caught[i] && atomic_load(&pending[i])) return true;
  }
  return false;
}

clibedit_event clibedit_wait(int input) {
  for (;;) {
    if (wake[0] >= 0) empty_wake();
    if (any_pending()) return CLIBEDIT_SIGNAL;
    struct pollfd both[2] = {{input, POLLIN, 0}, {wake[0], POLLIN, 0}};
    int count = poll(both, wake[0] >= 0 ? 2 : 1, -1);
    if (count < 0 && errno != EINTR) return CLIBEDIT_FAILED;
    if (any_pending()) return CLIBEDIT_SIGNAL;
    if (count > 0 && both[0].revents != 0) return CLIBEDIT_INPUT;
  }
}

bool clibedit_is_hung_up(int input) {
  struct pollfd one = {input, POLLIN, 0};
  return poll(&one, 1, 0) > 0 && (one.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

bool clibedit_window_size(int terminal, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}

void clibedit_resume_output(int terminal) { tcflow(terminal, TCOON); }

bool clibedit_has_input(int input, int milliseconds) {
  struct pollfd one = {input, POLLIN, 0};
  return poll(&one, 1, milliseconds) > 0;
}
