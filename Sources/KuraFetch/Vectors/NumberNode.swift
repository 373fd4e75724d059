import Foundation
import KuraGraph
import KuraValues

/// `abs(cost)`, `floor(cost)`, `sqrt(area)`: a function of one number per row.
struct NumberNode: VectorNode {
  let function: Function
  let inner: any VectorNode

  enum Function: Sendable {
    case abs, ceiling, floor, trunc, round, sqrt, log, ln, exp, negate, complement
  }

  init?(_ function: Function, _ inner: any VectorNode) {
    guard inner.kind.isNumber, inner.kind != .mixed,
      function != .complement || !inner.kind.isReal && !inner.kind.hasDecimals
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
      return Vector(.integers(vector.integers.map { ~$0 }), of: [vector])
    }
  }

  @inline(__always)
  private func real(
    _ vector: Vector, _ rows: ChunkRows, _ function: (Double) -> Double
  ) -> Vector {
    let vector = vector.reals(rows.count)
    let result = vector.doubles.map(function)
    return Vector(.doubles(result), of: [vector])
      .leaving(result.rows(rows.count) { !$0.isFinite })
  }

  /// Rounds doubles to integers, and decimals to decimals without places; doubles that do not fit into 64 bits are left
  /// to the reference evaluator.
  private func whole(
    _ vector: Vector, _ rows: ChunkRows, _ rule: FloatingPointRoundingRule
  ) -> Vector {
    let lane: Lane<Double>
    switch vector.values {
    case .decimals(let lane, let places):
      return vector.with(.decimals(whole(lane, .power(places), rule), places: 0))
    case .longDecimals(let lane, let places):
      return vector.with(.longDecimals(whole(lane, .power(places), rule), places: 0))
    case .integers, .texts: return vector
    case .doubles(let doubles): lane = doubles
    }
    if lane.rows(rows.count, where: { !($0.magnitude < 0x1p51) }).isEmpty {
      return Vector(.integers(lane.rounded(rule)), of: [vector])
    }
    let integers = lane.map { $0.fits ? Int64($0.rounded(rule)) : 0 }
    return Vector(.integers(integers), of: [vector]).leaving(lane.rows(rows.count) { !$0.fits })
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
    switch vector.values {
    case .doubles(let lane):
      return vector.with(.doubles(lane.map { test($0) ? 0 - $0 : $0 }))
        .leaving(lane.rows(rows.count) { !$0.isFinite })
    case .integers(let lane):
      return vector.with(.integers(lane.map { test(Double($0)) ? 0 &- $0 : $0 }))
        .leaving(lane.rows(rows.count) { $0 == .min })
    case .decimals(let lane, let places):
      return vector.with(
        .decimals(lane.map { test(Double($0)) ? 0 &- $0 : $0 }, places: places)
      ).leaving(lane.rows(rows.count) { $0 == .min })
    case .longDecimals(let lane, let places):
      return vector.with(
        .longDecimals(lane.map { test(Double($0)) ? 0 &- $0 : $0 }, places: places)
      ).leavingLong(rows.count)
    case .texts: return vector
    }
  }
}

extension Double {
  /// Whether the integers below and above fit into 64 bits.
  fileprivate var fits: Bool { self > -0x1p63 && self < 0x1p63 - 1024 }
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

extension ComputedNode {
  /// `round(cost, 2)`: numbers with some decimal places. Returns nil for kinds and places that only the reference
  /// evaluator computes.
  static func rounded(_ number: any VectorNode, places: Value?) -> ComputedNode? {
    guard case .integer(let places)? = places, case let places = Int(clamping: places),
      Value.decimalPlaces.contains(places),
      [.double, .decimal].contains(number.kind)
        || places >= 0 && [.integer, .exact].contains(number.kind)
    else { return nil }
    return ComputedNode(
      number.kind, [number], cost: 4, isSure: places >= 0 || number.kind == .double,
      trend: number.trend
    ) { parts, rows in
      parts[0].rounded(toPlaces: places, number.kind, rows.count)
    }
  }
}

extension Vector {
  fileprivate func rounded(toPlaces places: Int, _ kind: VectorKind, _ count: Int) -> Vector {
    if case .doubles(let lane) = values {
      return with(.doubles(lane.map { $0.rounded(toPlaces: places) }))
    }
    guard let own = self.places, own > places else { return self }
    let fewer = own - places
    guard fewer <= Int128.mostPlaces else { return .unknown(kind, count) }
    let result: Vector
    if isLong || fewer > Int64.mostPlaces {
      let (lane, unit) = (longIntegers, Int128.power(fewer))
      result = with(.longDecimals(lane.map { $0.roundedQuotient(unit) }, places: places))
    } else {
      let (lane, unit) = (integers, Int64.power(fewer))
      result = with(.decimals(lane.map { $0.roundedQuotient(unit) }, places: places))
    }
    return places < 0 ? result.multiplied(by: .power(-places), places: 0, count) : result
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
