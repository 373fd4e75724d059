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
  /// decimal or integer a decimal of 38 digits. Throws for what is no number, for a division by
  /// zero, and where the result does not fit or is not finite.
  package static func compute(
    _ operation: ArithmeticOperation, _ a: Value, _ b: Value
  ) throws(ValueError) -> Value {
    switch (try a.number(), try b.number()) {
    case (.integer(let x), .integer(let y)): try computed(operation, x, y)
    case (.decimal(let x), .decimal(let y)): try computed(operation, x, y)
    case (.decimal(let x), .integer(let y)): try computed(operation, x, Decimal(y))
    case (.integer(let x), .decimal(let y)): try computed(operation, Decimal(x), y)
    case (let x, let y):
      try computed(operation, x.approximateNumber ?? .nan, y.approximateNumber ?? .nan)
    }
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
    _ operation: ArithmeticOperation, _ x: Decimal, _ y: Decimal
  ) throws(ValueError) -> Value {
    if y.isZero, operation == .divide || operation == .remainder { throw .divisionByZero }
    switch operation {
    case .add: return try decimal({ NSDecimalAdd(&$0, &$1, &$2, .plain) }, x, y)
    case .subtract: return try decimal({ NSDecimalSubtract(&$0, &$1, &$2, .plain) }, x, y)
    case .multiply: return try decimal({ NSDecimalMultiply(&$0, &$1, &$2, .plain) }, x, y)
    case .divide: return try decimal({ NSDecimalDivide(&$0, &$1, &$2, .plain) }, x, y)
    case .remainder: return try decimalRemainder(x, y)
    case .power: return try computed(operation, x.nearestDouble, y.nearestDouble)
    }
  }
}

extension Value {
  private typealias DecimalOperation =
    (inout Decimal, inout Decimal, inout Decimal) -> NSDecimalNumber.CalculationError

  private static func decimal(
    _ operation: DecimalOperation, _ x: Decimal, _ y: Decimal
  ) throws(ValueError) -> Value {
    var result = Decimal()
    var x = x
    var y = y
    switch operation(&result, &x, &y) {
    // A result is rounded to 38 digits, as NSDecimalNumber's is.
    case .noError, .lossOfPrecision: break
    default: throw .overflow
    }
    guard !result.isNaN else { throw .overflow }
    return .decimal(result)
  }

  private static func decimalRemainder(_ x: Decimal, _ y: Decimal) throws(ValueError) -> Value {
    guard case .decimal(var quotient) = try computed(.divide, x, y) else { throw .overflow }
    var whole = Decimal()
    NSDecimalRound(&whole, &quotient, 0, quotient < 0 ? .up : .down)
    guard case .decimal(let product) = try computed(.multiply, whole, y) else { throw .overflow }
    return try computed(.subtract, x, product)
  }
}
