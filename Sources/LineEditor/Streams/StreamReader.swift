/// Reads the lines of a file or a pipe.
///
/// The last line needs no line feed. A line that is not UTF-8 is an error; it is never changed.
package final class StreamReader: LineReading {
  private var input: ByteInput
  private var line = 0

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
