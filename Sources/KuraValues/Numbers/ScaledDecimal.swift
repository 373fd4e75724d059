package import Foundation

/// A decimal as an integer and a power of ten: 12.5 is 125 with one place after the point.
package struct ScaledDecimal: Sendable, Hashable {
  package let integer: Int64
  /// How many of the integer's digits stand after the point: 0 to `mostPlaces`.
  package let places: Int

  package init(_ integer: Int64, places: Int) {
    (self.integer, self.places) = (integer, places)
  }

  /// An `Int64` has 18 digits whatever they are.
  package static let mostPlaces = 18

  /// Nil if the number has more than 18 places after the point, or its digits no `Int64`.
  package init?(_ decimal: Decimal) {
    guard let parts = DecimalParts(decimal) else { return nil }
    let places = max(0, -parts.exponent)
    let digits = DecimalParts(
      isNegative: parts.isNegative, digits: parts.digits, exponent: parts.exponent + places)
    guard places <= Self.mostPlaces, let integer = digits.exactInteger else { return nil }
    self.init(integer, places: places)
  }
}

extension ScaledDecimal {
  /// 10^n for 0 to 18.
  package static func power(_ n: Int) -> Int64 { powers[n] }

  private static let powers: [Int64] = (0...mostPlaces).map { n in
    (0..<n).reduce(1) { power, _ in power * 10 }
  }

  /// The same number with more places; nil if its digits are no `Int64` then.
  package func integer(places wanted: Int) -> Int64? {
    guard wanted >= places else {
      let (quotient, rest) = integer.quotientAndRemainder(dividingBy: Self.power(places - wanted))
      return rest == 0 ? quotient : nil
    }
    let (product, overflow) = integer.multipliedReportingOverflow(by: Self.power(wanted - places))
    return overflow ? nil : product
  }

  /// The value, as the digits say it without trailing zeros.
  package var value: Value {
    let parts = DecimalParts(
      isNegative: integer < 0, digits: UInt128(integer.magnitude), exponent: -places)
    return .decimal(parts.decimal ?? .zero)
  }
}
