import Foundation
import KuraGraph
import KuraValues

/// `abs(cost)`, `floor(cost)`, `sqrt(area)`: a function of one number per row.
struct NumberNode: VectorNode {
  let function: Function
  let inner: any VectorNode

  enum Function: Sendable {
    case abs, ceiling, floor, trunc, round, sqrt, log, ln, exp, negate, complement

    /// Whether it has a loop for decimals.
    var takesDecimals: Bool { self != .complement }
  }

  init?(_ function: Function, _ inner: any VectorNode) {
    guard inner.kind.isNumber, inner.kind != .mixed,
      function != .complement || !inner.kind.isReal,
      !inner.kind.hasDecimals || function.takesDecimals
    else { return nil }
    (self.function, self.inner) = (function, inner)
  }

  var parts: [any VectorNode] { [inner] }

  var kind: VectorKind {
    switch function {
    case .sqrt, .log, .ln, .exp: .double
    case .ceiling, .floor, .trunc, .round: inner.kind.hasDecimals ? inner.kind : .integer
    case .complement: .integer
    case .abs, .negate: inner.kind == .boolean ? .integer : inner.kind
    }
  }

  var cost: Double {
    switch function {
    case .log, .ln, .exp: inner.cost + 10
    default: inner.cost + 2
    }
  }

  var neverFallsBack: Bool { function == .complement && inner.neverFallsBack }

  var trend: Trend? {
    switch function {
    case .sqrt, .ceiling, .floor, .trunc, .round: inner.trend
    case .negate: inner.trend?.reversed()
    // Logarithms and powers of e may be off in the last digit, and thus not be monotone.
    case .abs, .log, .ln, .exp, .complement: nil
    }
  }

  var magnitudeOf: (any VectorNode)? { function == .abs ? inner : nil }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    switch function {
    case .sqrt: return real(vector, rows) { $0.squareRoot() }
    case .log: return real(vector, rows) { log10($0) }
    case .ln: return real(vector, rows) { Foundation.log($0) }
    case .exp: return real(vector, rows) { Foundation.exp($0) }
    case .ceiling: return whole(vector, rows, .up)
    case .floor: return whole(vector, rows, .down)
    case .trunc: return whole(vector, rows, .towardZero)
    case .round: return whole(vector, rows, .toNearestOrAwayFromZero)
    case .abs: return turned(vector, rows) { $0 < 0 }
    case .negate: return turned(vector, rows) { _ in true }
    case .complement:
      return Vector(
        .integers(vector.integers.map { ~$0 }), nulls: vector.nulls, fallback: vector.fallback)
    }
  }

  @inline(__always)
  private func real(
    _ vector: Vector, _ rows: ChunkRows, _ function: (Double) -> Double
  ) -> Vector {
    let vector = vector.reals(rows.count)
    let result = vector.doubles.map(function)
    return Vector(.doubles(result), nulls: vector.nulls, fallback: vector.fallback)
      .leaving(result.rows(rows.count) { !$0.isFinite })
  }

  /// Rounds doubles to integers, and decimals to decimals without places; doubles that do not fit into 64 bits are left
  /// to the reference evaluator.
  private func whole(
    _ vector: Vector, _ rows: ChunkRows, _ rule: FloatingPointRoundingRule
  ) -> Vector {
    var result = vector
    switch vector.values {
    case .decimals(let lane, let places):
      result.values = .decimals(whole(lane, .power(places), rule), places: 0)
    case .longDecimals(let lane, let places):
      result.values = .longDecimals(whole(lane, .power(places), rule), places: 0)
    case .integers, .doubles, .texts: break
    }
    guard case .doubles(let lane) = vector.values else { return result }
    if lane.rows(rows.count, where: { !($0.magnitude < 0x1p51) }).isEmpty {
      return Vector(
        .integers(lane.rounded(rule)), nulls: vector.nulls, fallback: vector.fallback)
    }
    let integers: Lane<Int64>
    switch rule {
    case .down: integers = lane.map { $0.whole { $1 > $0 ? -1 : 0 } }
    case .up: integers = lane.map { $0.whole { $1 < $0 ? 1 : 0 } }
    case .towardZero: integers = lane.map { $0.whole { _, _ in 0 } }
    default:
      integers = lane.map { $0.whole { $0 - $1 >= 0.5 ? 1 : $0 - $1 <= -0.5 ? -1 : 0 } }
    }
    return Vector(.integers(integers), nulls: vector.nulls, fallback: vector.fallback)
      .leaving(lane.rows(rows.count) { !$0.fits })
  }

  /// Returns quotients without fraction.
  private func whole<Number: DecimalInteger>(
    _ lane: Lane<Number>, _ unit: Number, _ rule: FloatingPointRoundingRule
  ) -> Lane<Number> {
    switch rule {
    case .down: lane.map { $0 / unit &- ($0 % unit < 0 ? 1 : 0) }
    case .up: lane.map { $0 / unit &+ ($0 % unit > 0 ? 1 : 0) }
    case .towardZero: lane.map { $0 / unit }
    default: lane.map { $0.roundedQuotient(unit) }
    }
  }

  /// Negates the numbers that pass a test.
  private func turned(
    _ vector: Vector, _ rows: ChunkRows, _ test: (Double) -> Bool
  ) -> Vector {
    var result = vector
    switch vector.values {
    case .doubles(let lane):
      result.values = .doubles(lane.map { test($0) ? 0 - $0 : $0 })
      return result.leaving(lane.rows(rows.count) { !$0.isFinite })
    case .integers(let lane):
      result.values = .integers(lane.map { test(Double($0)) ? 0 &- $0 : $0 })
      return result.leaving(lane.rows(rows.count) { $0 == .min })
    case .decimals(let lane, let places):
      result.values = .decimals(lane.map { test(Double($0)) ? 0 &- $0 : $0 }, places: places)
      return result.leaving(lane.rows(rows.count) { $0 == .min })
    case .longDecimals(let lane, let places):
      result.values = .longDecimals(
        lane.map { test(Double($0)) ? 0 &- $0 : $0 }, places: places)
      return result.leavingLong(rows.count)
    case .texts: return vector
    }
  }
}

extension Double {
  /// Whether the integers below and above fit into 64 bits.
  fileprivate var fits: Bool { self > -0x1p63 && self < 0x1p63 - 1024 }

  /// Returns the number without its fraction, plus a correction.
  @inline(__always)
  fileprivate func whole(_ more: (_ number: Double, _ whole: Double) -> Int64) -> Int64 {
    guard fits else { return 0 }
    let whole = Int64(self)
    return whole &+ more(self, Double(whole))
  }
}

// Rounds doubles below 2^51 with additions only, which vectorize.
extension Lane<Double> {
  func rounded(_ rule: FloatingPointRoundingRule) -> Lane<Int64> {
    switch rule {
    case .down: map { $0.wholeBelow.smallInteger }
    case .up: map { $0.wholeAbove.smallInteger }
    case .towardZero: map { $0.wholeTowardZero.smallInteger }
    default: map { $0.nearestWhole.smallInteger }
    }
  }
}

extension Double {
  /// Above this number, doubles have no fraction: a sum with it is rounded.
  private static var large: Double { 0x1.8p52 }

  @inline(__always)
  private var nearOne: Double { (self + Self.large) - Self.large }

  @inline(__always)
  fileprivate var wholeBelow: Double {
    let near = nearOne
    return near > self ? near - 1 : near
  }

  @inline(__always)
  fileprivate var wholeAbove: Double {
    let near = nearOne
    return near < self ? near + 1 : near
  }

  @inline(__always)
  fileprivate var wholeTowardZero: Double { self < 0 ? wholeAbove : wholeBelow }

  /// Rounds halves away from zero: adds the greatest number below a half, so that no smaller fraction reaches the next
  /// integer.
  @inline(__always)
  fileprivate var nearestWhole: Double {
    let raised = magnitude + 0.5.nextDown
    let near = (raised + Self.large) - Self.large
    let whole = near > raised ? near - 1 : near
    return self < 0 ? -whole : whole
  }

  /// The whole number as an integer.
  @inline(__always)
  fileprivate var smallInteger: Int64 {
    Int64(bitPattern: (self + Self.large).bitPattern)
      &- Int64(bitPattern: Self.large.bitPattern)
  }
}

/// `round(cost, 2)`: numbers with some decimal places.
struct RoundNode: VectorNode {
  private let inner: any VectorNode
  private let places: Int

  /// Returns nil for kinds and places that only the reference evaluator computes.
  init?(_ inner: any VectorNode, places: Value?) {
    guard case .integer(let places)? = places, case let places = Int(clamping: places),
      Value.decimalPlaces.contains(places)
    else { return nil }
    switch inner.kind {
    case .double, .decimal: break
    case .integer, .exact: if places < 0 { return nil }
    case .boolean, .mixed, .date, .text, .uuid, .uri, .binary: return nil
    }
    (self.inner, self.places) = (inner, places)
  }

  var parts: [any VectorNode] { [inner] }
  var kind: VectorKind { inner.kind }
  var cost: Double { inner.cost + 4 }
  var trend: Trend? { inner.trend }

  func vector(_ rows: ChunkRows) -> Vector {
    var vector = inner.vector(rows)
    if case .doubles(let lane) = vector.values {
      vector.values = .doubles(lane.map { $0.rounded(toPlaces: places) })
    }
    guard let own = vector.places, own > places else { return vector }
    let fewer = own - places
    guard fewer <= Int128.mostPlaces else { return .unknown(kind, rows.count) }
    if vector.isLong || fewer > Int64.mostPlaces {
      let (lane, unit) = (vector.longIntegers, Int128.power(fewer))
      vector.values = .longDecimals(lane.map { $0.roundedQuotient(unit) }, places: places)
    } else {
      let (lane, unit) = (vector.integers, Int64.power(fewer))
      vector.values = .decimals(lane.map { $0.roundedQuotient(unit) }, places: places)
    }
    return places < 0 ? vector.multiplied(by: .power(-places), places: 0, rows.count) : vector
  }
}

extension DecimalInteger {
  /// Returns the quotient rounded to an integer, halves away from zero.
  @inline(__always)
  fileprivate func roundedQuotient(_ unit: Self) -> Self {
    let (quotient, rest) = quotientAndRemainder(dividingBy: unit)
    let distance = unit &- Self(truncatingIfNeeded: rest.magnitude)
    return rest.magnitude < distance.magnitude ? quotient : quotient &+ rest.signum()
  }
}
