#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libedit for Swift: functions with fixed arguments, and text as Unicode scalars.
//
// `el_set` and `el_get` take variable arguments, which Swift cannot call. libedit is used
// "headless": it keeps the text, the key maps (emacs, vi, .editrc) and the kill ring, draws to
// /dev/null, and asks for one scalar at a time. The owner draws, each time it is asked.

typedef struct clibedit clibedit;

// What libedit does after a command of the owner.
typedef enum {
  CLIBEDIT_GO_ON,
  CLIBEDIT_ACCEPT,
} clibedit_reply;

typedef struct {
  // Handed to both functions.
  void *owner;
  // The next Unicode scalar that was typed; -1 gives the line up.
  int32_t (*next)(void *owner);
  // Runs the owner's command of this number.
  clibedit_reply (*run)(void *owner, int32_t command);
} clibedit_callbacks;

// The text under edit. `scalars` lives until the next change of the text.
typedef struct {
  const int32_t *scalars;
  size_t count;
  size_t cursor;
} clibedit_text;

// How many commands an owner can add.
enum { CLIBEDIT_MAX_COMMANDS = 48 };

// libedit never learns that a window changes its size while a line is typed: its picture goes
// nowhere, and `el_resize` keeps a cursor that a smaller picture no longer has, and writes there.

// Opens an editor on a terminal; NULL if there is no memory or /dev/null cannot be opened.
clibedit *clibedit_open(const char *program, int input, clibedit_callbacks callbacks);
void clibedit_close(clibedit *editor);

// Does what a line of ~/.editrc says, which may choose vi. A line with an open quote says nothing, and
// `ed-command` is never bound: libedit parses what is typed behind it without a look at its quotes.
void clibedit_apply_user_setting(clibedit *editor, const char *line);
// Whether the vi key map is in use.
bool clibedit_is_vi(clibedit *editor);

// Names the owner's command `number` (below CLIBEDIT_MAX_COMMANDS), so that keys can be bound.
bool clibedit_add_command(clibedit *editor, int32_t number, const char *name, const char *help);
// Binds a key, written as in .editrc: "^A", "\\e[D". `in_command_mode` means vi's.
void clibedit_bind(clibedit *editor, const char *key, const char *name, bool in_command_mode);

// Runs until `next` gives the line up or a command accepts it; whether one did, of the owner's or of
// libedit's own, such as vi's `#`.
bool clibedit_edit(clibedit *editor);
// Puts the terminal into the editor's mode, or into that between two lines: signals work, and what is typed
// ahead waits for the next line, unchanged and without an echo.
void clibedit_set_raw(clibedit *editor, bool is_raw);
// Between two lines, lets Control-S stop the output and Control-Q continue it, if it did before.
void clibedit_let_output_stop(clibedit *editor);
// Makes the terminal what it was before the editor took it, for others or for the end of the process. A
// signal handler may call it.
void clibedit_give_back(void);

clibedit_text clibedit_get_text(clibedit *editor);
void clibedit_move(clibedit *editor, int by);
void clibedit_delete_before(clibedit *editor, int count);
// Inserts at the cursor; false if there is no memory.
bool clibedit_insert(clibedit *editor, const int32_t *scalars, size_t count);

// Makes multi-byte text UTF-8, whatever LC_ALL says; false if the system has no such locale.
bool clibedit_use_utf8_locale(void);

// Signals. A handler sets a flag and writes a byte into a pipe, so that a wait for input ends.

typedef enum {
  CLIBEDIT_INTERRUPT,  // SIGINT
  CLIBEDIT_RESIZE,     // SIGWINCH
  CLIBEDIT_SUSPEND,    // SIGTSTP
  CLIBEDIT_CONTINUE,   // SIGCONT
  CLIBEDIT_TERMINATE,  // SIGTERM
  CLIBEDIT_HANG_UP,    // SIGHUP
  CLIBEDIT_QUIT,       // SIGQUIT
  CLIBEDIT_SIGNAL_COUNT,
} clibedit_signal;

// Catches a signal until it is released, which brings back what was there before.
bool clibedit_catch(clibedit_signal signal);
void clibedit_release(clibedit_signal signal);
// What a caught SIGINT, SIGQUIT, SIGTERM or SIGHUP does besides: it runs in the signal's handler.
// NULL: nothing.
void clibedit_on_interrupt(void (*action)(void));
// Whether a caught signal came since the last time it was asked for.
bool clibedit_take(clibedit_signal signal);
// The same, without taking it: two loads, to be asked in a loop.
bool clibedit_is_pending(clibedit_signal signal);
// Lets the signal do what the system does with it when nobody catches it.
void clibedit_perform_default(clibedit_signal signal);

// What a wait for input ended with.
typedef enum {
  CLIBEDIT_INPUT,
  CLIBEDIT_SIGNAL,
  CLIBEDIT_FAILED,
} clibedit_event;

// Waits until `input` can be read, is closed, or a caught signal came.
clibedit_event clibedit_wait(int input);

// Whether nobody is at the other end of a terminal any more.
bool clibedit_is_hung_up(int input);

// The size of a terminal's window; false if it does not say.
bool clibedit_window_size(int terminal, int *columns, int *rows);
// Lets a terminal go on that Control-S has stopped.
void clibedit_resume_output(int terminal);
// Whether a read would return at once, or within some milliseconds.
bool clibedit_has_input(int input, int milliseconds);

// Says `message` where the program ends by a fault of its own, in place of what its language's runtime
// says; then it ends by the same signal. Before that a copy of the process may `rescue` what is
// unsaved, in ten seconds at most. SWIFT_BACKTRACE in the environment leaves all to the runtime.
// Where the process is at the end of its memory, that is no fault: `exhausted` is said, and it exits
// with a status of 1.
void clibedit_explain_crashes(const char *message, const char *exhausted, void (*rescue)(void));

#endif
