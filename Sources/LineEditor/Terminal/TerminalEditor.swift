import CLibEdit

/// An editor on a terminal, with libedit's keys and a picture of our own.
///
/// libedit holds the text, knows the keys (emacs, vi, `.editrc`) and asks for one scalar at a
/// time; before each wait the editor draws the whole text. So characters that libedit cannot draw,
/// such as が of two scalars, are exact.
package final class TerminalEditor: LineReading {
  let output: Int32
  let file: Int32
  let hooks: EditorHooks
  var input: ByteInput
  var decoder = KeyDecoder()
  /// A key that was read too early.
  var putBack: Key?
  /// What libedit is given next: the scalars of one key.
  var queue: [Unicode.Scalar] = []
  /// Whether the last key was a character that libedit put into the text.
  var isPlain = false
  var cache = TextCache()
  var changes = UndoHistory()
  /// Whether libedit has asked for a key of the line.
  var isBegun = false
  /// Whether libedit was given a key of the line.
  var wasGiven = false
  /// How often in a row the terminal had something to read and gave nothing.
  var emptyReadings = 0
  /// What may stand at the cursor, while it is shown.
  var menu: CompletionMenu?
  /// Where the word begins whose menu a further character narrows.
  var narrows: Int?
  /// Whether a choice was put there with a blank behind it, and nothing was typed since.
  var hasBlankOfChoice = false
  /// What is said below the text until the next key.
  var notice: String?
  var screen: Screen
  var history = History()
  /// The statement that was read last, until it is known how it ended.
  private var lastRead: String?
  var walk = HistoryWalk(History())
  var prompt = Prompt("")
  /// What the reading ended with, once it did.
  var outcome: LineEvent?
  /// The scalar that was typed last, while nothing was made of it.
  var lastScalar: Unicode.Scalar?
  /// The key before was CR.
  var wasReturn = false
  var isAnswer = false
  private(set) var isVi = false
  let bindings: UserBindings
  private let historyFile: HistoryFile?
  private var openEditor: OpaquePointer?

  /// Opens an editor on a terminal; nil if libedit cannot.
  ///
  /// While it exists Control-C is an event and no longer ends the program.
  package init?(
    input: Int32 = 0, output: Int32 = 1, history file: HistoryFile? = nil,
    hooks: EditorHooks = EditorHooks()
  ) {
    self.output = output
    self.file = input
    self.hooks = hooks
    self.input = ByteInput(input)
    screen = Screen(output: output)
    let settings = System.userSettings
    bindings = UserBindings(settings)
    historyFile = file
    for entry in file?.entries() ?? [] {
      if !entry.hasFailed { _ = history.add(entry.statement) }
      _ = history.note(entry.statement, hasFailed: entry.hasFailed)
    }
    openEditor = clibedit_open("kura", input, callbacks)
    guard openEditor != nil else { return nil }
    bindKeys(behind: settings)
    Interrupt.catchUntilReleased()
  }

  deinit {
    clibedit_close(openEditor)
    Interrupt.release()
  }

  /// libedit's own, there from the end of `init` on.
  var editor: OpaquePointer? { openEditor }

  package func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent {
    isAnswer = false
    noteEndOfLast()
    let event = read(prompt)
    if case .text(let statement) = event { remember(statement) }
    return event
  }

  package func readAnswer(to question: String) throws(LineInputError) -> LineEvent {
    isAnswer = true
    return read(Prompt(question))
  }

  private func read(_ prompt: Prompt) -> LineEvent {
    self.prompt = prompt
    outcome = nil
    lastScalar = nil
    queue = []
    emptyReadings = 0
    (menu, narrows, notice) = (nil, nil, nil)
    walk = HistoryWalk(isAnswer ? History() : history)
    Interrupt.take()
    screen.forget()
    withTerminal { while outcome == nil { edit() } }
    return outcome ?? .end
  }

  /// Has libedit edit a line until it is accepted or over.
  ///
  /// Some commands of libedit give a line up, and the end of all is its answer: where a text stands
  /// there, it is gone on with. Without a text it is the end, as Control-D is.
  private func edit() {
    (isBegun, wasGiven) = (false, false)
    let isAccepted = clibedit_edit(editor)
    // libedit has left its mode, and Control-S would hold what is written.
    clibedit_set_raw(editor, true)
    guard outcome == nil else { return }
    if isAccepted { return finish(.text(acceptedText)) }
    if !wasGiven || text.text.isEmpty { return finish(.end) }
    prompt.draft = text.text
  }

  /// What a command of libedit's own hands over, without the line break that it puts behind.
  private var acceptedText: String {
    let text = text.text
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private func remember(_ statement: String) {
    // A disk that is full or a home that cannot be written keeps nobody from working.
    if history.add(statement) { historyFile?.append(statement) }
    lastRead = statement
  }

  /// Keeps whether the last statement failed: it is no hint then, nor in the sessions to come.
  private func noteEndOfLast() {
    guard let statement = lastRead, history.statements.last == statement else { return }
    lastRead = nil
    let hasFailed = hooks.hasFailed(statement)
    guard history.note(statement, hasFailed: hasFailed) else { return }
    historyFile?.append(statement, hasFailed: hasFailed)
  }
}

extension TerminalEditor {
  private var callbacks: clibedit_callbacks {
    clibedit_callbacks(
      owner: Unmanaged.passUnretained(self).toOpaque(),
      next: { TerminalEditor.of($0)?.nextForLibedit() ?? -1 },
      run: { TerminalEditor.of($0)?.run($1) ?? CLIBEDIT_GO_ON })
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> TerminalEditor? {
    owner.map { Unmanaged<TerminalEditor>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The user's settings come first, because `bind -v` in them takes all keys away.
  private func bindKeys(behind settings: String) {
    for line in settings.split(whereSeparator: \.isNewline) where !line.contains("\0") {
      clibedit_apply_user_setting(editor, String(line))
    }
    isVi = clibedit_is_vi(editor)
    for command in EditorCommand.allCases {
      _ = clibedit_add_command(editor, command.rawValue, command.name, command.help)
      for key in command.keys { clibedit_bind(editor, key, command.name, false) }
      guard isVi else { continue }
      for key in command.keysInCommandMode { clibedit_bind(editor, key, command.name, true) }
    }
    for (key, command) in EditorCommand.keysOfLibedit { clibedit_bind(editor, key, command, false) }
    for (key, isOfCommandMode) in EditorCommand.keysOfSettings
    where isVi == isOfCommandMode && !bindings.keys.contains(UserBindings.sent(by: key)) {
      clibedit_bind(editor, key, "ed-unassigned", isOfCommandMode)
    }
    if isVi { clibedit_bind(editor, EditorCommand.escapeOfViKey, "vi-command-mode", false) }
  }
}
