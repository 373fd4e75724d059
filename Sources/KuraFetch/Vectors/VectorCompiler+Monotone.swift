import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Ranges of a column for which an expression satisfies a comparison
extension FilterCompiler {
  /// Compiles `sqrt(cost) > 100`, `abs(cost - 5) < 2` as ranges of the column; returns nil for other comparisons, or if
  /// a value of the column might make it fail. `node`: the compiled left side.
  mutating func monotoneLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ node: any VectorNode,
    _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard let literal = comparison.right.literal, table.count >= Self.leastRows,
      let ranges = literal.ranges(comparison.operation, of: node.kind)
    else { return nil }
    var (expression, wanted) = (node, ranges)
    if let inner = node.magnitudeOf {
      (expression, wanted) = (inner, ranges.flatMap(\.ofBothSigns))
    }
    guard let monotone = MonotoneExpression(expression),
      let bounds = table.columns[monotone.column].doubleBounds
    else { return nil }
    var found: [ClosedRange<Double>] = []
    for range in wanted {
      guard let values = monotone.values(of: bounds, between: range) else { return nil }
      if let values { found.append(values) }
    }
    let key = table.layout.columns[monotone.column].key
    return self.node(
      predicate, .kernel(rangeKernel(monotone.column, key, found, comparison.operation)))
  }

  /// For fewer rows, computing all is faster than trying values.
  private static let leastRows = 1 << 15
}

extension Value {
  /// Returns the numbers that satisfy a comparison with this literal, as ranges of doubles; nil if a bound is not a
  /// double.
  fileprivate func ranges(
    _ operation: ComparisonOperator, of kind: VectorKind
  ) -> [ClosedRange<Double>]? {
    switch kind {
    case .double: return doubleRanges(operation)
    case .integer:
      guard operation != .in, let ranges = integerRanges(operation) else { return nil }
      let exact = ranges.compactMap { $0.asDoubles }
      return exact.count == ranges.count ? exact : nil
    case .boolean, .date, .text, .uuid, .uri, .binary, .decimal, .exact, .mixed: return nil
    }
  }
}

extension ClosedRange<Int64> {
  /// The range as doubles, for expressions of integers; nil for bounds that are not exact.
  fileprivate var asDoubles: ClosedRange<Double>? {
    func end(_ number: Int64, _ open: Int64, _ all: Double) -> Double? {
      if number == open { return all }
      return number.magnitude < 1 << 52 ? Double(number) : nil
    }
    guard let low = end(lowerBound, .min, -.infinity), let high = end(upperBound, .max, .infinity)
    else { return nil }
    return low...high
  }
}

extension ClosedRange<Double> {
  /// The numbers with an absolute value in the range.
  fileprivate var ofBothSigns: [ClosedRange<Double>] {
    if upperBound < 0 { return [] }
    if lowerBound <= 0 { return [-upperBound...upperBound] }
    return [-upperBound ... -lowerBound, self]
  }
}

extension Column {
  /// The bounds of its doubles; nil if one is NaN, or if there are none.
  fileprivate var doubleBounds: ClosedRange<Double>? {
    let bounds = Workers.map(
      count: chunks.count, inParallel: chunks.count > 8 && !chunks[0].isBounded
    ) { chunks[$0].doubleBounds }
    guard let known = bounds.unwrapped(), let low = known.map(\.lowerBound).min(),
      let high = known.map(\.upperBound).max()
    else { return nil }
    return low...high
  }
}

/// A monotone expression of one column of doubles: `sqrt(cost)`, `100 - cost / 12`, `round(cost) * 2`.
///
/// The values of the column for which it is in a range form a range too. The ends of that range are found by trying
/// values. No arithmetic is inverted, so rounding is the expression's own.
struct MonotoneExpression: Sendable {
  let column: Int
  private let node: any VectorNode
  private let isUp: Bool

  /// Returns nil for other expressions.
  init?(_ node: any VectorNode) {
    guard let trend = node.trend else { return nil }
    (self.node, column, isUp) = (node, trend.column, trend.isUp)
  }
}

extension MonotoneExpression {
  /// Returns the values within bounds of the column for which the expression is between two numbers; nil if it has no
  /// value at a bound, `.some(nil)` if no value matches.
  ///
  /// Tries a few thousand values.
  func values(
    of bounds: ClosedRange<Double>, between range: ClosedRange<Double>
  ) -> ClosedRange<Double>?? {
    let words = bounds.lowerBound.orderedBits...bounds.upperBound.orderedBits
    guard tried([words.lowerBound, words.upperBound]).fallback == nil else { return nil }
    let (low, high) = (range.lowerBound, range.upperBound)
    let first = first(in: words) { isUp ? $0 >= low : $0 <= high }
    let after = self.first(in: words) { isUp ? $0 > high : $0 < low }
    guard first < after else { return .some(nil) }
    return .some(Double(orderedBits: first)...Double(orderedBits: after - 1))
  }

  /// Returns the first word for which a test holds, or the word after the last if it holds for none.
  private func first(in words: ClosedRange<UInt64>, where test: (Double) -> Bool) -> UInt64 {
    var (low, count) = (words.lowerBound, words.upperBound - words.lowerBound + 1)
    while count > 0 {
      let step = max(1, count / Self.tries)
      let tries = (0..<min(Self.tries, count)).map { low + $0 * step }
      let values = tried(tries).doubles.spread(tries.count)
      let failed = UInt64(values.firstIndex(where: test) ?? values.count)
      if failed == 0 { return low }
      // The first success is after the last failure.
      let last = low + (failed - 1) * step
      let end = failed < values.count ? low + failed * step : low + count
      (low, count) = (last + 1, end - last - 1)
    }
    return low
  }

  private static let tries: UInt64 = 256

  /// Returns the expression's values for some values of the column.
  private func tried(_ words: [UInt64]) -> Vector {
    let chunk = ColumnChunk(.doubles(words.map { Double(orderedBits: $0) }))
    let columns = (0...column).map {
      Column(.attribute(.double), chunks: $0 == column ? [chunk] : [])
    }
    let table = Table(
      layout: TableLayout(root: "", entities: [], columns: [], slots: []), columns: columns)
    let all = Bitmap(count: words.count, filledWith: true)
    return node.vector(ChunkRows(table: table, number: 0, candidates: all))
  }
}

extension Double {
  /// Creates the number that has these `orderedBits`.
  fileprivate init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}
