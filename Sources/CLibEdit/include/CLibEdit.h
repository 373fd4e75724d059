#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libedit for Swift: functions with fixed arguments, and text as Unicode scalars.
//
// `el_set` and `el_get` have variable arguments, which Swift cannot call. libedit is used "headless": it
// manages the text, the key maps (emacs, vi, .editrc) and the kill ring, draws to /dev/null, and requests one
// scalar at a time. The owner draws each time it is asked for a scalar.

typedef struct clibedit clibedit;

// What libedit does after a command of the owner.
typedef enum {
  CLIBEDIT_GO_ON,
  CLIBEDIT_ACCEPT,
} clibedit_reply;

typedef struct {
  // Passed to both functions.
  void *owner;
  // Returns the next typed Unicode scalar; -1 abandons the line.
  int32_t (*next)(void *owner);
  // Runs the owner's command with this number.
  clibedit_reply (*run)(void *owner, int32_t command);
} clibedit_callbacks;

// The edited text. `scalars` is valid until the text changes.
typedef struct {
  const int32_t *scalars;
  size_t count;
  size_t cursor;
} clibedit_text;

// The maximum number of commands of an owner.
enum { CLIBEDIT_MAX_COMMANDS = 48 };

// libedit is not informed when a window changes its size during editing. Its drawing is not visible, and
// `el_resize` keeps a cursor that is outside a smaller drawing, and writes there.

// Opens an editor on a terminal; NULL without memory, or if /dev/null cannot be opened.
clibedit *clibedit_open(const char *program, int input, clibedit_callbacks callbacks);
void clibedit_close(clibedit *editor);

// Applies a line of ~/.editrc, which can choose vi. A line with an open quote is ignored. `ed-command` is
// never bound, because libedit parses the text typed after it without regard to quotes.
void clibedit_apply_user_setting(clibedit *editor, const char *line);
// Returns whether the vi key map is in use.
bool clibedit_is_vi(clibedit *editor);

// Names the owner's command `number` (below CLIBEDIT_MAX_COMMANDS), so that keys can be bound to it.
bool clibedit_add_command(clibedit *editor, int32_t number, const char *name, const char *help);
// Binds a key, written as in .editrc: "^A", "\\e[D". `in_command_mode` means vi's.
void clibedit_bind(clibedit *editor, const char *key, const char *name, bool in_command_mode);

// Edits a line until `next` abandons it or a command accepts it. Returns whether a command did, one of the
// owner or of libedit itself, such as vi's `#`.
bool clibedit_edit(clibedit *editor);
// Sets the terminal to the editor's mode, or to the mode between lines, in which signals work, and typed
// characters wait unchanged and without echo for the next line.
void clibedit_set_raw(clibedit *editor, bool is_raw);
// Between lines, lets Control-S stop the output and Control-Q continue it, if the terminal did so before.
void clibedit_let_output_stop(clibedit *editor);
// Restores the terminal to its state before the editor, for other programs or at the end of the process. Safe
// to call in a signal handler.
void clibedit_give_back(void);

clibedit_text clibedit_get_text(clibedit *editor);
void clibedit_move(clibedit *editor, int by);
void clibedit_delete_before(clibedit *editor, int count);
// Inserts at the cursor; returns false without memory.
bool clibedit_insert(clibedit *editor, const int32_t *scalars, size_t count);

// Makes multi-byte text UTF-8, independent of LC_ALL; returns false if the system has no such locale.
bool clibedit_use_utf8_locale(void);

// Signals. A handler sets a flag and writes a byte to a pipe, so that waiting for input ends.

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

// Catches a signal until it is released, which restores the previous handler.
bool clibedit_catch(clibedit_signal signal);
void clibedit_release(clibedit_signal signal);
// Sets an action that also runs in the handler of a caught SIGINT, SIGQUIT, SIGTERM or SIGHUP; NULL for none.
void clibedit_on_interrupt(void (*action)(void));
// Returns whether a caught signal has arrived since the last call, and resets it.
bool clibedit_take(clibedit_signal signal);
// Returns whether a caught signal has arrived, without resetting it. Two loads, cheap enough for a loop.
bool clibedit_is_pending(clibedit_signal signal);
// Performs the system's default action for a signal.
void clibedit_perform_default(clibedit_signal signal);

// The event that ended a wait for input.
typedef enum {
  CLIBEDIT_INPUT,
  CLIBEDIT_SIGNAL,
  CLIBEDIT_FAILED,
} clibedit_event;

// Waits until `input` can be read or is closed, or a caught signal arrives.
clibedit_event clibedit_wait(int input);

// Returns whether the other end of a terminal is closed.
bool clibedit_is_hung_up(int input);

// Gets the size of a terminal's window; returns false if it is unknown.
bool clibedit_window_size(int terminal, int *columns, int *rows);
// Resumes the output of a terminal that Control-S has stopped.
void clibedit_resume_output(int terminal);
// Returns whether a read would return at once, or within a number of milliseconds.
bool clibedit_has_input(int input, int milliseconds);

// Prints `message`, instead of the runtime's report, if the program crashes, and then ends the process with
// the same signal. Before that, a copy of the process can `rescue` unsaved data, in at most ten seconds.
// SWIFT_BACKTRACE in the environment leaves crashes to the runtime. If the process has run out of memory, it
// prints `exhausted` instead, and exits with status 1.
void clibedit_explain_crashes(const char *message, const char *exhausted, void (*rescue)(void));

#endif
