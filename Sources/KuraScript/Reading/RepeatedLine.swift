import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A statement that many lines may repeat with other texts and numbers.
protocol RepeatableStatement: Sendable {
  /// Returns the common part of such lines, given the line of this statement; nil if each line must
  /// be parsed.
  func pattern(of line: [UInt8]) -> LinePattern?
  /// Returns the statement of a line that matches the pattern; nil if the line must be parsed.
  func repeated(_ match: LineMatch) -> (any StatementTree)?
}

/// A statement that was parsed from a complete line, for similar lines with other texts and
/// numbers: scripts change thousands of objects one by one.
///
///     insert MemoDate title = "父の誕生日", date = "1935-06-11"
///     insert MemoDate title = "母の誕生日", date = "1939-10-16"
struct RepeatedLine: Sendable {
  let tree: any RepeatableStatement
  fileprivate let pattern: LinePattern

  /// Creates the pattern of a statement that is a complete line; nil for other kinds of statements,
  /// and if a value is not a constant.
  init?(_ tree: any StatementTree, _ line: ArraySlice<UInt8>) {
    guard let tree = tree as? any RepeatableStatement, let pattern = tree.pattern(of: Array(line))
    else { return nil }
    (self.tree, self.pattern) = (tree, pattern)
  }

  /// Returns the statement of the line at a place, if it matches and the next line, whose first
  /// byte must be available, cannot continue it; otherwise nil.
  func statement(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Statement? {
    guard pattern.mayBegin(at: start, bytes), let match = pattern.match(at: start, bytes) else {
      return nil
    }
    return tree.repeated(match).map { Statement($0, span: SourceSpan(0, match.length)) }
  }
}

extension RepeatedLine {
  /// Passes the values of matching lines to `take` until it returns false, and adds their places to
  /// `places`. Returns the end of the last line; nil if there is none.
  func take(
    from start: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ assignments: [Assignment],
    _ places: inout [Int], _ take: ([Value]) -> Bool
  ) -> Int? {
    guard pattern.mayBegin(at: start, bytes) else { return nil }
    var values = assignments.map { $0.literal ?? .null }
    var (place, end): (Int, Int?) = (start, nil)
    while let lineEnd = pattern.scan(
      at: place, bytes, { literal, constant, _ in values[literal.place] = constant.value }),
      take(values)
    {
      places.append(place)
      (end, place) = (lineEnd, lineEnd + 1)
    }
    return end
  }
}
