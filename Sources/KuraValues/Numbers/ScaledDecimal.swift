package import Foundation

/// A decimal as an integer and a number of decimal places: 12.5 is 125 with one place.
package struct ScaledDecimal: Sendable, Hashable {
  package let integer: Int64
  /// The number of decimal places, 0 to `mostPlaces`.
  package let places: Int

  package init(_ integer: Int64, places: Int) {
    (self.integer, self.places) = (integer, places)
  }

  /// The maximum number of decimal places: every number of 18 digits fits into an `Int64`.
  package static let mostPlaces = 18

  /// Creates the parts; nil if the number has more than 18 decimal places, or its digits do not fit
  /// into an `Int64`.
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
  /// Creates the greatest scaled decimal that is less than a decimal with too many digits; nil if another one may be
  /// between them.
  package init?(below decimal: Decimal) {
    guard let parts = DecimalParts(decimal), parts.exponent < 0 else { return nil }
    var (digits, places, rest) = (parts.digits, -parts.exponent, false)
    while digits > UInt128(Int64.max) || places > Self.mostPlaces {
      guard places > 0 else { return nil }
      rest = rest || digits % 10 != 0
      digits /= 10
      places -= 1
    }
    // With one more place, each number next to this one has too many digits.
    guard rest, places == Self.mostPlaces || digits > UInt128(Int64.max / 10) else { return nil }
    if parts.isNegative { digits += 1 }
    guard let integer = Int64(exactly: digits) else { return nil }
    self.init(parts.isNegative ? -integer : integer, places: places)
  }

  /// Returns 10^n for 0 to 18.
  package static func power(_ n: Int) -> Int64 { powers[n] }

  private static let powers: [Int64] = (0...mostPlaces).map { n in
    (0..<n).reduce(1) { power, _ in power * 10 }
  }

  /// Returns the integer for another number of places; nil if the number cannot be represented with
  /// them.
  package func integer(places wanted: Int) -> Int64? {
    guard wanted >= places else {
      let (quotient, rest) = integer.quotientAndRemainder(dividingBy: Self.power(places - wanted))
      return rest == 0 ? quotient : nil
    }
    let (product, overflow) = integer.multipliedReportingOverflow(by: Self.power(wanted - places))
    return overflow ? nil : product
  }

  /// The digits without trailing zeros after the point: `-0.5`.
  package var text: String {
    var (digits, places) = (integer.magnitude, places)
    while places > 0, digits % 10 == 0 {
      digits /= 10
      places -= 1
    }
    let (text, sign) = (String(digits), integer < 0 ? "-" : "")
    if places == 0 { return sign + text }
    let whole = text.utf8.count - places
    if whole > 0 { return "\(sign)\(text.prefix(whole)).\(text.suffix(places))" }
    return sign + "0." + String(repeating: "0", count: -whole) + text
  }

  /// The value without trailing zeros.
  package var value: Value {
    let parts = DecimalParts(
      isNegative: integer < 0, digits: UInt128(integer.magnitude), exponent: -places)
    return .decimal(parts.decimal ?? .zero)
  }
}
