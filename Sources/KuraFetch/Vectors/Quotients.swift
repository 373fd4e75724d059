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
  fileprivate private(set) var origin: Origin

  indirect enum Origin: Sendable {
    case division
    /// The mean of related objects; 0 for an empty collection.
    case mean
    /// An operation, one of whose operands is a quotient. The reference evaluator rounds both results.
    case operation(ArithmeticOperation, any VectorNode, any VectorNode)
  }

  /// Returns nil unless a quotient of the operands is a decimal.
  init?(_ dividend: any VectorNode, _ divisor: any VectorNode, _ origin: Origin = .division) {
    guard [dividend.kind, divisor.kind].contains(where: \.hasDecimals),
      dividend.kind.isExactNumber, divisor.kind.isExactNumber
    else { return nil }
    (self.dividend, self.divisor, self.origin) = (dividend, divisor, origin)
  }

  var reasonForFallback: String { localized("the digits of a quotient need not end") }

  /// Returns the quotient of the nodes that a closure returns for its operands.
  func mapping(_ body: (any VectorNode) -> any VectorNode) -> QuotientNode {
    var result = self
    (result.dividend, result.divisor) = (body(dividend), body(divisor))
    if case .operation(let operation, let left, let right) = origin {
      let operands = [left, right].map { ($0 as? QuotientNode)?.mapping(body) ?? body($0) }
      result.origin = .operation(operation, operands[0], operands[1])
    }
    return result
  }

  fileprivate var isComposed: Bool { if case .operation = origin { true } else { false } }
  fileprivate var isMean: Bool { if case .mean = origin { true } else { false } }

  var kind: VectorKind { .decimal }
  var cost: Double { dividend.cost + divisor.cost + 4 }
  var neverFallsBack: Bool { false }
  var parts: [any VectorNode] { [dividend, divisor] }

  func vector(_ rows: ChunkRows) -> Vector { .unknown(kind, rows.count) }
}

extension QuotientNode {
  /// An operation on a quotient as another quotient; returns nil for other operands.
  init?(_ operation: ArithmeticNode.Operation, _ left: any VectorNode, _ right: any VectorNode) {
    func product(_ a: (any VectorNode)?, _ b: (any VectorNode)?) -> (any VectorNode)? {
      guard let a, let b else { return a ?? b }
      return ArithmeticNode(.multiply, a, b)
    }
    let (a, b) = (left as? QuotientNode, right as? QuotientNode)
    var (above, below): ((any VectorNode)?, (any VectorNode)?)
    let exact: ArithmeticOperation
    switch (operation, a, b) {
    case (_, nil, nil): return nil
    case (.multiply, _, _):
      exact = .multiply
      above = product(a?.dividend ?? left, b?.dividend ?? right)
      below = product(a?.divisor, b?.divisor)
    case (.divide, _, _):
      exact = .divide
      above = product(a?.dividend ?? left, b?.divisor)
      below = product(a?.divisor, b?.dividend ?? right)
    case (.add, let a?, nil), (.subtract, let a?, nil):
      exact = operation == .add ? .add : .subtract
      above = product(right, a.divisor).flatMap { ArithmeticNode(operation, a.dividend, $0) }
      below = a.divisor
    case (.add, nil, let b?), (.subtract, nil, let b?):
      exact = operation == .add ? .add : .subtract
      above = product(left, b.divisor).flatMap { ArithmeticNode(operation, $0, b.dividend) }
      below = b.divisor
    default: return nil
    }
    guard let above, let below else { return nil }
    self.init(above, below, .operation(exact, left, right))
  }
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
    let exact = LazyValue { QuotientValues(self, rows) }
    // A quotient of integers is an integer, and a mean without values is 0.
    let integral = a.integral.union(b.integral)
    var passing = Bitmap(count: rows.count)
    var open = Bitmap(count: rows.count)
    rows.candidates.eachRow { row in
      let isExact = integral?.has(row) != true
      if isExact, let order = products.order(row), order != .same || !isComposed {
        if relation.holds(order) { passing.insert(row) }
      } else if let order = exact.value.order(row, other) {
        if relation.holds(order) { passing.insert(row) }
      } else {
        open.insert(row)
      }
    }
    let quotient = Vector(.integers(.all(0)), nulls: a.nulls.union(b.nulls))
    return KernelAnswer(
      passing: passing.judging(quotient, other, relation),
      fallback: a.fallback.union(b.fallback).union(other.fallback)
        .union(open.subtracting(quotient.nulls)))
  }
}

/// The quotients of a chunk's rows, computed by the operations of the reference evaluator.
private struct QuotientValues: Sendable {
  private let origin: QuotientNode.Origin
  private let left: Operand
  private let right: Operand

  fileprivate indirect enum Operand: Sendable {
    case quotient(QuotientValues)
    case vector(Vector, VectorKind, isConstant: Bool)
  }

  init(_ node: QuotientNode, _ rows: ChunkRows) {
    origin = node.origin
    let (left, right) =
      if case .operation(_, let left, let right) = origin {
        (left, right)
      } else {
        (node.dividend, node.divisor)
      }
    (self.left, self.right) = (Operand(left, rows), Operand(right, rows))
  }
}

extension QuotientValues.Operand {
  fileprivate init(_ node: any VectorNode, _ rows: ChunkRows) {
    if let quotient = node as? QuotientNode {
      self = .quotient(QuotientValues(quotient, rows))
    } else {
      self = .vector(node.vector(rows), node.kind, isConstant: node is ConstantNode)
    }
  }

  /// Returns a row's value; nil if it is left to the reference evaluator.
  fileprivate func value(_ row: Int) -> Value? {
    switch self {
    case .quotient(let quotient): quotient.value(row)
    case .vector(let vector, let kind, _): vector.exactValue(row, kind)
    }
  }

  /// Whether it is a decimal constant, perhaps a literal, which is a decimal only next to decimals.
  fileprivate var isLiteral: Bool {
    if case .vector(_, .decimal, isConstant: true) = self { true } else { false }
  }
}

extension Vector {
  /// Returns a row's integer or decimal; nil if it is left to the reference evaluator.
  fileprivate func exactValue(_ row: Int, _ kind: VectorKind) -> Value? {
    if nulls?.has(row) == true { return .null }
    guard fallback?.has(row) != true, let places else { return nil }
    let value = ScaledDecimal(integer(row), places: places).value
    switch kind {
    case .integer: return .integer(integers[row])
    case .decimal: return value
    case .exact:
      guard let integral else { return nil }
      return integral.has(row) ? (try? value.wholeNumber()).map(Value.integer) : value
    default: return nil
    }
  }
}

extension QuotientValues {
  /// Returns a row's quotient; nil if it is left to the reference evaluator.
  func value(_ row: Int) -> Value? {
    guard let a = left.value(row), let b = right.value(row) else { return nil }
    if case .mean = origin, !b.isNull {
      guard case .integer(let count) = b else { return nil }
      return try? Statistics.average(sum: a, count: Int(count))
    }
    if a.isNull || b.isNull { return .null }
    if left.isLiteral && b.kind != .decimal || right.isLiteral && a.kind != .decimal { return nil }
    if case .operation(let operation, _, _) = origin { return try? Value.compute(operation, a, b) }
    return try? Value.compute(.divide, a, b)
  }

  /// Returns the order of a row's quotient and another number; nil if it is left to the reference evaluator.
  func order(_ row: Int, _ other: Vector) -> ValueOrder? {
    guard let value = value(row), let places = other.places else { return nil }
    let number = other.integer(row)
    // The sign of a literal does not depend on its digits.
    if value.approximateNumber == 0 { return ValueOrder(0, number) }
    guard case .decimal = value else { return nil }
    return try? Value.order(value, ScaledDecimal(number, places: places).value)
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

extension BoundRequest {
  /// Returns an expression's quotients for some rows; nil for other expressions, and if the reference evaluator must
  /// compute a row.
  func quotients(_ tree: ExpressionTree, _ rows: [UInt32]) -> [Value]? {
    guard let node = vectorNode(tree) as? QuotientNode else { return nil }
    let bitmaps = table.bitmaps(of: rows)
    guard isWorthwhile(node, bitmaps) else { return nil }
    node.prepare()
    let table = table
    let chunks = Workers.map(count: bitmaps.count, inParallel: bitmaps.count > 2) { number in
      bitmaps[number].isEmpty
        ? nil
        : QuotientValues(
          node, ChunkRows(table: table, number: number, candidates: bitmaps[number]))
    }
    let length = 4096
    let pieces = Workers.map(count: (rows.count + length - 1) / length, inParallel: true) { piece in
      rows[piece * length..<min(rows.count, (piece + 1) * length)].map { row in
        chunks[Int(row) >> ColumnChunk.shift]?.value(Int(row) & ColumnChunk.mask)
      }
    }
    return Array(pieces.joined()).unwrapped()
  }
}

// The order of quotients
extension BoundRequest {
  /// Returns two columns whose pairs have the order of an expression's quotients: the nearest double, and its
  /// difference from the quotient. Nil for other expressions, and if a row is left to the reference evaluator.
  func orderOfQuotients(_ tree: ExpressionTree, _ rows: [Bitmap]) -> [Column]? {
    guard let node = vectorNode(tree) as? QuotientNode, !node.isComposed, isWorthwhile(node, rows)
    else { return nil }
    let table = table
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
    let open = rows.subtracting(nulls)
    // A quotient of integers is an integer. A sum of decimals is an integer, 0, only without values.
    if let integral = above.integral.union(below.integral), !isMean,
      !integral.intersection(open).isEmpty
    {
      return nil
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
