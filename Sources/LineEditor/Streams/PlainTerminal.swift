import CLibEdit

/// A terminal that cannot move its cursor: the system edits the line, and prompts are written.
package final class PlainTerminal: LineReading {
  private let file: Int32
  /// The terminal, opened for this reader. Control-C discards a line that has arrived but was not read, and reading the
  /// given file would then wait, although the signal has come before.
  private let own: System.File?
  private let output: Int32
  private let hooks: EditorHooks
  private var input: ByteInput
  private var line = 0
  /// Whether the input ended while another line was searched.
  private var isOver = false

  /// Reads from one terminal and prompts on another. Of the hooks it uses `goesOn` for pasted lines
  /// and `composed`.
  package init(input: Int32, output: Int32, hooks: EditorHooks = EditorHooks()) {
    let again = System.openAgain(input)
    file = again ?? input
    own = again.map { System.File(descriptor: $0) }
    self.output = output
    self.hooks = hooks
    self.input = ByteInput(file)
    Interrupt.catchUntilReleased()
  }

  deinit { Interrupt.release() }

  package func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent {
    let event = try readAnswer(to: prompt.first)
    guard case .text(var text) = event else { return event }
    while let next = waitingLine(), hooks.continues(text, next) {
      guard case .text(let more) = try read() else { break }
      text += "\n" + more
    }
    return .text(text)
  }

  package func readAnswer(to question: String) throws(LineInputError) -> LineEvent {
    Interrupt.take()
    System.write(question.utf8, to: output)
    return try read()
  }

  private func read() throws(LineInputError) -> LineEvent {
    while true {
      if let length = lengthOfLine { return try text(input.take(length + 1).dropLast()) }
      if let event = try fill() { return event }
    }
  }

  private var lengthOfLine: Int? {
    input.waiting.firstIndex(of: UInt8(ascii: "\n")).map { $0 - input.waiting.startIndex }
  }

  /// Returns the line that came together with the one before; nil if there is none.
  private func waitingLine() -> String? {
    if input.waiting.isEmpty, clibedit_has_input(file, 15) { isOver = input.fill() == .end }
    return lengthOfLine.map { String(decoding: input.waiting.prefix($0), as: UTF8.self) }
  }
}

extension PlainTerminal {
  /// Reads more input; returns nil if there is some.
  private func fill() throws(LineInputError) -> LineEvent? {
    if isOver { return try end() }
    guard clibedit_wait(file) != CLIBEDIT_SIGNAL else {
      _ = clibedit_take(CLIBEDIT_QUIT)
      return Ending.isAsked ? .end : interrupted()
    }
    switch input.fill() {
    case .some, .interrupted: return nil
    case .end: return try end()
    case .failed(System.noInput): return nil
    case .failed(let code): throw .unreadable(code: code)
    }
  }

  private func interrupted() -> LineEvent? {
    guard Interrupt.take() else { return nil }
    input.removeAll()
    System.write("\n".utf8, to: output)
    return .interrupted
  }

  /// Ends the input at Control-D: text before it is returned first.
  private func end() throws(LineInputError) -> LineEvent {
    isOver = false
    guard input.waiting.isEmpty else { return try text(input.take(input.waiting.count)) }
    System.write("\n".utf8, to: output)
    return .end
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(LineInputError) -> LineEvent {
    line += 1
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(line: line) }
    return .text(hooks.composed(text))
  }
}
