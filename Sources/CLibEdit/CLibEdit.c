#include "CLibEdit.h"

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

_Static_assert(sizeof(wchar_t) == sizeof(int32_t), "a wide character is a Unicode scalar");

struct clibedit {
  EditLine *line;
  FILE *nowhere;
  // Always empty: some commands of vi call it and do not ask whether there is one.
  HistoryW *history;
  clibedit_callbacks callbacks;
  int input;
  // The size of the window, while libedit is shown a smaller one.
  struct winsize real;
  bool is_shrunk;
  // The terminal as it was before the editor took it.
  struct termios original;
  // Whether libedit's picture is another one than its text.
  bool is_stale;
  // How long the text was when the last key was asked for, if the cursor stood behind it; else -1.
  ptrdiff_t length_at_end;
};

// The editor that has the terminal. Signal handlers read it.
static clibedit *_Atomic holder;

void clibedit_give_back(void) {
  clibedit *editor = atomic_exchange(&holder, NULL);
  // It does not wait for output: Control-S may have stopped it.
  if (editor != NULL) tcsetattr(editor->input, TCSANOW, &editor->original);
}

// libedit keeps pictures of the window, four bytes a cell, and asks the terminal alone how large it
// is: of 65,535 by 65,535 cells they would take 34 GB. A larger window than any is made smaller while
// libedit looks, when it is opened and when a line begins; nothing is drawn by its pictures.
enum { MOST_CELLS = 1000 };

static void shrink_window(clibedit *editor) {
  struct winsize *real = &editor->real;
  if (ioctl(editor->input, TIOCGWINSZ, real) != 0) return;
  if (real->ws_col <= MOST_CELLS && real->ws_row <= MOST_CELLS) return;
  struct winsize small = *real;
  if (small.ws_col > MOST_CELLS) small.ws_col = MOST_CELLS;
  if (small.ws_row > MOST_CELLS) small.ws_row = MOST_CELLS;
  editor->is_shrunk = ioctl(editor->input, TIOCSWINSZ, &small) == 0;
}

static void restore_window(clibedit *editor) {
  if (editor->is_shrunk) ioctl(editor->input, TIOCSWINSZ, &editor->real);
  editor->is_shrunk = false;
}

static clibedit *editor_of(EditLine *line) {
  void *data = NULL;
  el_wget(line, EL_CLIENTDATA, &data);
  return data;
}

// Some of libedit's commands leave the cursor outside of the text: vi's `$` before an empty one, and
// the mark of emacs stays where it was when the text becomes shorter. The next command would write
// there, over memory of others. What el_wline shows is libedit's own.
static void keep_cursor_inside(EditLine *line) {
  LineInfoW *text = (LineInfoW *)el_wline(line);
  if (text->lastchar < text->buffer) text->lastchar = text->buffer;
  if (text->cursor < text->buffer) text->cursor = text->buffer;
  if (text->cursor > text->lastchar) text->cursor = text->lastchar;
}

// Whether all that was done since the last key was to add one character behind the text. Whatever
// else moves the cursor may leave libedit with a row for it that its picture does not have: in a text
// of more rows than the window it finds none for the end, and its fast way counts on from there.
static bool is_typed_on(clibedit *editor) {
  const LineInfoW *text = el_wline(editor->line);
  ptrdiff_t length = text->lastchar - text->buffer;
  ptrdiff_t before = editor->length_at_end;
  bool is_at_end = text->cursor == text->lastchar;
  editor->length_at_end = is_at_end ? length : -1;
  return !is_at_end || (before >= 0 && length == before + 1);
}

static int read_scalar(EditLine *line, wchar_t *scalar) {
  clibedit *editor = editor_of(line);
  restore_window(editor);
  keep_cursor_inside(line);
  int32_t next = editor->callbacks.next(editor->callbacks.owner);
  if (next < 0) return 0;
  // libedit's fast way to add a character counts rows from its last picture, and writes behind the
  // last of them where the text was changed by others meanwhile.
  if (!is_typed_on(editor) || editor->is_stale) el_wset(line, EL_REFRESH);
  editor->is_stale = false;
  *scalar = (wchar_t)next;
  return 1;
}

static unsigned char run(EditLine *line, int32_t command) {
  clibedit *editor = editor_of(line);
  switch (editor->callbacks.run(editor->callbacks.owner, command)) {
    case CLIBEDIT_ACCEPT:
      return CC_NEWLINE;
    case CLIBEDIT_GO_ON:
      break;
  }
  return CC_NORM;
}

// libedit calls a command without saying which one: each number needs a function of its own.
#define COMMAND(n) \
  static unsigned char command_##n(EditLine *line, int key) { (void)key; return run(line, n); }
#define NUMBERS(do) \
  do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11) do(12) do(13) do(14) \
  do(15) do(16) do(17) do(18) do(19) do(20) do(21) do(22) do(23) do(24) do(25) do(26) do(27) \
  do(28) do(29) do(30) do(31) do(32) do(33) do(34) do(35) do(36) do(37) do(38) do(39) do(40) \
  do(41) do(42) do(43) do(44) do(45) do(46) do(47)
NUMBERS(COMMAND)
#define ENTRY(n) command_##n,
static unsigned char (*const commands[CLIBEDIT_MAX_COMMANDS])(EditLine *, int) = {NUMBERS(ENTRY)};

clibedit *clibedit_open(const char *program, int input, clibedit_callbacks callbacks) {
  clibedit *editor = calloc(1, sizeof *editor);
  if (editor == NULL) return NULL;
  editor->callbacks = callbacks;
  editor->input = input;
  editor->nowhere = fopen("/dev/null", "r+");
  if (editor->nowhere != NULL) {
    FILE *nowhere = editor->nowhere;
    shrink_window(editor);
    editor->line = el_init_fd(program, nowhere, nowhere, nowhere, input, input, input);
    restore_window(editor);
  }
  if (editor->line == NULL) {
    clibedit_close(editor);
    return NULL;
  }
  el_wset(editor->line, EL_CLIENTDATA, editor);
  el_wset(editor->line, EL_GETCFN, read_scalar);
  editor->history = history_winit();
  if (editor->history != NULL) el_wset(editor->line, EL_HIST, history_w, editor->history);
  // libedit's own handlers send each signal to the whole process group again.
  el_wset(editor->line, EL_SIGNAL, 0);
  el_wset(editor->line, EL_EDITOR, L"emacs");
  // Control-S would hold the output until Control-Q, and look as if all had stopped.
  el_set(editor->line, EL_SETTY, "-d", "-ixon", NULL);
  // The same while it takes a key as it is.
  el_set(editor->line, EL_SETTY, "-q", "-ixon", NULL);
  // CR and LF come as they are: else a paste with both at the end of each line had two line ends.
  el_set(editor->line, EL_SETTY, "-d", "-inlcr", "-icrnl", NULL);
  return editor;
}

void clibedit_close(clibedit *editor) {
  if (editor == NULL) return;
  if (editor->line != NULL) el_end(editor->line);
  if (atomic_load(&holder) == editor) clibedit_give_back();
  if (editor->history != NULL) history_wend(editor->history);
  if (editor->nowhere != NULL) fclose(editor->nowhere);
  free(editor);
}

// libedit's own reader of settings parses what its tokenizer has not filled where a quote is open.
static bool names(int count, const char **words, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], name) == 0) return true;
  }
  return false;
}

void clibedit_apply_user_setting(clibedit *editor, const char *line) {
  Tokenizer *tokenizer = tok_init(NULL);
  if (tokenizer == NULL) return;
  int count = 0;
  const char **words = NULL;
  bool is_whole = tok_str(tokenizer, line, &count, &words) == 0 && count > 0;
  if (is_whole && !names(count, words, "ed-command")) el_parse(editor->line, count, words);
  tok_end(tokenizer);
}

bool clibedit_is_vi(clibedit *editor) {
  const wchar_t *name = NULL;
  el_wget(editor->line, EL_EDITOR, &name);
  return name != NULL && wcscmp(name, L"vi") == 0;
}

bool clibedit_add_command(clibedit *editor, int32_t number, const char *name, const char *help) {
  if (number < 0 || number >= CLIBEDIT_MAX_COMMANDS) return false;
  // The narrow call copies both strings; the wide one would keep the pointers.
  return el_set(editor->line, EL_ADDFN, name, help, commands[number]) == 0;
}

void clibedit_bind(clibedit *editor, const char *key, const char *name, bool in_command_mode) {
  if (in_command_mode) {
    el_set(editor->line, EL_BIND, "-a", key, name, NULL);
  } else {
    el_set(editor->line, EL_BIND, key, name, NULL);
  }
}

bool clibedit_edit(clibedit *editor) {
  int count = 0;
  shrink_window(editor);
  bool is_accepted = el_wgets(editor->line, &count) != NULL && count > 0;
  restore_window(editor);
  return is_accepted;
}

// Between two lines, and for a moment at the end of each, libedit leaves its mode. The system must not edit
// lines then: of keys that are typed ahead, some would be in this program's buffer and some in the system's,
// and a Control-U that the system takes does not end the search that a Control-S in the buffer begins.
// libedit forgets this when it finds a terminal that edits lines, so it is said each time.
void clibedit_set_raw(clibedit *editor, bool is_raw) {
  if (is_raw && atomic_load(&holder) != editor && tcgetattr(editor->input, &editor->original) == 0) {
    atomic_store(&holder, editor);
  }
  el_wset(editor->line, EL_PREP_TERM, is_raw ? 1 : 0);
  if (is_raw) el_set(editor->line, EL_SETTY, "-x", "-icanon", "-echo", "-inlcr", "-ixon", NULL);
}

void clibedit_let_output_stop(clibedit *editor) {
  if (editor->original.c_iflag & IXON) el_set(editor->line, EL_SETTY, "-x", "+ixon", NULL);
}

clibedit_text clibedit_get_text(clibedit *editor) {
  const LineInfoW *line = el_wline(editor->line);
  clibedit_text text = {
      (const int32_t *)line->buffer,
      (size_t)(line->lastchar - line->buffer),
      (size_t)(line->cursor - line->buffer),
  };
  return text;
}

void clibedit_move(clibedit *editor, int by) {
  editor->is_stale = true;
  el_cursor(editor->line, by);
}

void clibedit_delete_before(clibedit *editor, int count) {
  editor->is_stale = true;
  el_wdeletestr(editor->line, count);
}

bool clibedit_insert(clibedit *editor, const int32_t *scalars, size_t count) {
  if (count == 0) return true;
  editor->is_stale = true;
  wchar_t *text = malloc((count + 1) * sizeof *text);
  if (text == NULL) return false;
  memcpy(text, scalars, count * sizeof *text);
  text[count] = L'\0';
  bool done = el_winsertstr(editor->line, text) == 0;
  free(text);
  return done;
}

static bool is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

bool clibedit_use_utf8_locale(void) {
  static const char *const names[] = {"", "C.UTF-8", "en_US.UTF-8", "UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (setlocale(LC_CTYPE, names[i]) != NULL && is_utf8()) return true;
  }
  return false;
}
