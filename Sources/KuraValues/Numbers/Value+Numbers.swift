package import Foundation

extension Value {
  /// The number as a double, perhaps rounded; nil for what is no number.
  package var approximateNumber: Double? {
    switch self {
    case .boolean(let x): x ? 1 : 0
    case .integer(let x): Double(x)
    case .double(let x): x
    case .decimal(let x): x.nearestDouble
    default: nil
    }
  }

  /// The order of two numbers by value, nil if one is none.
  ///
  /// Exact: 9007199254740993 is not 9007199254740992.0. A double with a fraction counts as the
  /// number that its shortest digits say, so that 0.1 is 0.1 as a decimal too. What is not a
  /// number at all equals itself only, and comes before all others.
  static func compareNumbers(_ a: Value, _ b: Value) -> ValueOrder? {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): ValueOrder(x, y)
    case (.double(let x), .double(let y)): compare(x, y)
    case (.decimal(let x), .decimal(let y)): compare(x, y)
    case (.integer(let x), .double(let y)): compare(x, y)
    case (.double(let x), .integer(let y)): compare(y, x).reversed
    case (.integer(let x), .decimal(let y)): compare(Decimal(x), y)
    case (.decimal(let x), .integer(let y)): compare(x, Decimal(y))
    case (.decimal(let x), .double(let y)): compare(x, y)
    case (.double(let x), .decimal(let y)): compare(y, x).reversed
    case (.boolean(let x), _): compareNumbers(.integer(x ? 1 : 0), b)
    case (_, .boolean(let y)): compareNumbers(a, .integer(y ? 1 : 0))
    default: nil
    }
  }

  private static func compare(_ a: Double, _ b: Double) -> ValueOrder {
    let order = ValueOrder(a, b)
    // Neither before nor after is also what a NaN is to everything.
    return order != .same || a == b ? order : ValueOrder(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1)
  }

  private static func compare(_ a: Int64, _ b: Double) -> ValueOrder {
    if b.isNaN { return .after }
    // 2^63 and beyond have no Int64 to compare with.
    if b >= 0x1p63 { return .before }
    if b < -0x1p63 { return .after }
    let whole = b.rounded(.towardZero)
    let order = ValueOrder(a, Int64(exactly: whole) ?? 0)
    return order == .same ? ValueOrder(0, b - whole) : order
  }

  private static func compare(_ a: Decimal, _ b: Double) -> ValueOrder {
    // Every double of this size is whole, and has too many digits for a decimal.
    guard b.magnitude < 0x1p120, let a = DecimalParts(a), let b = DecimalParts(digitsOf: b) else {
      return compare(a.nearestDouble, b)
    }
    return DecimalParts.order(a, b)
  }

  private static func compare(_ a: Decimal, _ b: Decimal) -> ValueOrder {
    guard let x = DecimalParts(a), let y = DecimalParts(b) else {
      return ValueOrder(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1)
    }
    return DecimalParts.order(x, y)
  }

  /// An integer's or a decimal's digits.
  var decimalParts: DecimalParts? {
    switch self {
    case .integer(let x): DecimalParts(x)
    case .decimal(let x): DecimalParts(x)
    default: nil
    }
  }
}

extension DecimalParts {
  /// A double's value if that is whole, else what its shortest digits say; nil if it is not finite.
  init?(digitsOf value: Double) {
    guard value.isFinite else { return nil }
    if value.rounded(.towardZero) == value, let whole = UInt128(exactly: value.magnitude) {
      self.init(isNegative: value < 0, digits: whole)
    } else {
      self.init(text: "\(value)")
    }
  }
}

extension Decimal {
  /// The double that is nearest to it.
  package var nearestDouble: Double { DecimalParts(self)?.nearestDouble ?? .nan }

  /// The integer that it is, nil if it has a fraction or is beyond 64 bits.
  package var exactInteger: Int64? { DecimalParts(self)?.exactInteger }

  /// The decimal of a double's value if that is whole, else of its shortest digits.
  ///
  ///     Decimal(digitsOf: 0.1)   // 0.1, exactly
  package init?(digitsOf value: Double) {
    guard let decimal = DecimalParts(digitsOf: value)?.decimal else { return nil }
    self = decimal
  }

  /// The decimal rounded to an integer; nil for NaN.
  package func rounded(to rule: FloatingPointRoundingRule) -> Decimal? {
    DecimalParts(self)?.rounded(rule).decimal
  }
}
