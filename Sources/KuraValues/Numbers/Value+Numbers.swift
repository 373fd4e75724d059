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
  /// number that its shortest digits say, so that 0.1 is 0.1 as a decimal too.
  static func compareNumbers(_ a: Value, _ b: Value) -> ValueOrder? {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): ValueOrder(x, y)
    case (.double(let x), .double(let y)): ValueOrder(x, y)
    case (.decimal(let x), .decimal(let y)): ValueOrder(x, y)
    case (.integer(let x), .double(let y)): compare(x, y)
    case (.double(let x), .integer(let y)): compare(y, x).reversed
    case (.integer(let x), .decimal(let y)): ValueOrder(Decimal(x), y)
    case (.decimal(let x), .integer(let y)): ValueOrder(x, Decimal(y))
    case (.decimal(let x), .double(let y)): compare(x, y)
    case (.double(let x), .decimal(let y)): compare(y, x).reversed
    case (.boolean(let x), _): compareNumbers(.integer(x ? 1 : 0), b)
    case (_, .boolean(let y)): compareNumbers(a, .integer(y ? 1 : 0))
    default: nil
    }
  }

  private static func compare(_ a: Int64, _ b: Double) -> ValueOrder {
    // 2^63 and beyond have no Int64 to compare with.
    if b >= 0x1p63 { return .before }
    if b < -0x1p63 { return .after }
    let whole = b.rounded(.towardZero)
    let order = ValueOrder(a, Int64(exactly: whole) ?? 0)
    return order == .same ? ValueOrder(0, b - whole) : order
  }

  private static func compare(_ a: Decimal, _ b: Double) -> ValueOrder {
    // Every double of this size is whole, and has too many digits for a decimal.
    if b.magnitude >= 0x1p120 || !b.isFinite { return ValueOrder(a.nearestDouble, b) }
    return ValueOrder(a, Decimal(exactDigitsOf: b))
  }
}

extension Decimal {
  /// The double that is nearest to it.
  package var nearestDouble: Double { Double(description) ?? .nan }

  /// The decimal of a double's value if that is whole, else of its shortest digits.
  ///
  ///     Decimal(exactDigitsOf: 0.1)   // 0.1
  package init(exactDigitsOf value: Double) {
    if value.rounded(.towardZero) == value, let whole = Int64(exactly: value) {
      self = Decimal(whole)
    } else if value.rounded(.towardZero) == value, value.magnitude < 0x1p120 {
      self = Decimal(wholeDouble: value)
    } else {
      self = Decimal(string: "\(value)", locale: nil) ?? .nan
    }
  }

  // Two halves of 60 bits each fit where the whole does not.
  private init(wholeDouble value: Double) {
    let high = (value / 0x1p60).rounded(.towardZero)
    let low = value - high * 0x1p60
    let scale = Decimal(Int64(1) << 60)
    self = Decimal(Int64(exactly: high) ?? 0) * scale + Decimal(Int64(exactly: low) ?? 0)
  }

  /// The integer that it is, nil if it has a fraction or is beyond 64 bits.
  package var exactInteger: Int64? { isNaN ? nil : Int64(description) }
}
