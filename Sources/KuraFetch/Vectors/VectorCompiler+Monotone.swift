import KuraBytes
import KuraGraph
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
    case .boolean, .date, .text, .decimal, .exact, .mixed: return nil
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
