package import Foundation

/// Numbers as text, and text as numbers.
package enum NumberText {
  /// The shortest digits that read back as the same double; a whole one keeps `.0`.
  ///
  ///     NumberText.text(2.0)   // "2.0"
  package static func text(_ value: Double) -> String { "\(value)" }

  /// All digits of a decimal, without exponent.
  package static func text(_ value: Decimal) -> String { value.description }

  /// A number in text: an integer if it is one of 64 bits, else a double; nil if it is no number.
  ///
  ///     NumberText.number("12")    // .integer(12)
  ///     NumberText.number("1e3")   // .double(1000)
  package static func number(_ text: some StringProtocol) -> Value? {
    guard let shape = NumberShape(text) else { return nil }
    if shape.isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { return nil }
    return .double(double)
  }

  /// A decimal by its digits, nil if they are no number or more than 38 count.
  ///
  ///     NumberText.decimal("0.1")   // 0.1, exactly
  package static func decimal(_ text: some StringProtocol) -> Decimal? {
    guard let shape = NumberShape(text), shape.significantDigits <= 38 else { return nil }
    guard (-127...127).contains(shape.exponent) else { return shape.isZero ? 0 : nil }
    let value = Decimal(string: String(text), locale: Locale(identifier: "en_US_POSIX"))
    return value.flatMap { $0.isNaN ? nil : $0 }
  }
}

/// What a text that looks like a number consists of.
struct NumberShape {
  /// No point and no exponent.
  var isWhole = true
  /// The digits from the first to the last that is not zero.
  var significantDigits = 0
  /// The power of ten of the last digit that counts.
  var exponent = 0
  /// Only zeros.
  var isZero: Bool { significantDigits == 0 }

  /// Reads `-12`, `+1.50`, `2e-3`; nil for anything else.
  init?(_ text: some StringProtocol) {
    var rest = Substring(text).utf8[...]
    if let sign = rest.first, sign == 0x2D || sign == 0x2B { rest.removeFirst() }
    guard readDigits(&rest) else { return nil }
    guard !rest.isEmpty else { return }
    isWhole = false
    guard readExponent(&rest) else { return nil }
  }

  private mutating func readDigits(_ rest: inout Substring.UTF8View) -> Bool {
    var digits = 0
    var zeros = 0
    var isFraction = false
    while let byte = rest.first {
      if byte == 0x2E, !isFraction, digits > 0 {
        isFraction = true
        rest.removeFirst()
        guard let next = rest.first, (0x30...0x39).contains(next) else { return false }
        continue
      }
      guard (0x30...0x39).contains(byte) else { break }
      rest.removeFirst()
      digits += 1
      if isFraction { exponent -= 1 }
      if byte != 0x30 {
        significantDigits += significantDigits == 0 ? 1 : zeros + 1
        zeros = 0
      } else {
        zeros += 1
      }
    }
    exponent += zeros
    if isFraction { isWhole = false }
    return digits > 0
  }

  private mutating func readExponent(_ rest: inout Substring.UTF8View) -> Bool {
    guard rest.removeFirst() | 0x20 == 0x65, let power = Int(Substring(rest)) else { return false }
    guard power.magnitude < 100_000 else { return false }
    exponent += power
    return true
  }
}
