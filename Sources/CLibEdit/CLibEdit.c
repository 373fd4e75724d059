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
  // Always empty. Some commands of vi use it without checking whether it exists.
  HistoryW *history;
  clibedit_callbacks callbacks;
  int input;
  // The real size of the window, while libedit sees a smaller one.
  struct winsize real;
  bool is_shrunk;
  // The state of the terminal before the editor.
  struct termios original;
  // Whether libedit's drawing differs from its text.
  bool is_stale;
  // The length of the text at the last key, if the cursor was at its end; otherwise -1.
  ptrdiff_t length_at_end;
};

// The editor that controls the terminal. Signal handlers read it.
static clibedit *_Atomic holder;

void clibedit_give_back(void) {
  clibedit *editor = atomic_exchange(&holder, NULL);
  // TCSANOW does not wait for output, which Control-S may have stopped.
  if (editor != NULL) tcsetattr(editor->input, TCSANOW, &editor->original);
}

// libedit allocates drawings of the window, four bytes per cell, and only asks the terminal for its size:
// 65,535 by 65,535 cells would take 34 GB. A window larger than any real one is therefore made smaller while
// libedit reads its size, when it is opened and when a line begins. Nothing visible depends on its drawings.
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

// Some of libedit's commands leave the cursor outside the text: vi's `$` in an empty text, and the mark of
// emacs, which does not move when the text becomes shorter. The next command would write there, outside the
// buffer. The memory of el_wline belongs to libedit.
static void keep_cursor_inside(EditLine *line) {
  LineInfoW *text = (LineInfoW *)el_wline(line);
  if (text->lastchar < text->buffer) text->lastchar = text->buffer;
  if (text->cursor < text->buffer) text->cursor = text->buffer;
  if (text->cursor > text->lastchar) text->cursor = text->lastchar;
}

// Returns whether the last key only appended one character to the text. Any other movement of the cursor can
// put it in a row that libedit's drawing does not have: if a text has more rows than the window, libedit
// finds no row for its end, and its fast path counts on from there.
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
  // libedit's fast path for a character counts rows from its last drawing. If the text was changed elsewhere
  // meanwhile, it writes beyond the last row.
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

// libedit does not pass the number of a command, so each number needs its own function.
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
  // libedit's own handlers resend each signal to the whole process group.
  el_wset(editor->line, EL_SIGNAL, 0);
  el_wset(editor->line, EL_EDITOR, L"emacs");
  // Control-S would stop the output until Control-Q, and the program would appear to hang.
  el_set(editor->line, EL_SETTY, "-d", "-ixon", NULL);
  // The same while it reads a quoted key.
  el_set(editor->line, EL_SETTY, "-q", "-ixon", NULL);
  // CR and LF are passed unchanged; otherwise pasted lines that end with both would have two line ends.
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

// Returns whether a word is in a list. libedit's own parser of settings reads uninitialized words if a quote
// is open.
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
  // The narrow function copies both strings; the wide one would keep the pointers.
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

// Between lines, and briefly at the end of each, libedit leaves its mode. The system must not edit lines at
// that time: of the keys typed ahead, some would be in this program's buffer and some in the system's, and a
// Control-U that the system handles would not end the search that a Control-S in the buffer begins. libedit
// resets this when it finds a terminal in line mode, so it is set each time.
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
