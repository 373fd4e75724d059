import CLibEdit

/// An editor on a terminal, with libedit's keys and its own drawing.
///
/// libedit holds the text, handles the keys (emacs, vi, `.editrc`) and requests one scalar at a
/// time. Before each wait the editor draws the complete text, including characters that libedit
/// cannot draw, such as が of two scalars.
package final class TerminalEditor: LineReading {
  let output: Int32
  let file: Int32
  let hooks: EditorHooks
  var input: ByteInput
  var decoder = KeyDecoder()
  /// A key that was read but not used.
  var putBack: Key?
  /// The next scalars for libedit, from one key.
  var queue: [Unicode.Scalar] = []
  /// Whether the last key was a character that libedit inserted.
  var isPlain = false
  var cache = TextCache()
  var changes = UndoHistory()
  /// Whether libedit has asked for a key of the line.
  var isBegun = false
  /// Whether libedit was given a key of the line.
  var wasGiven = false
  /// The number of consecutive reads without bytes although the terminal was readable.
  var emptyReadings = 0
  /// The menu of completions, while it is shown.
  var menu: CompletionMenu?
  /// The start of the word whose menu the next character narrows.
  var narrows: Int?
  /// Whether a completion was inserted with a space after it, and nothing was typed since.
  var hasBlankOfChoice = false
  /// The note below the text, until the next key.
  var notice: String?
  var screen: Screen
  var history = History()
  /// The statement that was read last, until its result is known.
  private var lastRead: String?
  var walk = HistoryWalk(History())
  var prompt = Prompt("")
  /// The result of reading, once there is one.
  var outcome: LineEvent?
  /// The scalar that was typed last, unless a command has handled it.
  var lastScalar: Unicode.Scalar?
  /// Whether the previous key was CR.
  var wasReturn = false
  var isAnswer = false
  private(set) var isVi = false
  let bindings: UserBindings
  private let historyFile: HistoryFile?
  private var openEditor: OpaquePointer?

  /// Opens an editor on a terminal; nil if libedit cannot.
  ///
  /// While it exists, Control-C is an event and does not end the program.
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
    bindKeys(after: settings)
    Interrupt.catchUntilReleased()
  }

  deinit {
    clibedit_close(openEditor)
    Interrupt.release()
  }

  /// The editor of libedit, which exists from the end of `init` on.
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

  /// Lets libedit edit a line until it is accepted or finished.
  ///
  /// Some commands of libedit abandon a line as if the input had ended. If there is text, editing
  /// continues; otherwise the input ends, as with Control-D.
  private func edit() {
    (isBegun, wasGiven) = (false, false)
    let isAccepted = clibedit_edit(editor)
    // libedit has left its mode, and Control-S would stop the output.
    clibedit_set_raw(editor, true)
    guard outcome == nil else { return }
    if isAccepted { return finish(.text(acceptedText)) }
    if !wasGiven || text.text.isEmpty { return finish(.end) }
    prompt.draft = text.text
  }

  /// The text that a command of libedit accepts, without the line feed that it adds.
  private var acceptedText: String {
    let text = text.text
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private func remember(_ statement: String) {
    // A full disk or an unwritable home folder does not prevent work.
    if history.add(statement) { historyFile?.append(statement) }
    lastRead = statement
  }

  /// Records whether the last statement failed; if so, it is not a hint, even in later sessions.
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

  /// Binds the keys. The user's settings come first, because `bind -v` in them removes all
  /// bindings.
  private func bindKeys(after settings: String) {
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

/// The commands of the keys.
extension TerminalEditor {
  func run(_ number: Int32) -> clibedit_reply {
    guard let command = EditorCommand(rawValue: number) else { return CLIBEDIT_GO_ON }
    lastScalar = nil
    perform(command)
    if case .text = outcome { return CLIBEDIT_ACCEPT }
    return CLIBEDIT_GO_ON
  }

  private func perform(_ command: EditorCommand) {
    switch command {
    case .enter: enter()
    case .openLine: insert("\n")
    case .left: move(to: text.left)
    case .right: text.isAtEnd ? insert(hint(for: text)) : move(to: text.right)
    case .lineStart: move(to: text.lineStart)
    case .lineEnd: text.isAtEnd ? insert(hint(for: text)) : move(to: text.lineEnd)
    case .wordRight: wordRight()
    case .up: up()
    case .down: down()
    case .previousStatement: show(walk.previous(from: text.text))
    case .nextStatement: show(walk.next(from: text.text))
    case .deleteBackward: delete(text.left..<text.cursor)
    case .deleteForward: deleteForward()
    case .deleteOrLeave: text.isEmpty ? finish(.end) : deleteForward()
    case .search: search(.backward)
    case .searchForward: search(.forward)
    case .clearScreen: clearScreen()
    case .complete: complete()
    case .undo: restore(changes.undo())
    case .redo: restore(changes.redo())
    case .edit: editOutside()
    case .fix: takeFix()
    case .help: showHelp()
    }
  }

  func enter() {
    let typed = text.text
    guard isAnswer || hooks.isComplete(typed) && !isFollowed(typed) else { return insert("\n") }
    move(to: text.characters.count)
    finish(.text(typed))
  }

  /// Returns whether lines that were pasted without marks continue the statement.
  private func isFollowed(_ typed: String) -> Bool {
    let next = waitingLine()
    return !next.isEmpty && hooks.continues(typed, next)
  }

  private func wordRight() {
    let text = text
    guard text.isAtEnd else { return move(to: text.wordEnd) }
    let hint = EditText(Array(hint(for: text)), cursor: 0)
    insert(String(hint.characters[..<hint.wordEnd]))
  }

  private func up() {
    guard let index = text.up(width: hooks.displayWidth) else {
      return show(walk.previous(from: text.text, beginningAlike: true))
    }
    move(to: index)
  }

  private func down() {
    guard let index = text.down(width: hooks.displayWidth) else {
      return show(walk.next(from: text.text, beginningAlike: true))
    }
    move(to: index)
  }

  func show(_ statement: String?) {
    if let statement { replaceText(with: statement) }
  }

  private func deleteForward() {
    let text = text
    delete(text.cursor..<text.right)
  }

  private func clearScreen() {
    screen.write(Escape.clearAll)
    screen.forget()
  }

  private func restore(_ state: UndoHistory.State?) {
    guard let state else { return }
    replaceText(with: state.text)
    move(to: state.cursor)
  }

  private func editOutside() {
    guard !isAnswer else { return }
    screen.finish(frame(hint: ""))
    let edited = outside { hooks.edit(text.text) }
    if let edited { replaceText(with: hooks.composed(edited)) }
  }

  /// Replaces the text with the corrected statement; Undo brings the typed text back.
  private func takeFix() {
    guard !isAnswer else { return }
    guard let corrected = hooks.corrected() else { return notice = Sentences.noFix }
    replaceText(with: hooks.composed(corrected))
  }

  private func showHelp() {
    let text = text
    let help = isAnswer ? "" : hooks.help(text.text, text.bytes(before: text.cursor))
    if help.isEmpty { return notice = Sentences.noHelp }
    if help.utf8.count(where: { $0 == 10 }) < screen.size.rows {
      return screen.show(help, below: frame(hint: ""))
    }
    screen.finish(frame(hint: ""))
    if !outside({ hooks.page(help) }) { screen.write(help.replacing("\n", with: "\r\n")) }
  }

  /// Inserts a paste, up to the mark at its end.
  func paste() {
    var pasted = PastedText()
    while let byte = nextByte(drawing: {}) {
      if pasted.take(byte) { return insert(hooks.composed(pasted.text)) }
    }
  }

  /// Returns the hint for a text: the rest of a previous statement, or the hint of the hooks.
  func hint(for text: EditText) -> String {
    guard !isAnswer, !text.isEmpty else { return "" }
    let known = hooks.hintsHistory() ? history.newest(beginningWith: text.text) : nil
    return known.map { String($0.dropFirst(text.characters.count)) } ?? hooks.hint(text.text)
  }
}

/// The text in libedit.
extension TerminalEditor {
  var text: EditText {
    let text = clibedit_get_text(editor)
    let scalars = UnsafeBufferPointer(start: text.scalars, count: text.count)
    return cache.text(of: scalars, cursor: text.cursor)
  }

  private var scalarCursor: Int { clibedit_get_text(editor).cursor }

  func move(to index: Int) {
    clibedit_move(editor, Int32(clamping: text.scalars(before: index) - scalarCursor))
  }

  func insert(_ text: String) {
    let scalars = text.unicodeScalars.map { Int32(bitPattern: $0.value) }
    _ = clibedit_insert(editor, scalars, scalars.count)
  }

  /// Deletes characters and leaves the cursor at their place.
  func delete(_ range: Range<Int>) {
    let text = text
    move(to: range.upperBound)
    let count = text.scalars(before: range.upperBound) - text.scalars(before: range.lowerBound)
    clibedit_delete_before(editor, Int32(clamping: count))
  }

  func replaceText(with new: String) {
    delete(0..<text.characters.count)
    insert(new)
  }

  /// Corrects what libedit's own commands left, before it is drawn.
  func settle() {
    composeTypedMark()
    leaveMiddleOfCharacter()
  }

  /// Joins a mark with the letter before it: か and ゛ become が.
  private func composeTypedMark() {
    guard let mark = lastScalar else { return }
    lastScalar = nil
    guard mark.value >= 0x300 else { return }
    let text = text
    guard text.cursor > 0 else { return }
    let typed = String(text.characters[text.cursor - 1])
    let composed = hooks.composed(typed)
    guard !composed.unicodeScalars.elementsEqual(typed.unicodeScalars) else { return }
    delete(text.cursor - 1..<text.cursor)
    insert(composed)
  }

  /// Moves the cursor out of a character: libedit's word and vi commands count scalars.
  private func leaveMiddleOfCharacter() {
    let text = text
    let inside = scalarCursor - text.scalars(before: text.cursor)
    if inside > 0 { clibedit_move(editor, -Int32(clamping: inside)) }
  }
}

/// The menu of completions: Tab opens it, further typing narrows it.
extension TerminalEditor {
  /// Performs Tab: a single completion is inserted at once; for several the menu opens.
  func complete() {
    let text = text
    guard !isAnswer, let found = completions(of: text) else { return insert("\t") }
    guard !found.items.isEmpty else { return notice = Sentences.nothingFits }
    if found.items.count == 1 { return take(found.items[0], from: found.start) }
    typeCommonStart(of: found, in: text)
    menu = completions(of: self.text).map(CompletionMenu.init)
  }

  private func completions(of text: EditText) -> Completions? {
    hooks.complete(text.text, text.bytes(before: text.cursor))
  }

  /// Inserts the common beginning of all completions.
  private func typeCommonStart(of found: Completions, in text: EditText) {
    let typed = text.text.utf8.dropFirst(found.start).prefix(
      text.bytes(before: text.cursor) - found.start)
    let common = found.items.dropFirst().reduce(found.items[0].text) { common, item in
      String(zip(common, item.text).prefix { $0 == $1 }.map(\.0))
    }
    guard common.utf8.count > typed.count, common.utf8.starts(with: typed) else { return }
    insert(String(common.dropFirst(String(Substring(typed)).count)))
  }

  private func take(_ choice: Completion, from start: Int) {
    let text = text
    delete(text.index(ofByte: start)..<text.cursor)
    insert(choice.text)
    hasBlankOfChoice = choice.text.hasSuffix(" ")
  }

  /// Passes a key to the menu; returns true if it was handled.
  func menuTakes(_ key: Key) -> Bool {
    guard var open = menu else { return false }
    menu = nil
    switch key {
    case .tab, .sequence("\u{1B}[B"), .sequence("\u{1B}OB"), .scalar("\u{E}"): open.move(by: 1)
    case .sequence("\u{1B}[Z"), .sequence("\u{1B}[A"), .sequence("\u{1B}OA"), .scalar("\u{10}"):
      open.move(by: -1)
    case .sequence("\u{1B}[6~"): open.page(by: menuHeight(open))
    case .sequence("\u{1B}[5~"): open.page(by: -menuHeight(open))
    case .scalar("\r"), .scalar("\n"):
      if let choice = open.choice { take(choice, from: open.completions.start) }
      return true
    case .escape, .scalar("\u{7}"): return true
    case .scalar(let scalar) where scalar.value >= 0x20:
      narrows = open.completions.start
      return false
    default: return false
    }
    menu = open
    return true
  }

  private func menuHeight(_ menu: CompletionMenu) -> Int {
    CompletionMenu.height(menu.items.count, screen: screen.size.rows)
  }

  /// Opens the menu again for the text typed meanwhile.
  func narrowMenu() {
    guard let start = narrows else { return }
    narrows = nil
    guard let found = completions(of: text), found.start == start, !found.items.isEmpty else {
      return
    }
    menu = CompletionMenu(found)
  }

  /// Returns the rows below the text.
  func footer() -> [Frame.Row] {
    let size = screen.size
    if var open = menu {
      let rows = open.rows(
        columns: size.columns, screen: size.rows, hooks.styles, width: hooks.displayWidth)
      menu = open
      return rows
    }
    let text = text
    let said = notice ?? (isAnswer ? "" : hooks.notice(text.text, text.bytes(before: text.cursor)))
    return said.isEmpty ? [] : [noticeRow(said, columns: size.columns)]
  }

  private func noticeRow(_ text: String, columns: Int) -> Frame.Row {
    let cells = CellWriter(width: hooks.displayWidth)
    let shown = cells.cut(text.map { hooks.visible(String($0)) }.joined(), to: max(1, columns - 1))
    let style = hooks.styles.notice
    let content = style.isEmpty ? shown : "\u{1B}[\(style)m" + shown + "\u{1B}[0m"
    return Frame.Row(content: content, width: cells.width(shown))
  }
}

/// The search for a previous statement, which follows the query while it is typed.
extension TerminalEditor {
  private struct Search {
    var direction: History.Direction
    var query = ""
    /// The index of the statement that was found; nil before the first.
    var index: Int?
    var isFound = true
  }

  func search(_ direction: History.Direction) {
    var search = Search(direction: direction)
    while let key = nextKey(drawing: { draw(search) }) {
      switch key {
      case .scalar("\u{12}"): go(.backward, &search)
      case .scalar("\u{13}"): go(.forward, &search)
      case .scalar("\u{7}"): return
      case .scalar("\u{8}"), .scalar("\u{7F}"):
        search.query = String(search.query.dropLast())
        find(&search, from: start(search.direction))
      case .scalar(let scalar) where scalar.value >= 0x20:
        search.query.unicodeScalars.append(scalar)
        find(&search, from: search.index ?? start(search.direction))
      case .paste, .scalar, .sequence: return take(search, then: key)
      }
    }
  }

  private func start(_ direction: History.Direction) -> Int {
    direction == .backward ? history.statements.count - 1 : 0
  }

  /// Moves to the next different statement.
  private func go(_ direction: History.Direction, _ search: inout Search) {
    search.direction = direction
    let step = direction == .backward ? -1 : 1
    let shown = search.index.map { history.statements[$0] }
    find(&search, from: search.index.map { $0 + step } ?? start(direction), unlike: shown)
  }

  private func find(_ search: inout Search, from index: Int, unlike shown: String? = nil) {
    let found = history.index(
      of: hooks.composed(search.query), from: index, search.direction, unlike: shown)
    search.isFound = found != nil || search.query.isEmpty
    if let found { search.index = found }
  }

  /// Ends the search with any other key: takes what was found, and then performs the key unless it
  /// is Escape.
  private func take(_ search: Search, then key: Key) {
    if let index = search.index { show(walk.jump(to: index, from: text.text)) }
    if key != .escape { putBack = key }
  }

  private func draw(_ search: Search) {
    let shown = search.index.map { history.statements[$0] } ?? text.text
    let query = Sentences.searchPrompt(query: search.query, found: search.isFound)
    screen.draw(
      FrameLayout.frame(
        EditText(Array(shown), cursor: 0),
        prompt: Prompt(query, continuation: prompt.continuation, style: prompt.style),
        columns: screen.size.columns, rows: screen.size.rows,
        highlight: highlight(of: shown, for: hooks.composed(search.query)),
        width: hooks.displayWidth, visible: hooks.visible))
  }

  /// Returns the colors of a statement, with the found part marked.
  private func highlight(of statement: String, for query: String) -> [StyledSpan] {
    let spans = hooks.highlight(statement, -1)
    let isExact = query.contains(where: \.isUppercase)
    let searched = isExact ? statement : statement.lowercased()
    guard !query.isEmpty, searched.utf8.count == statement.utf8.count,
      let range = searched.firstRange(of: query)
    else { return spans }
    let start = searched.utf8.distance(from: searched.startIndex, to: range.lowerBound)
    let match = StyledSpan(start..<start + query.utf8.count, style: hooks.styles.match)
    let others = spans.flatMap { $0.parts(outside: match.range) }
    return (others + [match]).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension StyledSpan {
  /// Returns the parts of a span before and after a range.
  func parts(outside range: Range<Int>) -> [StyledSpan] {
    let (start, end) = (self.range.lowerBound, self.range.upperBound)
    let parts = [(start, min(end, range.lowerBound)), (max(start, range.upperBound), end)]
    return parts.filter { $0.0 < $0.1 }.map { StyledSpan($0.0..<$0.1, style: style) }
  }
}
