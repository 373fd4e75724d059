package import Foundation

/// A decimal as an integer and a number of decimal places: 12.5 is 125 with one place.
package struct ScaledDecimal: Sendable, Hashable {
  package let integer: Int128
  /// The number of decimal places, 0 to 38.
  package let places: Int

  package init(_ integer: Int128, places: Int) {
    (self.integer, self.places) = (integer, places)
  }

  /// Creates the parts; nil if the number has more than 38 digits before or after the point, or in all.
  package init?(_ decimal: Decimal) {
    guard let parts = DecimalParts(decimal), parts.exponent >= -Int128.mostPlaces,
      parts.exponent <= Int128.mostPlaces
    else { return nil }
    let (magnitude, overflow) = parts.digits.multipliedReportingOverflow(
      by: DecimalParts.power(max(0, parts.exponent)))
    guard !overflow, magnitude < DecimalParts.limit else { return nil }
    let integer = Int128(magnitude)
    self.init(parts.isNegative ? -integer : integer, places: max(0, -parts.exponent))
  }
}

/// The integers of decimals: 64 bits for 18 digits, 128 bits for 38.
package protocol DecimalInteger: FixedWidthInteger, SignedInteger, BitwiseCopyable, Sendable {
  /// The maximum number of decimal places. Every number with at most this number of digits fits.
  static var mostPlaces: Int { get }
  /// Returns 10^n for 0 to `mostPlaces`.
  static func power(_ n: Int) -> Self
}

extension Int64: DecimalInteger {
  package static let mostPlaces = 18
  package static func power(_ n: Int) -> Int64 { powers[n] }
  private static let powers = (0...mostPlaces).map { Int64(DecimalParts.power($0)) }
}

extension Int128: DecimalInteger {
  package static let mostPlaces = 38
  package static func power(_ n: Int) -> Int128 { Int128(DecimalParts.power(n)) }
}

extension ScaledDecimal {
  /// Returns the integer for another number of places; nil if the number cannot be represented with
  /// them.
  package func integer(places wanted: Int) -> Int128? {
    guard wanted >= places else {
      let (quotient, rest) = integer.quotientAndRemainder(
        dividingBy: Int128.power(places - wanted))
      return rest == 0 ? quotient : nil
    }
    let (product, overflow) = integer.multipliedReportingOverflow(
      by: Int128.power(wanted - places))
    return overflow ? nil : product
  }

  /// The digits without trailing zeros after the point: `-0.5`.
  package var text: String {
    var places = places
    let text: String
    // Most numbers fit into 64 bits, for which a remainder takes a tenth of the time.
    if let small = UInt64(exactly: integer.magnitude) {
      text = Self.digits(small, &places)
    } else {
      text = Self.digits(integer.magnitude, &places)
    }
    let sign = integer < 0 ? "-" : ""
    if places == 0 { return sign + text }
    let whole = text.utf8.count - places
    if whole > 0 { return "\(sign)\(text.prefix(whole)).\(text.suffix(places))" }
    return sign + "0." + String(repeating: "0", count: -whole) + text
  }

  /// Returns the digits without zeros at the end of the fraction, and reduces the places accordingly.
  @inline(__always)
  private static func digits(_ digits: some FixedWidthInteger, _ places: inout Int) -> String {
    var digits = digits
    while places > 0, digits % 10 == 0 {
      digits /= 10
      places -= 1
    }
    return String(digits)
  }

  /// The value without trailing zeros.
  package var value: Value {
    let parts = DecimalParts(
      isNegative: integer < 0, digits: integer.magnitude, exponent: -places)
    return .decimal(parts.decimal ?? .zero)
  }
}

/// The decimals of a column as 64-bit integers with their order.
///
/// Integers on the scale with more than 62 bits are replaced: negative ones by the numbers from the least, others by the
/// numbers up to the greatest.
package struct DecimalScale: Sendable, Equatable {
  package let places: Int
  /// The replaced integers in ascending order.
  private let long: [Int128]

  private static var greatest: Int64 { 3 << 61 }
  private static var leastLong: UInt64 { 1 << 62 }

  /// Creates a scale for integers, which may be more than once in the list; others must be short.
  package init(places: Int, _ integers: [Int128] = []) {
    self.places = places
    let sorted = integers.filter { !Self.isShort($0) }.sorted()
    long = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
  }

  package static func isShort(_ integer: Int128) -> Bool { integer.magnitude < leastLong }

  /// Whether no integer is replaced.
  package var isShort: Bool { long.isEmpty }

  /// The least and the greatest replaced integer.
  package var ends: [Int128] { [long.first, long.last].compactMap(\.self) }

  /// Returns the number of one of the integers.
  package func code(_ integer: Int128) -> Int64 {
    if isShort || Self.isShort(integer) { return Int64(truncatingIfNeeded: integer) }
    var (low, high) = (0, long.count)
    while low < high {
      let middle = (low + high) / 2
      if long[middle] < integer { low = middle + 1 } else { high = middle }
    }
    return integer < 0 ? Int64(low) - Self.greatest : Self.greatest - Int64(long.count - 1 - low)
  }

  package func integer(_ code: Int64) -> Int128 {
    guard !isShort, code.magnitude >= Self.leastLong else { return Int128(code) }
    return code < 0
      ? long[Int(code + Self.greatest)] : long[long.count - 1 - Int(Self.greatest - code)]
  }

  package func value(_ code: Int64) -> Value {
    ScaledDecimal(integer(code), places: places).value
  }
}
