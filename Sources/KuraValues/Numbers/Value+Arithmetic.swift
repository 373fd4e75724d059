import Foundation

/// An operation on two numbers.
package enum ArithmeticOperation: Sendable, Hashable {
  /// `a + b`
  case add
  /// `a - b`
  case subtract
  /// `a * b`
  case multiply
  /// `a / b`; of two integers it truncates
  case divide
  /// `modulus:by:(a, b)`; the sign is the dividend's
  case remainder
  /// `a ** b`, always a double
  case power
}

extension Value {
  /// Computes with two numbers.
  ///
  ///     try Value.compute(.divide, 7, 2)     // 3
  ///     try Value.compute(.divide, 7.0, 2)   // 3.5
  ///
  /// Integer with integer stays integer; a double on either side makes a double; a decimal with a
  /// decimal or integer makes a decimal, which is rounded after the point so that 38 digits remain.
  /// Throws for what is no number, for a division by zero, and if the result does not fit or is not
  /// finite: a decimal has at most 38 digits before the point.
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

  /// The number itself, a boolean as 0 or 1.
  package func number() throws(ValueError) -> Value {
    switch self {
    case .integer, .double, .decimal: self
    case .boolean(let x): .integer(x ? 1 : 0)
    default: throw .notANumber(kind)
    }
  }

  /// The integer that the number is; throws if it has a fraction or is beyond 64 bits.
  package func wholeNumber() throws(ValueError) -> Int64 {
    switch try number() {
    case .integer(let x): return x
    case .double(let x): if let whole = Int64(exactly: x) { return whole }
    case .decimal(let x): if let whole = x.exactInteger { return whole }
    default: break
    }
    throw .notAnInteger(self)
  }

  /// The number without its fraction; throws if that is beyond 64 bits.
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

  /// A double as a value; throws if it is not finite.
  package static func finite(_ value: Double) throws(ValueError) -> Value {
    guard value.isFinite else { throw .overflow }
    return .double(value)
  }
}

extension Value {
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
    // The remainder by -1 is 0, also where the quotient would not fit.
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

  /// A number and zero are that number, which may be beyond 38 digits: a file can say `1e100`.
  private static func sum(_ x: DecimalParts, _ y: DecimalParts) throws(ValueError) -> Value {
    if x.digits == 0 { return try decimal(y) }
    return y.digits == 0 ? try decimal(x) : try inRange(x + y)
  }

  /// Throws where digits before the point would be lost; those after it are rounded.
  private static func inRange(_ parts: DecimalParts) throws(ValueError) -> Value {
    guard parts.isWithinDigits else { throw .overflow }
    return try decimal(parts)
  }

  private static func decimal(_ parts: DecimalParts) throws(ValueError) -> Value {
    guard let decimal = parts.decimal else { throw .overflow }
    return .decimal(decimal)
  }
}
