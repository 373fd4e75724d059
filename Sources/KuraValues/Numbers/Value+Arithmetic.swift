package import Foundation

/// An operation on two numbers.
package enum ArithmeticOperation: Sendable, Hashable {
  /// `a + b`
  case add
  /// `a - b`
  case subtract
  /// `a * b`
  case multiply
  /// `a / b`; truncates for two integers
  case divide
  /// `modulus:by:(a, b)`; has the sign of the dividend
  case remainder
  /// `a ** b`, always a double
  case power
}

extension Value {
  /// Computes an operation on two numbers.
  ///
  ///     try Value.compute(.divide, 7, 2)     // 3
  ///     try Value.compute(.divide, 7.0, 2)   // 3.5
  ///
  /// Two integers give an integer. If one operand is a double, so is the result. A decimal combined
  /// with a decimal or an integer gives a decimal, whose fraction is rounded to 38 digits in total.
  /// Throws if a value is not a number, for a division by zero, and if the result is out of range
  /// or not finite. A decimal has at most 38 digits before the point.
  package static func compute(
    _ operation: ArithmeticOperation, _ a: Value, _ b: Value
  ) throws(ValueError) -> Value {
    switch (try a.number(), try b.number()) {
    case (.integer(let x), .integer(let y)): return try computed(operation, x, y)
    case (.double, _), (_, .double): break
    case (let x, let y):
      if let x = x.decimalParts, let y = y.decimalParts { return try computed(operation, x, y) }
    }
    return try computed(operation, a.approximateNumber ?? .nan, b.approximateNumber ?? .nan)
  }

  /// Returns the number; a Boolean is 0 or 1.
  package func number() throws(ValueError) -> Value {
    switch self {
    case .integer, .double, .decimal: self
    case .boolean(let x): .integer(x ? 1 : 0)
    default: throw .notANumber(kind)
    }
  }

  /// Returns the number as an integer; throws if it has a fraction or does not fit into 64 bits.
  package func wholeNumber() throws(ValueError) -> Int64 {
    switch try number() {
    case .integer(let x): return x
    case .double(let x): if let whole = Int64(exactly: x) { return whole }
    case .decimal(let x): if let whole = x.exactInteger { return whole }
    default: break
    }
    throw .notAnInteger(self)
  }

  /// Returns the number without its fraction; throws if that does not fit into 64 bits.
  package func wholePart() throws(ValueError) -> Int64 {
    switch try number() {
    case .integer(let x): return x
    case .double(let x): if let whole = Int64(exactly: x.rounded(.towardZero)) { return whole }
    case .decimal(let x):
      if let whole = x.rounded(to: .towardZero)?.exactInteger { return whole }
    default: break
    }
    throw .overflow
  }

  /// Returns a double as a value; throws if it is not finite.
  package static func finite(_ value: Double) throws(ValueError) -> Value {
    guard value.isFinite else { throw .overflow }
    return .double(value)
  }

  private static func computed(
    _ operation: ArithmeticOperation, _ x: Int64, _ y: Int64
  ) throws(ValueError) -> Value {
    if y == 0, operation == .divide || operation == .remainder { throw .divisionByZero }
    let result: (Int64, overflow: Bool)
    switch operation {
    case .add: result = x.addingReportingOverflow(y)
    case .subtract: result = x.subtractingReportingOverflow(y)
    case .multiply: result = x.multipliedReportingOverflow(by: y)
    case .divide: result = x.dividedReportingOverflow(by: y)
    // The remainder by -1 is 0, even if the quotient would overflow.
    case .remainder: result = y == -1 ? (0, false) : x.remainderReportingOverflow(dividingBy: y)
    case .power: return try computed(operation, Double(x), Double(y))
    }
    guard !result.overflow else { throw .overflow }
    return .integer(result.0)
  }

  private static func computed(
    _ operation: ArithmeticOperation, _ x: Double, _ y: Double
  ) throws(ValueError) -> Value {
    if y == 0, operation == .divide || operation == .remainder { throw .divisionByZero }
    switch operation {
    case .add: return try finite(x + y)
    case .subtract: return try finite(x - y)
    case .multiply: return try finite(x * y)
    case .divide: return try finite(x / y)
    case .remainder: return try finite(fmod(x, y))
    case .power: return try finite(pow(x, y))
    }
  }

  private static func computed(
    _ operation: ArithmeticOperation, _ x: DecimalParts, _ y: DecimalParts
  ) throws(ValueError) -> Value {
    if y.digits == 0, operation == .divide || operation == .remainder { throw .divisionByZero }
    switch operation {
    case .add: return try sum(x, y)
    case .subtract: return try sum(x, -y)
    case .multiply: return try inRange(x * y)
    case .divide: return try inRange(x / y)
    case .remainder: return try decimal(x % y)
    case .power: return try computed(operation, x.nearestDouble, y.nearestDouble)
    }
  }

  /// Returns a sum. Adding zero leaves a number unchanged, even one with more than 38 digits, as
  /// `1e100` in a file.
  private static func sum(_ x: DecimalParts, _ y: DecimalParts) throws(ValueError) -> Value {
    if x.digits == 0 { return try decimal(y) }
    return y.digits == 0 ? try decimal(x) : try inRange(x + y)
  }

  /// Returns the number with its fraction rounded; throws if digits before the point would be lost.
  private static func inRange(_ parts: DecimalParts) throws(ValueError) -> Value {
    guard parts.isWithinDigits else { throw .overflow }
    return try decimal(parts)
  }

  private static func decimal(_ parts: DecimalParts) throws(ValueError) -> Value {
    guard let decimal = parts.decimal else { throw .overflow }
    return .decimal(decimal)
  }

  /// The number as a double, possibly rounded; nil for other values.
  package var approximateNumber: Double? {
    switch self {
    case .boolean(let x): x ? 1 : 0
    case .integer(let x): Double(x)
    case .double(let x): x
    case .decimal(let x): x.nearestDouble
    default: nil
    }
  }

  /// Returns the exact order of two numbers; nil if one is not a number.
  ///
  /// 9007199254740993 differs from 9007199254740992.0. A double with a fraction counts as the
  /// number with its shortest digits, so that 0.1 equals the decimal 0.1. NaN equals only itself,
  /// and precedes all numbers.
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
    // Comparing with NaN also gives neither before nor after.
    return order != .same || a == b ? order : ValueOrder(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1)
  }

  private static func compare(_ a: Int64, _ b: Double) -> ValueOrder {
    if b.isNaN { return .after }
    // 2^63 and beyond do not fit into an Int64.
    if b >= 0x1p63 { return .before }
    if b < -0x1p63 { return .after }
    let whole = b.rounded(.towardZero)
    let order = ValueOrder(a, Int64(exactly: whole) ?? 0)
    return order == .same ? ValueOrder(0, b - whole) : order
  }

  private static func compare(_ a: Decimal, _ b: Double) -> ValueOrder {
    // Every double of this magnitude is whole, and has too many digits for a decimal.
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

  /// The digits of an integer or decimal.
  var decimalParts: DecimalParts? {
    switch self {
    case .integer(let x): DecimalParts(x)
    case .decimal(let x): DecimalParts(x)
    default: nil
    }
  }
}

extension DecimalParts {
  /// Creates the exact value of a whole double, otherwise the value of its shortest digits; nil if
  /// it is not finite.
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
  /// The nearest double.
  package var nearestDouble: Double { DecimalParts(self)?.nearestDouble ?? .nan }

  /// The number as an integer; nil if it has a fraction or does not fit into 64 bits.
  package var exactInteger: Int64? { DecimalParts(self)?.exactInteger }

  /// Creates the exact value of a whole double, otherwise that of its shortest digits.
  ///
  ///     Decimal(digitsOf: 0.1)   // 0.1, exactly
  package init?(digitsOf value: Double) {
    guard let decimal = DecimalParts(digitsOf: value)?.decimal else { return nil }
    self = decimal
  }

  /// Returns the decimal rounded to an integer; nil for NaN.
  package func rounded(to rule: FloatingPointRoundingRule) -> Decimal? {
    DecimalParts(self)?.rounded(rule).decimal
  }
}

// Rounding to decimal places; negative places are those before the point
extension Value {
  /// The decimal places for rounding: the powers of ten that a double represents exactly.
  package static let decimalPlaces = -22...22

  /// Returns the number rounded to decimal places, halves away from zero; other values unchanged.
  package func rounded(toPlaces places: Int) -> Value {
    switch self {
    case .double(let x): return .double(x.rounded(toPlaces: places))
    case .integer(let x) where places < 0:
      let rounded = DecimalParts(x).rounded(toPlaces: places)
      return rounded.exactInteger.map(Value.integer) ?? rounded.decimal.map(Value.decimal) ?? self
    case .decimal(let x):
      return DecimalParts(x)?.rounded(toPlaces: places).decimal.map(Value.decimal) ?? self
    default: return self
    }
  }
}

extension Double {
  /// Returns the nearest double of the number rounded to some of `Value.decimalPlaces`, halves away
  /// from zero.
  ///
  /// The exact value counts: 2.675 gives 2.67, because this double is a little less.
  package func rounded(toPlaces places: Int) -> Double {
    let power = Self.powersOfTen[abs(places)]
    let scaled = places < 0 ? self / power : self * power
    // A greater number has no such places.
    guard scaled.magnitude < 0x1p53 else { return self }
    var whole = scaled.rounded(.toNearestOrAwayFromZero)
    if (scaled - scaled.rounded(.towardZero)).magnitude == 0.5 {
      // The error of the product or quotient tells whether the exact number is below the half.
      let rest =
        places < 0
        ? addingProduct(0 - scaled, power) : (0 - scaled).addingProduct(self, power)
      if rest != 0, (rest < 0) != (scaled < 0) { whole = scaled.rounded(.towardZero) }
    }
    // Adding 0 makes -0 positive.
    return (places < 0 ? whole * power : whole / power) + 0
  }

  private static let powersOfTen = (0..<22).reduce(into: [1.0]) { powers, i in
    powers.append(powers[i] * 10)
  }
}

extension DecimalParts {
  fileprivate func rounded(toPlaces places: Int) -> DecimalParts {
    var moved = DecimalParts(isNegative: isNegative, digits: digits, exponent: exponent + places)
    moved = moved.rounded(.toNearestOrAwayFromZero)
    return DecimalParts(
      isNegative: moved.isNegative, digits: moved.digits, exponent: moved.exponent - places)
  }
}
