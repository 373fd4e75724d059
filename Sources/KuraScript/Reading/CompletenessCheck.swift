import KuraPredicates
import KuraValues

/// Determines whether Enter would run a text that grows line by line.
///
///     let check = CompletenessCheck()
///     check.isComplete("fetch MemoDate where cost > 1 AND")                   // false
///     check.isComplete("fetch MemoDate where cost > 1 AND\n  notifiable")     // reads one line
///
/// The result is that of `Completeness`. In a long text, it continues at the previous end, and
/// reads the statement again only if its last line could end it or the text has doubled. The work
/// is therefore linear in the text, but an error in such a text may be found some lines later.
package final class CompletenessCheck {
  private var reader = StatementReader()
  private var known: [UInt8] = []
  /// The length up to which texts are read completely.
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

  /// Feeds the new part, or the complete text if it begins differently.
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
        return !reader.mustContinue && isWhole
      }
    }
  }

  /// Whether the text would be complete if it ended here.
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
  /// Whether the last statement cannot end here: a bracket is open, or an operator or comma needs
  /// an operand.
  fileprivate var mustContinue: Bool {
    mutating get { open?.mustContinue(bytes, to: known) ?? false }
  }
}
