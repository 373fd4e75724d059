package import Foundation

/// Conversion between numbers and texts.
package enum NumberText {
  /// Returns the shortest digits that convert back to the same double; a whole number keeps its
  /// `.0`.
  ///
  ///     NumberText.text(2.0)   // "2.0"
  package static func text(_ value: Double) -> String { "\(value)" }

  /// Returns all digits of a whole double up to 2^120; otherwise the shortest that convert back to
  /// it.
  ///
  ///     NumberText.digits(of: 0x1p60)   // "1152921504606846976", and not "1.152921504606847e+18"
  package static func digits(of value: Double) -> String {
    guard value != 0, value.magnitude < 0x1p120, let whole = Int128(exactly: value) else {
      return text(value)
    }
    return "\(whole)"
  }

  /// Returns whether a text is a number other than zero.
  package static func isNonzero(_ text: some StringProtocol) -> Bool {
    (NumberShape(text)?.significantDigits ?? 0) > 0
  }

  /// Returns whether two texts are the same number, with at most 38 significant digits.
  package static func areSame(_ a: String, _ b: String) -> Bool {
    guard let a = NumberShape(a), let b = NumberShape(b) else { return false }
    return max(a.significantDigits, b.significantDigits) <= DecimalParts.digitCount
      && a.parts == b.parts
  }

  /// Returns all digits of a decimal, without exponent.
  package static func text(_ value: Decimal) -> String {
    guard let layout = DecimalFields.Layout.current else { return value.description }
    let fields = DecimalFields(value, layout)
    if fields.isNaN { return "NaN" }
    return text(DecimalParts(exactly: fields))
  }

  private static func text(_ parts: DecimalParts) -> String {
    let (digits, sign) = ("\(parts.digits)", parts.isNegative ? "-" : "")
    if parts.exponent >= 0 { return sign + digits + String(repeating: "0", count: parts.exponent) }
    let whole = digits.utf8.count + parts.exponent
    if whole > 0 { return "\(sign)\(digits.prefix(whole)).\(digits.suffix(-parts.exponent))" }
    return sign + "0." + String(repeating: "0", count: -whole) + digits
  }

  /// Whether a decimal is a number of at most 38 digits; false for NaN.
  package static func isWritable(_ value: Decimal) -> Bool {
    guard let layout = DecimalFields.Layout.current else {
      return decimal(value.description) != nil
    }
    let fields = DecimalFields(value, layout)
    return !fields.isNaN && DecimalParts(exactly: fields).digits < DecimalParts.limit
  }

  /// Parses a number: an integer if it fits into 64 bits, otherwise a double; nil if the text is
  /// not a number.
  ///
  ///     NumberText.number("12")    // .integer(12)
  ///     NumberText.number("1e3")   // .double(1000)
  package static func number(_ text: some StringProtocol) -> Value? {
    guard let shape = NumberShape(text) else { return nil }
    if shape.isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { return nil }
    return .double(double)
  }

  /// Parses a decimal exactly; nil if the text is not a number, has more than 38 significant
  /// digits, or has one beyond the 128th decimal place.
  ///
  ///     NumberText.decimal("0.1")   // 0.1, exactly
  package static func decimal(_ text: some StringProtocol) -> Decimal? {
    guard let shape = NumberShape(text), shape.significantDigits <= DecimalParts.digitCount
    else { return nil }
    let parts = shape.parts
    return parts.exponent < -128 ? nil : parts.decimal
  }
}

extension DecimalParts {
  /// Parses a number; digits after the 38th count as zeros.
  init?(text: String) {
    guard let shape = NumberShape(text) else { return nil }
    self = shape.parts
  }
}

/// The parts of a text that has the form of a number.
struct NumberShape {
  /// Whether it has neither a point nor an exponent.
  var isWhole = true
  /// The number of digits from the first to the last nonzero one.
  var significantDigits = 0
  /// The power of ten of the last significant digit.
  var exponent = 0
  /// The significant digits, at most 38 of them.
  private var digits: UInt128 = 0
  /// The number of significant digits after these.
  private var rest = 0
  private var isNegative = false

  /// The number.
  var parts: DecimalParts {
    DecimalParts(isNegative: isNegative, digits: digits, exponent: exponent + rest)
  }

  /// Parses `-12`, `+1.50` or `2e-3`; nil for anything else.
  init?(_ text: some StringProtocol) {
    if let shape = text.utf8.withContiguousStorageIfAvailable({ NumberShape(bytes: $0) }) {
      guard let shape else { return nil }
      self = shape
      return
    }
    var copy = String(text)
    guard let shape = copy.withUTF8({ NumberShape(bytes: $0) }) else { return nil }
    self = shape
  }

  private init?(bytes: UnsafeBufferPointer<UInt8>) {
    var place = 0
    if let sign = bytes.first, sign == 0x2D || sign == 0x2B {
      isNegative = sign == 0x2D
      place = 1
    }
    guard readDigits(bytes, &place) else { return nil }
    guard place < bytes.count else { return }
    isWhole = false
    guard readExponent(bytes, &place), place == bytes.count else { return nil }
  }

  private mutating func readDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Bool
  {
    var (count, zeros, isFraction) = (0, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x2E, !isFraction, count > 0 {
        isFraction = true
        place += 1
        guard place < bytes.count, 0x30...0x39 ~= bytes[place] else { return false }
        continue
      }
      guard 0x30...0x39 ~= byte else { break }
      place += 1
      count += 1
      if isFraction { exponent -= 1 }
      if byte == 0x30 {
        zeros += 1
      } else {
        append(byte &- 0x30, after: zeros)
        zeros = 0
      }
    }
    exponent += zeros
    if isFraction { isWhole = false }
    return count > 0
  }

  /// Appends a digit after zeros. Zeros are significant between digits, but not before the first.
  private mutating func append(_ digit: UInt8, after zeros: Int) {
    let places = significantDigits == 0 ? 1 : zeros + 1
    significantDigits += places
    guard significantDigits <= DecimalParts.digitCount else {
      rest += places
      return
    }
    digits = digits * DecimalParts.power(places) + UInt128(digit)
  }

  private mutating func readExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int)
    -> Bool
  {
    guard bytes[place] | 0x20 == 0x65 else { return false }
    place += 1
    var isBelow = false
    if place < bytes.count, bytes[place] == 0x2D || bytes[place] == 0x2B {
      isBelow = bytes[place] == 0x2D
      place += 1
    }
    let first = place
    var power = 0
    while place < bytes.count, 0x30...0x39 ~= bytes[place] {
      power = power * 10 + Int(bytes[place] - 0x30)
      guard power < 100_000 else { return false }
      place += 1
    }
    exponent += isBelow ? -power : power
    return place > first
  }
}
