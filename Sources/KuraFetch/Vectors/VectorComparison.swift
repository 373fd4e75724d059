import KuraGraph
import KuraPredicates
import KuraValues

/// A comparison of two vectors, equal to the reference evaluator's.
struct VectorComparison: Sendable {
  let left: any VectorNode
  let right: any VectorNode
  private let operation: ComparisonOperator
  let relation: Relation

  enum Relation: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// Whether the relation holds between two rows without a value.
    var holdsForNulls: Bool {
      switch self {
      case .equal, .lessOrEqual, .greaterOrEqual: true
      case .notEqual, .less, .greater: false
      }
    }
  }

  init?(_ left: any VectorNode, _ operation: ComparisonOperator, _ right: any VectorNode) {
    guard left.kind.isComparable(to: right.kind), let relation = Relation(operation) else {
      return nil
    }
    (self.left, self.operation, self.right, self.relation) = (left, operation, right, relation)
  }
}

extension VectorKind {
  /// Returns whether values of the two kinds have an order: numbers do, and dates.
  fileprivate func isComparable(to other: VectorKind) -> Bool {
    self == .date ? other == .date : isNumber && other.isNumber
  }
}

extension VectorComparison.Relation {
  init?(_ operation: ComparisonOperator) {
    switch operation {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .matches, .like, .beginsWith, .endsWith, .contains, .in, .between, .selector,
      .unsupported:
      return nil
    }
  }
}

extension VectorComparison {
  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let count = rows.count
    if let quotient = left as? QuotientNode {
      return quotient.compared(relation, to: right.vector(rows), rows)
    }
    if let quotient = right as? QuotientNode {
      return quotient.compared(turned.relation, to: left.vector(rows), rows)
    }
    let (a, b) = Vector.aligned(
      (left.vector(rows), count), (right.vector(rows), count), forOrder: true)
    let passing = (quick(a, b, rows) ?? passing(a, b, rows.count)).judging(a, b, relation)
    return KernelAnswer(passing: passing, fallback: a.fallback.union(b.fallback))
  }

  private func passing(_ a: Vector, _ b: Vector, _ count: Int) -> Bitmap {
    switch (a.values, b.values) {
    case (.integers(let x), .integers(let y)): of(x, y, count)
    case (.decimals(let x, _), .decimals(let y, _)): of(x, y, count)
    case (.longDecimals(let x, _), .longDecimals(let y, _)): of(x, y, count)
    case (.doubles(let x), .doubles(let y)): of(x, y, count)
    case (.integers(let x), .doubles(let y)): of(x, y, count)
    case (.doubles(let x), .integers(let y)): turned.of(y, x, count)
    // Decimals are aligned before; texts are compared elsewhere.
    case (.decimals, _), (_, .decimals), (.longDecimals, _), (_, .longDecimals), (.texts, _),
      (_, .texts):
      Bitmap(count: count)
    }
  }

  /// Compares integers with doubles if all integers are exact as doubles.
  private func quick(_ a: Vector, _ b: Vector, _ rows: ChunkRows) -> Bitmap? {
    switch (a.values, b.values) {
    case (.integers(let x), .doubles(let y)):
      guard left.bounds(rows)?.areExactDoubles == true else { return nil }
      return ofIntegers(x, y, rows.count)
    case (.doubles(let x), .integers(let y)):
      guard right.bounds(rows)?.areExactDoubles == true else { return nil }
      return turned.ofIntegers(y, x, rows.count)
    default: return nil
    }
  }

  /// Compares numbers that are in one of three orders, which `equal`, `less` and `greater` tell.
  @inline(__always)
  private func rows<A, B>(
    _ a: Lane<A>, _ b: Lane<B>, _ count: Int, equal: (A, B) -> Bool, less: (A, B) -> Bool,
    greater: (A, B) -> Bool
  ) -> Bitmap {
    switch relation {
    case .equal: a.rows(count, with: b, where: equal)
    case .notEqual: a.rows(count, with: b) { !equal($0, $1) }
    case .less: a.rows(count, with: b, where: less)
    case .lessOrEqual: a.rows(count, with: b) { !greater($0, $1) }
    case .greater: a.rows(count, with: b, where: greater)
    case .greaterOrEqual: a.rows(count, with: b) { !less($0, $1) }
    }
  }

  private func of<Number: DecimalInteger>(
    _ a: Lane<Number>, _ b: Lane<Number>, _ count: Int
  ) -> Bitmap {
    rows(a, b, count, equal: ==, less: <, greater: >)
  }

  /// Compares integers with doubles: the left side is always a number; NaN on the right precedes it.
  private func ofIntegers(_ a: Lane<Int64>, _ b: Lane<Double>, _ count: Int) -> Bitmap {
    rows(a.map { Double($0) }, b, count, equal: ==, less: <) { !($0 <= $1) }
  }

  /// Compares doubles: NaN equals itself, and precedes all numbers.
  private func of(_ a: Lane<Double>, _ b: Lane<Double>, _ count: Int) -> Bitmap {
    if case .all(let number) = b, !number.isNaN {
      return rows(a, b, count, equal: ==, less: { !($0 >= $1) }, greater: >)
    }
    return rows(a, b, count) {
      $0 == $1 || $0 != $0 && $1 != $1
    } less: {
      !($0 >= $1 || $1 != $1)
    } greater: {
      !($0 <= $1 || $0 != $0)
    }
  }

  private func of(_ a: Lane<Int64>, _ b: Lane<Double>, _ count: Int) -> Bitmap {
    if a.rows(count, where: { $0.magnitude > 1 << 53 }).isEmpty {
      return of(a.map { Double($0) }, b, count)
    }
    return rows(a, b, count) {
      order($0, $1) == 0
    } less: {
      order($0, $1) < 0
    } greater: {
      order($0, $1) > 0
    }
  }

  /// Compares exactly; an integer that is not exact as a double is slower.
  @inline(__always)
  private func order(_ a: Int64, _ b: Double) -> Int {
    guard a.magnitude <= 1 << 53 else { return exactOrder(a, b) }
    let x = Double(a)
    return x < b ? -1 : x == b ? 0 : 1
  }

  @inline(never)
  private func exactOrder(_ a: Int64, _ b: Double) -> Int {
    ((try? Value.order(.integer(a), .double(b))) ?? .same).rawValue
  }

  private var turned: VectorComparison {
    operation.mirrored.flatMap { VectorComparison(left, $0, right) } ?? self
  }
}
