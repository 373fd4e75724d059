import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Which values of a column make an expression stand so to a number
extension FilterCompiler {
  /// `sqrt(cost) > 100`, `abs(cost - 5) < 2` as ranges of the column; nil where it is no such question, or
  /// where a value of the column might make it fail; `node`: the left side worked out.
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

  /// Of fewer rows trying values takes longer than working all of them out.
  private static let leastRows = 1 << 15
}

extension Value {
  /// The numbers that stand so to this literal, as doubles; nil where a double would not be one of them.
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
  /// The same range of doubles, among which all integers of an expression are: nil for ends that are none.
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
  /// The numbers of which the absolute value lies in it.
  fileprivate var ofBothSigns: [ClosedRange<Double>] {
    if upperBound < 0 { return [] }
    if lowerBound <= 0 { return [-upperBound...upperBound] }
    return [-upperBound ... -lowerBound, self]
  }
}

extension Column {
  /// Between which doubles its values lie; nil where one is no number, and where there are none.
  fileprivate var doubleBounds: ClosedRange<Double>? {
    let bounds = Workers.map(
      count: chunks.count, inParallel: chunks.count > 8 && !chunks[0].isBounded
    ) { chunks[$0].doubleBounds }
    let known = bounds.compactMap(\.self)
    guard known.count == chunks.count, let low = known.map(\.lowerBound).min(),
      let high = known.map(\.upperBound).max()
    else { return nil }
    return low...high
  }
}

/// An expression of one column of doubles that never goes down where the column goes up, or never goes up:
/// `sqrt(cost)`, `100 - cost / 12`, `round(cost) * 2`.
///
/// Which of the column's values make it lie in a range is a range too, whose ends are found by trying values:
/// no rule of arithmetic is turned round, so that rounding is the expression's own.
struct MonotoneExpression: Sendable {
  let column: Int
  private let node: any VectorNode
  private let isUp: Bool

  /// Nil for other expressions.
  init?(_ node: any VectorNode) {
    guard let trend = node.trend else { return nil }
    (self.node, column, isUp) = (node, trend.column, trend.isUp)
  }
}

extension MonotoneExpression {
  /// The values within bounds of the column that make it lie between two numbers: nil where it has no
  /// value at one of the bounds, and `.some(nil)` where none of them does.
  ///
  /// Some thousand values are tried.
  func values(
    of bounds: ClosedRange<Double>, between range: ClosedRange<Double>
  ) -> ClosedRange<Double>?? {
    let words = bounds.lowerBound.orderedBits...bounds.upperBound.orderedBits
    guard tried([words.lowerBound, words.upperBound]).unsure == nil else { return nil }
    let (low, high) = (range.lowerBound, range.upperBound)
    let first = first(in: words) { isUp ? $0 >= low : $0 <= high }
    let behind = self.first(in: words) { isUp ? $0 > high : $0 < low }
    guard first < behind else { return .some(nil) }
    return .some(Double(orderedBits: first)...Double(orderedBits: behind - 1))
  }

  /// The first word from which on a test holds; the one behind all where it does nowhere.
  private func first(in words: ClosedRange<UInt64>, where test: (Double) -> Bool) -> UInt64 {
    var (low, count) = (words.lowerBound, words.upperBound - words.lowerBound + 1)
    while count > 0 {
      let step = max(1, count / Self.tries)
      let tries = (0..<min(Self.tries, count)).map { low + $0 * step }
      let values = tried(tries).doubles.spread(tries.count)
      let failed = UInt64(values.firstIndex(where: test) ?? values.count)
      if failed == 0 { return low }
      // It holds somewhere behind the last that failed.
      let last = low + (failed - 1) * step
      let end = failed < values.count ? low + failed * step : low + count
      (low, count) = (last + 1, end - last - 1)
    }
    return low
  }

  private static let tries: UInt64 = 256

  /// What the expression is worth for some values of the column.
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
  /// The number whose `orderedBits` these are.
  fileprivate init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}
