#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H

#include <stdbool.h>

// A terminal without a screen: what one end writes as keys, a program reads at the other.

// Opens both ends; false with errno if the system refuses.
bool pseudo_terminal_open(int *master, int *terminal);
void pseudo_terminal_resize(int master, int columns, int rows);

// Starts a program whose terminal is the other end: Control-C is a signal to it. Its number, or -1.
int pseudo_terminal_start(
    int terminal, const char *path, char *const arguments[], char *const environment[]);

#endif
