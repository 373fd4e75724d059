package import KuraDiagnostics
import KuraPredicates
package import KuraValues

// Lines that come again and again
extension StatementReader {
  /// The statement of a line that is as one that was read, but for its texts and numbers.
  mutating func readRepeated() -> Event? {
    guard let start = startOfRepeated else { return nil }
    let (known, kinds) = (known, repeated)
    let found = bytes.withUnsafeBufferPointer { all in
      let bytes = UnsafeBufferPointer(rebasing: all[..<known])
      return kinds.lazy.compactMap { $0.statement(at: start, bytes) }.first
    }
    guard let found else { return nil }
    advance(to: start)
    origin = (line, lineStart, position)
    endsWithContinuation = false
    let source = source(of: found.span)
    advance(to: start + found.span.end)
    return .statement(found, source: source)
  }

  /// Where a line may begin that is read so.
  private var startOfRepeated: Int? {
    guard !repeated.isEmpty, broken == nil, open == nil else { return nil }
    let start = position < known && bytes[position] == .newline ? position + 1 : position
    return (start == lineStart || start > position) && start < known ? start : nil
  }

  /// Goes over lines of `insert` that are one like the other as far as `take` takes them: it is told of
  /// the statement that they are like, and what its assignments give in the line. Nil if it took none.
  package mutating func takeRepeated(
    _ take: (InsertStatement, [Value]) -> Bool
  ) -> RepeatedLines? {
    guard let start = startOfRepeated else { return nil }
    let (known, kinds) = (known, repeated)
    var (places, end): ([Int], Int) = ([], start)
    bytes.withUnsafeBufferPointer { all in
      let bytes = UnsafeBufferPointer(rebasing: all[..<known])
      for kind in kinds where places.isEmpty {
        guard let model = kind.tree as? InsertStatement, case .assignments(let all) = model.values
        else { continue }
        end = kind.take(from: start, bytes, all, &places) { take(model, $0) } ?? end
      }
    }
    guard !places.isEmpty else { return nil }
    advance(to: start)
    let lines = RepeatedLines(
      text: SourceText(bytes: Array(bytes[start..<end]), name: name, firstLine: line),
      starts: places.map { Int32(truncatingIfNeeded: $0 - start) })
    advance(to: end)
    (origin, endsWithContinuation) = ((line, lineStart, lineStart), false)
    return lines
  }

  /// Keeps a statement that was read, and ended with its line, for others of its kind.
  mutating func noteRepeatable(_ statement: Statement) {
    guard statement.warnings.isEmpty, statement.span.start == 0,
      origin.position == origin.lineStart,
      position < known, bytes[position] == .newline, origin.lineStart == lineStart,
      let one = RepeatedLine(statement.tree, bytes[lineStart..<position])
    else { return }
    if repeated.count >= Self.mostRepeated { repeated.removeLast() }
    repeated.insert(one, at: 0)
  }

  /// More kinds of lines one behind the other are rare.
  private static var mostRepeated: Int { 4 }
}

/// Lines that were taken together.
package struct RepeatedLines: Sendable {
  /// All of them.
  package let text: SourceText
  /// Where each begins in it.
  let starts: [Int32]

  /// One of them alone.
  package func line(_ place: Int) -> SourceText {
    let end = place + 1 < starts.count ? Int(starts[place + 1]) - 1 : text.bytes.count
    return SourceText(
      bytes: Array(text.bytes[Int(starts[place])..<end]), name: text.name,
      firstLine: text.firstLine + place)
  }
}
