import CLibEdit

/// The lines of a file or a pipe.
///
/// A last line needs no line break; one that is not UTF-8 is an error, never a changed text.
package final class StreamReader: LineReading {
  private var input: ByteInput
  private var line = 0

  /// Reads the lines of an open file.
  package init(_ file: Int32) { input = ByteInput(file) }

  package func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent {
    var bytes: [UInt8] = []
    while true {
      if let end = input.waiting.firstIndex(of: UInt8(ascii: "\n")) {
        bytes += input.take(end - input.waiting.startIndex)
        _ = input.next()
        return try text(bytes)
      }
      bytes += input.take(input.waiting.count)
      switch input.fill() {
      case .some, .interrupted: continue
      case .end: return bytes.isEmpty ? .end : try text(bytes)
      case .failed(let code): throw .unreadable(code: code)
      }
    }
  }

  package func readAnswer(to question: String) throws(LineInputError) -> LineEvent {
    try readLine(Prompt(""))
  }

  private func text(_ bytes: [UInt8]) throws(LineInputError) -> LineEvent {
    line += 1
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(line: line) }
    return .text(text)
  }
}

/// A terminal that cannot move its cursor: the system edits the line, prompts are written.
package final class PlainTerminal: LineReading {
  private let file: Int32
  private let output: Int32
  private var input: ByteInput
  private var line = 0

  /// Reads from one terminal and prompts on another.
  package init(input: Int32, output: Int32) {
    file = input
    self.output = output
    self.input = ByteInput(input)
    Interrupt.catchUntilReleased()
  }

  deinit { Interrupt.release() }

  package func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent {
    Interrupt.take()
    System.write(prompt.first.utf8, to: output)
    return try read()
  }

  package func readAnswer(to question: String) throws(LineInputError) -> LineEvent {
    try readLine(Prompt(question))
  }

  private func read() throws(LineInputError) -> LineEvent {
    while true {
      if let end = input.waiting.firstIndex(of: UInt8(ascii: "\n")) {
        return try text(input.take(end + 1 - input.waiting.startIndex).dropLast())
      }
      if let event = try fill() { return event }
    }
  }

  /// Nil: there is more now.
  private func fill() throws(LineInputError) -> LineEvent? {
    guard clibedit_wait(file) != CLIBEDIT_SIGNAL else {
      _ = clibedit_take(CLIBEDIT_QUIT)
      return Ending.isAsked ? .end : interrupted()
    }
    switch input.fill() {
    case .some, .interrupted: return nil
    case .end: return try end()
    case .failed(let code): throw .unreadable(code: code)
    }
  }

  private func interrupted() -> LineEvent? {
    guard Interrupt.take() else { return nil }
    input.removeAll()
    System.write("\n".utf8, to: output)
    return .interrupted
  }

  /// Control-D behind some text hands the text over, at the prompt it leaves.
  private func end() throws(LineInputError) -> LineEvent {
    guard input.waiting.isEmpty else { return try text(input.take(input.waiting.count)) }
    System.write("\n".utf8, to: output)
    return .end
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(LineInputError) -> LineEvent {
    line += 1
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(line: line) }
    return .text(text)
  }
}
