import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A statement that others may be like but for their texts and numbers.
protocol RepeatableStatement: Sendable {
  /// What is the same in each of their lines, of which this one's is given; nil where each is to be read.
  func pattern(of line: [UInt8]) -> LinePattern?
  /// The one of the line at a place that has this pattern, and where the line ends; nil where there is none.
  func repeated(
    _ pattern: LinePattern, at start: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (tree: any StatementTree, end: Int)?
}

/// A statement on a line of its own that was read, for lines that are the same but for their texts and
/// numbers: what changes single objects comes by the thousand.
///
///     insert MemoDate title = "父の誕生日", date = "1935-06-11"
///     insert MemoDate title = "母の誕生日", date = "1939-10-16"
struct RepeatedLine: Sendable {
  let tree: any RepeatableStatement
  fileprivate let pattern: LinePattern

  /// Of a statement that begins a line and is all of it; nil of any other than these, and where something
  /// is given that is no constant.
  init?(_ tree: any StatementTree, _ line: ArraySlice<UInt8>) {
    guard let tree = tree as? any RepeatableStatement, let pattern = tree.pattern(of: Array(line))
    else { return nil }
    (self.tree, self.pattern) = (tree, pattern)
  }

  /// The statement of the line that begins at a place, if it is such a line and the next one, whose
  /// first byte is there, cannot go on with it; nil: it is to be read as any other.
  func statement(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Statement? {
    guard pattern.mayBegin(at: start, bytes) else { return nil }
    return tree.repeated(pattern, at: start, bytes).map {
      Statement($0.tree, span: SourceSpan(0, $0.end - start))
    }
  }
}

extension RepeatedLine {
  /// The values of the lines from a place on that are like this one, as far as `take` takes them; where they
  /// begin is put into `places`. Gives the end of the last; nil if there is none.
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

extension SourceSpan {
  func moved(by distance: Int) -> SourceSpan {
    SourceSpan(start + distance, end + distance)
  }
}

extension Range<Int> {
  func moved(by distance: Int) -> SourceSpan {
    SourceSpan(lowerBound + distance, upperBound + distance)
  }
}
