import Foundation
import KuraGraph
import KuraPredicates
import KuraValues

/// `priority * 9000`, `cost / 2`, `a & 4`: an operation on two numbers per row.
struct ArithmeticNode: VectorNode {
  let operation: Operation
  let left: any VectorNode
  let right: any VectorNode
  /// The factor of a quotient of decimals, and its additional places.
  private let quotient: ExactQuotient?

  enum Operation: Sendable {
    case add, subtract, multiply, divide, remainder, power
    case and, or, exclusiveOr, leftShift, rightShift

    var isOfBits: Bool {
      switch self {
      case .and, .or, .exclusiveOr, .leftShift, .rightShift: true
      case .add, .subtract, .multiply, .divide, .remainder, .power: false
      }
    }
  }

  /// Returns nil if the operands are not numbers of its kinds.
  init?(_ operation: Operation, _ left: any VectorNode, _ right: any VectorNode) {
    guard left.kind.isNumber, right.kind.isNumber else { return nil }
    let quotient = operation == .divide ? ExactQuotient(left, right) : nil
    guard quotient != nil || ArithmeticNode.fits(operation, [left.kind, right.kind]) else {
      return nil
    }
    let isReal = left.kind.isReal || right.kind.isReal
    if operation.isOfBits, isReal { return nil }
    // These operations give different results for an integer and an equal double.
    if [left.kind, right.kind].contains(.mixed), [.divide, .remainder].contains(operation) {
      return nil
    }
    (self.operation, self.left, self.right, self.quotient) = (operation, left, right, quotient)
  }

  /// Returns whether the operands can be computed: decimals exactly, or all as doubles if one is a double.
  private static func fits(_ operation: Operation, _ kinds: [VectorKind]) -> Bool {
    guard kinds.contains(where: \.hasDecimals) else { return true }
    if kinds.contains(.mixed) { return false }
    return kinds.contains(.double) || [.add, .subtract, .multiply].contains(operation)
  }

  var parts: [any VectorNode] { [left, right] }

  var kind: VectorKind {
    if left.kind == .mixed || right.kind == .mixed { return .mixed }
    if left.kind.hasDecimals || right.kind.hasDecimals, left.kind != .double, right.kind != .double
    {
      return left.kind == .decimal || right.kind == .decimal ? .decimal : .exact
    }
    return operation == .power || left.kind.isReal || right.kind.isReal ? .double : .integer
  }

  var cost: Double {
    let own: Double =
      switch operation {
      case .power: 20
      case .divide, .remainder: 4
      default: 1
      }
    return left.cost + right.cost + own
  }

  var neverFallsBack: Bool { operation.isOfBits && left.neverFallsBack && right.neverFallsBack }

  func vector(_ rows: ChunkRows) -> Vector {
    if kind.hasDecimals { return decimals(rows) }
    var (a, b) = (left.vector(rows).reals(rows.count), right.vector(rows).reals(rows.count))
    if kind == .mixed {
      a = a.like(kind, from: left.kind, rows.count)
      b = b.like(kind, from: right.kind, rows.count)
    }
    if kind == .integer {
      let (lane, odd) = integers(
        a.integers, b.integers, rows.count, fits: bounds(rows) != nil)
      let vector = Vector(.integers(lane), of: [a, b])
      return odd.map(vector.leaving) ?? vector
    }
    let result = doubles(a, b)
    var vector = Vector(.doubles(result), of: [a, b])
    if kind == .mixed { vector.integral = together(a.integral, b.integral) }
    // A sum of integers in a mixed vector must be an integer, which a large double may not be.
    let limit = kind == .mixed ? 0x1p53 : .greatestFiniteMagnitude
    var odd = result.rows(rows.count) { !($0.magnitude <= limit) }
    // A division by zero fails, regardless of the result.
    if operation == .remainder || operation == .divide {
      odd.formUnion(b.doubles.rows(rows.count) { $0 == 0 })
    }
    return vector.leaving(odd)
  }

  private func decimals(_ rows: ChunkRows) -> Vector {
    let count = rows.count
    if let quotient { return quotient.vector(left.vector(rows), rows) }
    var (a, b) = (left.vector(rows), right.vector(rows))
    if operation != .multiply { (a, b) = Vector.aligned((a, count), (b, count)) }
    let places = (a.places ?? 0) + (operation == .multiply ? b.places ?? 0 : 0)
    guard places <= Int128.mostPlaces else { return .unknown(kind, count) }
    var result = Vector(.integers(.all(0)), of: [a, b])
    if kind == .exact {
      result.integral = together(
        a.like(kind, from: left.kind, count).integral,
        b.like(kind, from: right.kind, count).integral)
    }
    if !a.isLong, !b.isLong, places <= Int64.mostPlaces {
      let (lane, odd) = integers(a.integers, b.integers, count, fits: false)
      result.values = .decimals(lane, places: places)
      guard let odd, result.hasValue(in: odd) else { return result }
    }
    let (lane, odd) = integers(a.longIntegers, b.longIntegers, count, fits: false)
    result.values = .longDecimals(lane, places: places)
    return (odd.map(result.leaving) ?? result).leavingLong(count)
  }

  /// Returns the rows in which both operands, and thus the result, are integers.
  private func together(_ integral: Bitmap?, _ others: Bitmap?) -> Bitmap? {
    guard let integral, let others else { return nil }
    return integral.intersection(others)
  }

  /// Converts integers to doubles in the loop, without a vector of their own.
  private func doubles(_ a: Vector, _ b: Vector) -> Lane<Double> {
    switch (a.values, b.values) {
    case (.integers(let a), .doubles(let b)): doubles(a, b, { Double($0) }, { $0 })
    case (.doubles(let a), .integers(let b)): doubles(a, b, { $0 }, { Double($0) })
    default: doubles(a.doubles, b.doubles, { $0 }, { $0 })
    }
  }

  @inline(__always)
  private func doubles<A: BitwiseCopyable, B: BitwiseCopyable>(
    _ a: Lane<A>, _ b: Lane<B>, _ first: (A) -> Double, _ second: (B) -> Double
  ) -> Lane<Double> {
    switch operation {
    case .add: a.zip(b) { first($0) + second($1) }
    case .subtract: a.zip(b) { first($0) - second($1) }
    case .multiply: a.zip(b) { first($0) * second($1) }
    case .divide: a.zip(b) { first($0) / second($1) }
    case .remainder: a.zip(b) { fmod(first($0), second($1)) }
    case .power: a.zip(b) { pow(first($0), second($1)) }
    case .and, .or, .exclusiveOr, .leftShift, .rightShift: .all(.nan)
    }
  }

  /// Returns the results, and the rows in which they do not fit or the operation fails. `fits`: all results fit.
  private func integers<Number: DecimalInteger>(
    _ a: Lane<Number>, _ b: Lane<Number>, _ count: Int, fits: Bool
  ) -> (Lane<Number>, Bitmap?) {
    @inline(__always)
    func odd(_ test: (Number, Number) -> Bool) -> Bitmap? {
      fits ? nil : a.rows(count, with: b, where: test)
    }
    return switch operation {
    case .add: (a.zip(b) { $0 &+ $1 }, odd { $0.addingReportingOverflow($1).overflow })
    case .subtract: (a.zip(b) { $0 &- $1 }, odd { $0.subtractingReportingOverflow($1).overflow })
    case .multiply: (a.zip(b) { $0 &* $1 }, odd { $0.multipliedReportingOverflow(by: $1).overflow })
    case .divide:
      (
        a.zip(b) { $1 == 0 || $1 == -1 ? 0 &- $0 : $0 / $1 },
        odd { $1 == 0 || $1 == -1 && $0 == .min }
      )
    case .remainder: (a.zip(b) { $1 == 0 || $1 == -1 ? 0 : $0 % $1 }, odd { $1 == 0 })
    case .and: (a.zip(b) { $0 & $1 }, nil)
    case .or: (a.zip(b) { $0 | $1 }, nil)
    case .exclusiveOr: (a.zip(b) { $0 ^ $1 }, nil)
    case .leftShift: (a.zip(b) { $0 << $1 }, nil)
    case .rightShift: (a.zip(b) { $0 >> $1 }, nil)
    case .power: (.all(0), Bitmap(count: count, filledWith: true))
    }
  }
}

/// A division of decimals by a constant with finite quotients: `total / 100`, `price / 1.25`.
private struct ExactQuotient: Sendable {
  let factor: Int64
  let places: Int

  /// Returns nil for other operands, and for divisors such as 3.
  init?(_ left: any VectorNode, _ right: any VectorNode) {
    guard let constant = right as? ConstantNode, left.kind == .decimal,
      right.kind == .integer || right.kind == .decimal
    else { return nil }
    let places = constant.vector.places ?? 0
    guard case .all(let number) = constant.vector.integers, constant.vector.nulls == nil,
      number != 0, number != .min
    else { return nil }
    var (twos, fives, rest) = (0, 0, number.magnitude)
    while rest % 2 == 0 { (rest, twos) = (rest / 2, twos + 1) }
    while rest % 5 == 0 { (rest, fives) = (rest / 5, fives + 1) }
    let gained = max(twos, fives)
    guard rest == 1, gained <= Int64.mostPlaces, places <= Int64.mostPlaces else {
      return nil
    }
    // The places of the divisor cancel places of the quotient.
    let cancelled = min(places, gained)
    let (factor, overflow) = (Int64.power(gained) / number)
      .multipliedReportingOverflow(by: Int64.power(places - cancelled))
    guard !overflow else { return nil }
    (self.factor, self.places) = (factor, gained - cancelled)
  }

  func vector(_ vector: Vector, _ rows: ChunkRows) -> Vector {
    guard let own = vector.places, own + places <= Int128.mostPlaces else {
      return .unknown(.decimal, rows.count)
    }
    return vector.multiplied(by: Int128(factor), places: own + places, rows.count)
  }
}

extension ArithmeticNode {
  /// With a constant on one side, arithmetic is monotone.
  var trend: Trend? {
    if let left = left.trend, let number = right.number {
      switch operation {
      case .add, .subtract: return left
      case .multiply, .divide: return left.reversed(number < 0)
      default: return nil
      }
    }
    guard let right = right.trend, let number = left.number else { return nil }
    switch operation {
    case .add: return right
    case .subtract: return right.reversed()
    case .multiply: return right.reversed(number < 0)
    default: return nil
    }
  }

  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    guard kind == .integer, [.add, .subtract, .multiply].contains(operation),
      let a = left.bounds(rows), let b = right.bounds(rows)
    else { return nil }
    let ends = [
      result(a.lowerBound, b.lowerBound), result(a.lowerBound, b.upperBound),
      result(a.upperBound, b.lowerBound), result(a.upperBound, b.upperBound),
    ].compactMap(\.self)
    guard ends.count == 4, let low = ends.min(), let high = ends.max() else { return nil }
    return low...high
  }

  private func result(_ a: Int64, _ b: Int64) -> Int64? {
    let (result, overflow) =
      switch operation {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      default: a.multipliedReportingOverflow(by: b)
      }
    return overflow ? nil : result
  }
}

extension VectorNode {
  /// Its number, if it is a finite constant.
  fileprivate var number: Double? {
    guard let constant = self as? ConstantNode, kind.isNumber, !kind.hasDecimals,
      case .all(let number) = constant.vector.doubles, number.isFinite
    else { return nil }
    return number
  }
}
