import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Ranges of a column for which an expression satisfies a comparison
extension FilterCompiler {
  /// Compiles `sqrt(cost) > 100`, `abs(cost - 5) < 2`, `year(date) == 2011` as ranges of the column; returns nil for
  /// other comparisons, or if a value of the column might make it fail.
  mutating func monotoneLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard let literal = comparison.right.literal, table.count >= Self.leastRows,
      scope.list == nil, comparison.left.isOfOneKey, let node = plainVector(comparison.left, scope),
      let ranges = literal.ranges(comparison.operation, of: node.kind)
    else { return nil }
    var (expression, wanted) = (node, ranges)
    if let number = node as? NumberNode, number.function == .abs {
      (expression, wanted) = (number.inner, ranges.flatMap(\.ofBothSigns))
    }
    guard let monotone = MonotoneExpression(expression),
      let bounds = monotone.bounds(of: table.columns[monotone.trend.column])
    else { return nil }
    var found: [ClosedRange<UInt64>] = []
    for range in wanted {
      guard let values = monotone.values(of: bounds, between: range) else { return nil }
      if let values { found.append(values) }
    }
    let (column, isNegated) = (monotone.trend.column, comparison.operation == .notEqual)
    let key = table.layout.columns[column].key
    let kernel: any ChunkKernel =
      monotone.isOfDates
      ? IntegerRangeKernel(
        column: column, key: key,
        ranges: found.map { Int64(orderedWord: $0.lowerBound)...Int64(orderedWord: $0.upperBound) },
        isNegated: isNegated)
      : DoubleRangeKernel(
        column: column, key: key,
        ranges: found.map {
          Double(orderedBits: $0.lowerBound)...Double(orderedBits: $0.upperBound)
        }, isNegated: isNegated)
    return self.node(predicate, .kernel(kernel))
  }

  /// For fewer rows, computing all is faster than trying values.
  private static let leastRows = 1 << 13
}

extension ExpressionTree {
  /// Whether it is computed from one key and literals, without a condition.
  fileprivate var isOfOneKey: Bool {
    guard case .function = kind, first(where: \.hasCondition) == nil else { return false }
    let paths = TreeNode.expression(self).ownPaths
    return paths?.count == 1 && paths?[0].onlyKey != nil
  }

  private var hasCondition: Bool {
    switch kind {
    case .ternary, .predicate: true
    default: false
    }
  }
}

extension Value {
  /// Returns the numbers that satisfy a comparison with this literal, as ranges of doubles; nil if a bound is not a
  /// double.
  fileprivate func ranges(
    _ operation: ComparisonOperator, of kind: VectorKind
  ) -> [ClosedRange<Double>]? {
    switch kind {
    case .double: return doubleRanges(operation)
    case .integer, .date:
      guard (elements ?? [self]).allSatisfy({ $0.isDate == (kind == .date) }),
        let ranges = integerRanges(operation), ranges.count <= 4
      else { return nil }
      return ranges.mapAll(\.asDoubles)
    case .boolean, .text, .uuid, .uri, .binary, .decimal, .exact, .mixed: return nil
    }
  }

  private var isDate: Bool { if case .date = self { true } else { false } }
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
  /// The bounds of its doubles or dates, as words with their order; nil if one is NaN, and for a column of nulls.
  fileprivate func bounds(ofDates: Bool) -> ClosedRange<UInt64>? {
    let bounds = Workers.map(
      count: chunks.count, inParallel: chunks.count > 8 && !chunks[0].isBounded
    ) { chunks[$0].words(ofDates: ofDates) }
    // A chunk without dates has no bounds.
    guard ofDates || bounds.unwrapped() != nil else { return nil }
    let known = bounds.compactMap(\.self)
    guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max() else {
      return nil
    }
    return low...high
  }
}

extension ColumnChunk {
  fileprivate func words(ofDates: Bool) -> ClosedRange<UInt64>? {
    if ofDates {
      return integerBounds.map { $0.lowerBound.orderedWord...$0.upperBound.orderedWord }
    }
    return doubleBounds.map { $0.lowerBound.orderedBits...$0.upperBound.orderedBits }
  }
}

/// A monotone expression of one column: `sqrt(cost)`, `100 - cost / 12`, `year(date)`, `timeBetween(date, now(), "day")`.
///
/// The values of the column for which it is in a range form a range too. The ends of that range are found by trying
/// values. No arithmetic is inverted, so rounding is the expression's own. Values of the column are words with their
/// order.
struct MonotoneExpression: Sendable {
  let trend: Trend
  private let node: any VectorNode

  var isOfDates: Bool { trend.time != nil }

  /// Returns nil for other expressions.
  init?(_ node: any VectorNode) {
    guard let trend = node.trend else { return nil }
    (self.node, self.trend) = (node, trend)
  }
}

extension MonotoneExpression {
  /// Returns the bounds of the column's values; nil if unknown, or if the clocks may change between them.
  func bounds(of column: Column) -> ClosedRange<UInt64>? {
    guard let bounds = column.bounds(ofDates: isOfDates) else { return nil }
    guard let time = trend.time else { return bounds }
    let moments =
      [
        Int64(orderedWord: bounds.lowerBound), Int64(orderedWord: bounds.upperBound),
      ] + [time.moment].compactMap(\.self)
    let stretch = time.zone.stretch(at: moments[0])
    let isConstant = moments.allSatisfy {
      let (early, isTooEarly) = $0.subtractingReportingOverflow(time.margin)
      let (late, isTooLate) = $0.addingReportingOverflow(time.margin)
      return !isTooEarly && !isTooLate && early >= stretch.from && late < stretch.until
    }
    return isConstant ? bounds : nil
  }

  /// Returns the values within bounds of the column for which the expression is between two numbers; nil if it has no
  /// value at a bound, `.some(nil)` if no value matches.
  ///
  /// Tries a few hundred values.
  func values(
    of words: ClosedRange<UInt64>, between range: ClosedRange<Double>
  ) -> ClosedRange<UInt64>?? {
    guard tried([words.lowerBound, words.upperBound]).fallback == nil else { return nil }
    let (low, high, isUp) = (range.lowerBound, range.upperBound, trend.isUp)
    let first = first(in: words) { isUp ? $0 >= low : $0 <= high }
    let after = self.first(in: words) { isUp ? $0 > high : $0 < low }
    return .some(first < after ? first...after - 1 : nil)
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

  private static let tries: UInt64 = 32

  /// Returns the expression's values for some values of the column.
  private func tried(_ words: [UInt64]) -> Vector {
    let chunk = ColumnChunk(
      isOfDates
        ? .integers(words.map { Int64(orderedWord: $0) })
        : .doubles(words.map { Double(orderedBits: $0) }))
    let columns = (0...trend.column).map {
      Column(.attribute(isOfDates ? .date : .double), chunks: $0 == trend.column ? [chunk] : [])
    }
    let table = Table(
      layout: TableLayout(root: "", entities: [], columns: [], slots: []), columns: columns)
    let all = Bitmap(count: words.count, filledWith: true)
    return node.vector(ChunkRows(table: table, number: 0, candidates: all))
  }
}

extension Double {
  /// Creates the number that has these `orderedBits`.
  init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}

extension Int64 {
  /// Creates the number that has this `orderedWord`.
  init(orderedWord word: UInt64) { self.init(bitPattern: word ^ (1 << 63)) }
}
