package import KuraDiagnostics

// What stands from the statement on that was read last, for who reads it otherwise.
extension StatementReader {
  /// The text from the line on in which the last statement began, as far as it is there and not
  /// longer than so many bytes.
  package func rest(atMost length: Int) -> SourceText {
    let end = min(bytes.count, origin.lineStart + length)
    let rest = bytes[min(origin.lineStart, end)..<end]
    return SourceText(bytes: Array(rest), name: name, firstLine: origin.line)
  }

  /// Where in that text the statement begins.
  package var restStart: Int { origin.position - origin.lineStart }

  /// Goes on behind a place of that text, which somebody has read.
  package mutating func pass(to place: Int) {
    let end = min(bytes.count, origin.lineStart + place)
    guard end > position else { return }
    broken = nil
    open = nil
    advance(to: end)
  }
}
