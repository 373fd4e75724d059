import KuraPredicates
import KuraValues

/// Says of a text that grows line by line whether Enter would run it.
///
///     let check = CompletenessCheck()
///     check.isComplete("fetch MemoDate where cost > 1 AND")                   // false
///     check.isComplete("fetch MemoDate where cost > 1 AND\n  notifiable")     // looks at one line
///
/// It answers as `Completeness` does. Of a long text it remembers how far it came, and reads the
/// statement again only where its last line could end it or the text has doubled: an error in such a
/// text may show some lines later. The work is linear in the text then.
package final class CompletenessCheck {
  private var reader = StatementReader()
  private var known: [UInt8] = []
  /// Shorter texts are read whole.
  private let longText: Int

  package init(longText: Int = 4096) { self.longText = longText }

  package func isComplete(_ text: String) -> Bool {
    guard text.utf8.count >= longText else {
      forget()
      if case .incomplete = Completeness(text) { return false }
      return true
    }
    take(text)
    return isComplete
  }

  private func forget() {
    reader = StatementReader()
    known = []
  }

  /// Feeds what is new, or all of it where the text has another beginning.
  private func take(_ text: String) {
    var lines: [UInt8] = []
    lines.reserveCapacity(text.utf8.count + 1)
    lines.append(contentsOf: text.utf8)
    lines.append(.newline)
    if !lines.begin(with: known) { forget() }
    reader.feed(lines[known.count...])
    known = lines
  }

  private var isComplete: Bool {
    while true {
      switch reader.next() {
      case .statement: continue
      case .failure:
        forget()
        return true
      case .needsMore, .end:
        return !reader.mustGoOn && isWhole
      }
    }
  }

  /// Whether what is there would be whole if nothing more came.
  private var isWhole: Bool {
    var ended = reader
    ended.finish()
    if case .incomplete = Completeness(&ended) { return false }
    return true
  }
}

extension [UInt8] {
  fileprivate func begin(with known: [UInt8]) -> Bool {
    withUnsafeBufferPointer { all in
      known.withUnsafeBufferPointer { $0.isEmpty || Bytes.begins(all, $0) }
    }
  }
}

extension StatementReader {
  /// Whether the last statement cannot end with what is there: a bracket is open, or an operator or a
  /// comma wants something.
  fileprivate var mustGoOn: Bool {
    mutating get { open?.mustGoOn(bytes, to: known) ?? false }
  }
}
