import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// `(price - cost) / price`, `lines.@avg.price`: a quotient of decimals, whose digits may not end.
///
/// It has no vector of its own, so other operators leave all rows to the reference evaluator. Comparisons multiply
/// instead of dividing.
struct QuotientNode: VectorNode {
  private(set) var dividend: any VectorNode
  private(set) var divisor: any VectorNode
  /// Whether the quotient is the result of an operation on another one. The reference evaluator rounds both results.
  var isComposed = false
  /// Whether it is the mean of related objects, which is 0 if there are none.
  fileprivate private(set) var isMean = false

  /// Returns nil unless a quotient of the operands is a decimal.
  init?(_ dividend: any VectorNode, _ divisor: any VectorNode) {
    guard [dividend.kind, divisor.kind].contains(where: \.hasDecimals),
      dividend.kind.isExactNumber, divisor.kind.isExactNumber
    else { return nil }
    (self.dividend, self.divisor) = (dividend, divisor)
  }

  /// A mean; returns nil unless the sum has decimals.
  init?(sum: any VectorNode, count: any VectorNode) {
    self.init(sum, count)
    isMean = true
  }

  var reasonForFallback: String { localized("the digits of a quotient need not end") }

  /// Returns the quotient of the nodes that a closure returns for its operands.
  func mapping(_ body: (any VectorNode) -> any VectorNode) -> QuotientNode {
    var result = self
    (result.dividend, result.divisor) = (body(dividend), body(divisor))
    return result
  }

  var kind: VectorKind { .decimal }
  var cost: Double { dividend.cost + divisor.cost + 4 }
  var neverFallsBack: Bool { false }
  var parts: [any VectorNode] { [dividend, divisor] }

  func vector(_ rows: ChunkRows) -> Vector { .unknown(kind, rows.count) }
}

extension VectorKind {
  fileprivate var isExactNumber: Bool { self == .integer || self == .decimal || self == .exact }
}

extension QuotientNode {
  /// Returns the rows in which the quotient has a relation to other numbers.
  func compared(
    _ relation: VectorComparison.Relation, to other: Vector, _ rows: ChunkRows
  ) -> KernelAnswer {
    let (a, b) = (dividend.vector(rows), divisor.vector(rows))
    guard let above = a.places, let below = b.places, let places = other.places,
      max(above, below + places) <= Int128.mostPlaces
    else { return .undecided(rows.count) }
    let products = QuotientProducts(
      a, b, other, left: .power(below + places), right: .power(above))
    var passing = Bitmap(count: rows.count)
    var open = Bitmap(count: rows.count)
    rows.candidates.eachRow { row in
      guard let order = products.order(row), order != .same || !isComposed else {
        return open.insert(row)
      }
      if relation.holds(order) { passing.insert(row) }
    }
    // A quotient of integers is an integer.
    for operand in [a, b] { if let integral = operand.integral { open.formUnion(integral) } }
    let quotient = Vector(.integers(.all(0)), nulls: a.nulls.union(b.nulls))
    if let nulls = quotient.nulls { open.subtract(nulls) }
    return KernelAnswer(
      passing: passing.judging(quotient, other, relation),
      fallback: a.fallback.union(b.fallback).union(other.fallback).union(open))
  }
}

/// The order of quotients and other numbers, by multiplication.
///
/// The reference evaluator rounds a quotient to 38 digits. Here the products have fewer digits, so a quotient that
/// differs from a number differs in a digit that rounding does not change.
private struct QuotientProducts {
  private let (dividend, divisor, number): (Vector, Vector, Vector)
  /// The factors of the dividends, and of the other products.
  private let (left, right): (Int128, Int128)
  /// The products without the divisor as doubles, and the divisors.
  private let (dividends, numbers, divisors): (Lane<Double>, Lane<Double>, Lane<Double>)

  init(_ dividend: Vector, _ divisor: Vector, _ number: Vector, left: Int128, right: Int128) {
    (self.dividend, self.divisor, self.number) = (dividend, divisor, number)
    (self.left, self.right) = (left, right)
    dividends = dividend.products(Double(left))
    (numbers, divisors) = (number.products(Double(right)), divisor.products(1))
  }

  /// Returns nil if the divisor is zero, or if a product is too large.
  @inline(__always)
  func order(_ row: Int) -> ValueOrder? {
    let divisor = divisors[row]
    let (a, b) = (dividends[row], numbers[row] * divisor)
    // Doubles decide unless the products are nearly equal.
    let (distance, size) = ((a - b).magnitude, a.magnitude + b.magnitude)
    guard divisor != 0, distance > size * 1e-14 else { return exactOrder(row) }
    return (a < b) == (divisor > 0) ? .before : .after
  }

  @inline(never)
  private func exactOrder(_ row: Int) -> ValueOrder? {
    let limit = Int128.power(35).magnitude
    let divisor = divisor.integer(row)
    let a = dividend.integer(row).multipliedReportingOverflow(by: left)
    let product = number.integer(row).multipliedReportingOverflow(by: divisor)
    let b = product.partialValue.multipliedReportingOverflow(by: right)
    let (x, y) = (a.partialValue, b.partialValue)
    guard divisor != 0, !a.overflow, !product.overflow, !b.overflow, x.magnitude < limit,
      y.magnitude < limit
    else { return nil }
    return divisor > 0 ? ValueOrder(x, y) : ValueOrder(y, x)
  }

}

extension Vector {
  fileprivate func products(_ factor: Double) -> Lane<Double> {
    if case .longDecimals(let lane, _) = values { return lane.map { Double($0) * factor } }
    return integers.map { Double($0) * factor }
  }

  fileprivate func integer(_ row: Int) -> Int128 {
    if case .longDecimals(let lane, _) = values { lane[row] } else { Int128(integers[row]) }
  }
}

extension VectorComparison.Relation {
  func holds(_ order: ValueOrder) -> Bool {
    switch self {
    case .equal: order == .same
    case .notEqual: order != .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }
}

extension QuotientNode {
  /// Returns a row's quotient; nil if the reference evaluator must compute it.
  fileprivate func value(_ dividend: Value, _ divisor: Value) -> Value? {
    if divisor.isNull { return .null }
    if isMean {
      guard case .integer(let count) = divisor else { return nil }
      return try? Statistics.average(sum: dividend, count: Int(count))
    }
    if dividend.isNull { return .null }
    return try? Value.compute(.divide, dividend, divisor)
  }
}

extension BoundRequest {
  /// Returns an expression's quotients for some rows; nil for other expressions, and if the reference evaluator must
  /// compute a row.
  func quotients(_ tree: ExpressionTree, _ rows: [UInt32]) -> [Value]? {
    guard let node = vectorNode(tree) as? QuotientNode, !node.isComposed else { return nil }
    let bitmaps = bitmaps(of: rows)
    guard isWorthwhile(node, bitmaps),
      let dividends = numbers(node.dividend, bitmaps, rows, isMean: node.isMean),
      let divisors = numbers(node.divisor, bitmaps, rows, isMean: node.isMean)
    else { return nil }
    let length = 4096
    let pieces = Workers.map(count: (rows.count + length - 1) / length, inParallel: true) { piece in
      (piece * length..<min(rows.count, (piece + 1) * length)).compactMap {
        node.value(dividends[$0], divisors[$0])
      }
    }
    let values = Array(pieces.joined())
    return values.count == rows.count ? values : nil
  }

  private func numbers(
    _ node: any VectorNode, _ bitmaps: [Bitmap], _ rows: [UInt32], isMean: Bool
  ) -> [Value]? {
    if node.kind == .exact {
      // In the sum of a mean, the only integer is the 0 of a sum without values.
      guard isMean, let columns = mixedColumns(node, bitmaps) else { return nil }
      let (integers, others) = (columns[0].column.values(rows), columns[1].column.values(rows))
      return zip(integers, others).map { $0.isNull ? $1 : 0 }
    }
    guard let type = node.kind.attributeType(false) else { return nil }
    let table = snapshot.graph.tables[place.table]
    return node.column(of: type, table, bitmaps)?.values(rows)
  }
}

// The order of quotients
extension BoundRequest {
  /// Returns two columns whose pairs have the order of an expression's quotients: the nearest double, and its
  /// difference from the quotient. Nil for other expressions, and if a row is left to the reference evaluator.
  func orderOfQuotients(_ tree: ExpressionTree, _ rows: [Bitmap]) -> [Column]? {
    guard let node = vectorNode(tree) as? QuotientNode, !node.isComposed, isWorthwhile(node, rows)
    else { return nil }
    let table = snapshot.graph.tables[place.table]
    guard let dividends = node.dividend.known(table, rows).flatMap({ AlignedVectors($0, rows) }),
      let divisors = node.divisor.known(table, rows).flatMap({ AlignedVectors($0, rows) })
    else { return nil }
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      node.order(dividends.vectors[number], divisors.vectors[number], rows[number])
    }
    return chunks.unwrapped().map { chunks in
      [0, 1].map { part in Column(.attribute(.double), chunks: chunks.map { $0[part] }) }
    }
  }
}

extension QuotientNode {
  /// Two different quotients of smaller integers differ by more than a pair of doubles rounds.
  private static let mostExact: Int64 = 1 << 53

  /// Returns a chunk of each column; nil if the reference evaluator must compute a row.
  fileprivate func order(_ above: Vector, _ below: Vector, _ rows: Bitmap) -> [ColumnChunk]? {
    let nulls = above.nulls.union(below.nulls)
    var open = rows
    if let nulls { open.subtract(nulls) }
    // A quotient of integers is an integer. A sum of decimals is an integer, 0, only without values.
    if var integral = above.integral.union(below.integral), !isMean {
      integral.formIntersection(open)
      guard integral.isEmpty else { return nil }
    }
    let (dividends, divisors) = (
      above.integers.spread(rows.count), below.integers.spread(rows.count)
    )
    var nearest = [Double](repeating: 0, count: rows.count)
    var missing = nearest
    var isExact = true
    open.eachRow { row in
      let (dividend, divisor) = (dividends[row], divisors[row])
      if divisor == 0, isMean { return }
      guard divisor != 0, dividend.magnitude < Self.mostExact, divisor.magnitude < Self.mostExact
      else { return isExact = false }
      let (a, b) = (Double(dividend), Double(divisor))
      nearest[row] = a / b
      missing[row] = a.addingProduct(-nearest[row], b) / b
    }
    guard isExact else { return nil }
    return [nearest, missing].map { ColumnChunk(.doubles($0), nulls: nulls) }
  }
}
