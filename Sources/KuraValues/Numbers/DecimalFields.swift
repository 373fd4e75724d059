import Foundation

/// The fields of Foundation's `Decimal`, read from and written to its 20 bytes.
///
/// Foundation publishes no way to the digits but texts, which take 100 times as long. The layout is that of the C
/// structure `NSDecimal`: an exponent of 8 bits, 4 bits with the number of 16-bit words, a sign bit, a bit for a compact
/// number, 18 reserved bits, and eight words, the lowest first. Use the type only if `areKnown` is true.
struct DecimalFields: Equatable {
  var isNegative: Bool
  var digits: UInt128
  var exponent: Int
  var isNaN = false

  init(isNegative: Bool, digits: UInt128, exponent: Int) {
    (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
  }

  init(_ decimal: Decimal) {
    self = withUnsafeBytes(of: decimal) { bytes in
      let (flags, words) = (bytes[1], Int(bytes[1] & 0x0F))
      var digits: UInt128 = 0
      for word in (0..<min(words, 8)).reversed() {
        let low = UInt128(bytes[4 + word * 2]) | UInt128(bytes[5 + word * 2]) << 8
        digits = digits << 16 | low
      }
      var fields = DecimalFields(
        isNegative: flags & 0x10 != 0, digits: digits, exponent: Int(Int8(bitPattern: bytes[0])))
      fields.isNaN = words == 0 && fields.isNegative
      return fields
    }
  }

  /// The decimal, whose exponent must have 8 bits.
  var decimal: Decimal {
    var result = Decimal()
    withUnsafeMutableBytes(of: &result) { bytes in
      var (words, rest) = (0, digits)
      while rest != 0 {
        bytes[4 + words * 2] = UInt8(truncatingIfNeeded: rest)
        bytes[5 + words * 2] = UInt8(truncatingIfNeeded: rest >> 8)
        rest >>= 16
        words += 1
      }
      bytes[0] = words == 0 ? 0 : UInt8(bitPattern: Int8(truncatingIfNeeded: exponent))
      if words > 0 { bytes[1] = UInt8(words) | (isNegative ? 0x30 : 0x20) }
    }
    return result
  }

  /// Whether the bytes of this system's `Decimal` are laid out so, tried on numbers of all lengths.
  static let areKnown: Bool = {
    guard MemoryLayout<Decimal>.size == 20, Decimal.nan.isNaN, DecimalFields(Decimal.nan).isNaN
    else {
      return false
    }
    let samples =
      ["0", "7", "-7", "0.5", "-123456789.25", "65536", "18446744073709551616", "1e-100", "-3e90"]
      + ["99999999999999999999999999999999999999", "12345678901234567890123456789012345678e-20"]
    return samples.allSatisfy { text in
      guard let decimal = Decimal(string: text), let shape = NumberShape(text) else { return false }
      let (fields, parts) = (DecimalFields(decimal), shape.parts)
      let written = DecimalFields(
        isNegative: parts.isNegative, digits: parts.digits, exponent: parts.exponent
      ).decimal
      return !fields.isNaN && written == decimal && written.description == decimal.description
        && DecimalParts(
          isNegative: fields.isNegative, digits: fields.digits, exponent: fields.exponent) == parts
    }
  }()
}
