import Foundation

/// A decimal as sign, digits and power of ten, computed with here.
///
/// Foundation's own operations trap where exponents leave their range, so none of them is called.
struct DecimalParts: Sendable, Hashable {
  var isNegative: Bool
  /// Less than 10^38 and without trailing zeros, once normalized.
  var digits: UInt128
  var exponent: Int

  /// The number with its trailing zeros in the exponent.
  init(isNegative: Bool = false, digits: UInt128, exponent: Int = 0) {
    var digits = digits
    var exponent = exponent
    while digits != 0, digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    self.isNegative = isNegative && digits != 0
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent
    if digits >= Self.limit { roundLastDigit() }
  }

  init(_ value: Int64) {
    self.init(isNegative: value < 0, digits: UInt128(value.magnitude))
  }

  /// 38 digits count.
  static let digitCount = 38
  /// 10^38
  static let limit = power(38)

  /// 10^n for 0 to 38.
  static func power(_ n: Int) -> UInt128 { powers[n] }

  private static let powers: [UInt128] = (0...38).map { n in
    (0..<n).reduce(1) { power, _ in power * 10 }
  }

  private mutating func roundLastDigit() {
    let (quotient, rest) = digits.quotientAndRemainder(dividingBy: 10)
    self = DecimalParts(
      isNegative: isNegative, digits: quotient + (rest >= 5 ? 1 : 0), exponent: exponent + 1)
  }
}

extension DecimalParts {
  /// Foundation's decimal, by its digits; nil for NaN.
  ///
  /// Its fields are not public everywhere; its text is.
  init?(_ decimal: Decimal) {
    if decimal.isNaN { return nil }
    self.init(text: decimal.description)
  }

  /// The double that is nearest to it.
  var nearestDouble: Double {
    let magnitude = Double("\(digits)e\(exponent)") ?? .nan
    return isNegative ? -magnitude : magnitude
  }

  /// The integer that it is, nil if it has a fraction or is beyond 64 bits.
  var exactInteger: Int64? {
    guard (0...18).contains(exponent) else { return nil }
    let (magnitude, overflow) = digits.multipliedReportingOverflow(by: Self.power(exponent))
    guard !overflow, let positive = Int128(exactly: magnitude) else { return nil }
    return Int64(exactly: isNegative ? -positive : positive)
  }

  /// Foundation's decimal; nil where the exponent is beyond its range.
  ///
  /// Too small a number is rounded, at last to zero.
  var decimal: Decimal? {
    var digits = digits
    var exponent = exponent
    while exponent > 127, digits < Self.power(37), digits != 0 {
      digits *= 10
      exponent -= 1
    }
    while exponent < -128 {
      digits = digits / 10 + (exponent == -129 && digits % 10 >= 5 ? 1 : 0)
      exponent += 1
    }
    guard exponent <= 127 else { return nil }
    let value = Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent)", locale: nil)
    return value.flatMap { $0.isNaN ? nil : $0 }
  }
}
