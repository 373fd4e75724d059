// The header of glibc shows these functions to those who ask for them only.
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool pseudo_terminal_open(int *master, int *terminal) {
  *master = posix_openpt(O_RDWR | O_NOCTTY);
  if (*master < 0) return false;
  // Not ptsname: tests that run at the same time would open each other's terminals.
  char name[128];
  bool is_named = grantpt(*master) == 0 && unlockpt(*master) == 0
      && ptsname_r(*master, name, sizeof name) == 0;
  *terminal = is_named ? open(name, O_RDWR | O_NOCTTY) : -1;
  if (*terminal >= 0) return true;
  close(*master);
  return false;
}

void pseudo_terminal_resize(int master, int columns, int rows) {
  struct winsize size = {0};
  size.ws_col = (unsigned short)columns;
  size.ws_row = (unsigned short)rows;
  ioctl(master, TIOCSWINSZ, &size);
}

int pseudo_terminal_start(
    int terminal, const char *path, char *const arguments[], char *const environment[]) {
  pid_t child = fork();
  if (child != 0) return (int)child;
  // Threads of a test may block signals, and what they block stays blocked in the program.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Under nohup the tests ignore SIGHUP, and the program would keep that.
  signal(SIGHUP, SIG_DFL);
  setsid();
  ioctl(terminal, TIOCSCTTY, 0);
  for (int file = 0; file < 3; file++) dup2(terminal, file);
  // The master end of this and of other tests must not stay open here.
  for (int file = 3; file < 256; file++) close(file);
  execve(path, arguments, environment);
  _exit(127);
}
