import Foundation

/// The fields of Foundation's `Decimal`, read from and written to its 20 bytes.
///
/// Foundation publishes no way to the digits but texts, which take 100 times as long. The bytes are an exponent of 8 bits,
/// a byte with the number of 16-bit words, a sign bit and a bit for a compact number, two reserved bytes, and eight words,
/// the lowest first. The order of the bits differs between systems: see `Layout`.
struct DecimalFields: Equatable {
  var isNegative: Bool
  var digits: UInt128
  var exponent: Int
  var isNaN = false

  init(isNegative: Bool, digits: UInt128, exponent: Int) {
    (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
  }

  init(_ decimal: Decimal, _ layout: Layout) {
    self = withUnsafeBytes(of: decimal) { bytes in
      let words = min(Int(bytes[1] >> layout.lengthShift & 0x0F), 8)
      var digits: UInt128 = 0
      for word in (0..<words).reversed() {
        digits = digits << 16 | UInt128(bytes[4 + word * 2]) | UInt128(bytes[5 + word * 2]) << 8
      }
      var fields = DecimalFields(
        isNegative: bytes[1] & layout.sign != 0, digits: digits,
        exponent: Int(Int8(bitPattern: bytes[0])))
      fields.isNaN = words == 0 && fields.isNegative
      return fields
    }
  }

  /// Returns the decimal. The exponent must fit into 8 bits.
  func decimal(_ layout: Layout) -> Decimal {
    var result = Decimal()
    withUnsafeMutableBytes(of: &result) { bytes in
      var (words, rest) = (0, digits)
      while rest != 0 {
        bytes[4 + words * 2] = UInt8(truncatingIfNeeded: rest)
        bytes[5 + words * 2] = UInt8(truncatingIfNeeded: rest >> 8)
        rest >>= 16
        words += 1
      }
      guard words > 0 else { return }
      bytes[0] = UInt8(bitPattern: Int8(truncatingIfNeeded: exponent))
      bytes[1] =
        UInt8(words) << layout.lengthShift | layout.compact | (isNegative ? layout.sign : 0)
    }
    return result
  }
}

extension DecimalFields {
  /// Where the second byte of a decimal has the number of words and the two flags.
  struct Layout: Sendable {
    let lengthShift: UInt8
    let sign: UInt8
    let compact: UInt8

    /// Foundation in Swift, and the bit fields of the C structure in Apple's Foundation.
    private static let all = [
      Layout(lengthShift: 4, sign: 0x08, compact: 0x04),
      Layout(lengthShift: 0, sign: 0x10, compact: 0x20),
    ]

    /// The layout of this system, tried on numbers of all lengths; nil if it is not known, and texts must do.
    static let current = MemoryLayout<Decimal>.size == 20 ? all.first(where: \.fits) : nil

    private static let samples =
      ["0", "7", "-7", "0.5", "-123456789.25", "65536", "18446744073709551616", "1e-100", "-3e90"]
      + ["99999999999999999999999999999999999999", "12345678901234567890123456789012345678e-20"]

    private var fits: Bool {
      DecimalFields(Decimal.nan, self).isNaN
        && Self.samples.allSatisfy { text in
          guard let decimal = Decimal(string: text), let shape = NumberShape(text) else {
            return false
          }
          let parts = shape.parts
          let written = DecimalFields(
            isNegative: parts.isNegative, digits: parts.digits, exponent: parts.exponent
          ).decimal(self)
          let read = DecimalFields(decimal, self)
          return !read.isNaN && written == decimal && written.description == decimal.description
            && DecimalParts(exactly: read) == parts
        }
    }
  }
}
