import Foundation

/// A decimal as sign, digits and power of ten, with arithmetic.
///
/// Foundation's own operations trap if an exponent leaves its range, so none of them is called.
struct DecimalParts: Sendable, Hashable {
  var isNegative: Bool
  /// The digits, less than 10^38 and without trailing zeros after normalization.
  var digits: UInt128
  var exponent: Int

  /// Creates a number, and moves trailing zeros to the exponent.
  init(isNegative: Bool = false, digits: UInt128, exponent: Int = 0) {
    (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
    dropTrailingZeros()
    if self.digits >= Self.limit { roundLastDigit() }
  }

  private mutating func dropTrailingZeros() {
    if digits == 0 { (isNegative, exponent) = (false, 0) }
    // Most numbers fit into 64 bits, for which a remainder takes a tenth of the time.
    if var low = UInt64(exactly: digits) {
      while low != 0, low % 10 == 0 {
        low /= 10
        exponent += 1
      }
      digits = UInt128(low)
      return
    }
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
  }

  /// All digits of a decimal, which may be 39, with its trailing zeros in the exponent.
  init(exactly fields: DecimalFields) {
    (isNegative, digits, exponent) = (fields.isNegative, fields.digits, fields.exponent)
    dropTrailingZeros()
  }

  init(_ value: Int64) {
    self.init(isNegative: value < 0, digits: UInt128(value.magnitude))
  }

  /// The number of significant digits, 38.
  static let digitCount = 38
  /// 10^38
  static let limit = power(38)

  /// Returns 10^n for 0 to 38.
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
  /// The digits of Foundation's decimal; nil for NaN. A decimal of 39 digits is rounded to 38.
  init?(_ decimal: Decimal) {
    guard let layout = DecimalFields.Layout.current else {
      if decimal.isNaN { return nil }
      self.init(text: decimal.description)
      return
    }
    let fields = DecimalFields(decimal, layout)
    if fields.isNaN { return nil }
    self.init(isNegative: fields.isNegative, digits: fields.digits, exponent: fields.exponent)
  }

  /// Whether it has at most 38 digits before the point.
  var isWithinDigits: Bool {
    if exponent <= 0 || digits == 0 { return true }
    return exponent < Self.digitCount && digits < Self.power(Self.digitCount - exponent)
  }

  /// The nearest double.
  var nearestDouble: Double {
    let magnitude = Double("\(digits)e\(exponent)") ?? .nan
    return isNegative ? -magnitude : magnitude
  }

  /// The number as an integer; nil if it has a fraction or does not fit into 64 bits.
  var exactInteger: Int64? {
    guard (0...18).contains(exponent) else { return nil }
    let (magnitude, overflow) = digits.multipliedReportingOverflow(by: Self.power(exponent))
    guard !overflow, let positive = Int128(exactly: magnitude) else { return nil }
    return Int64(exactly: isNegative ? -positive : positive)
  }

  /// The number as a Foundation decimal; nil if the exponent is out of range.
  ///
  /// A number that is too small is rounded, in the extreme case to zero.
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
    guard let layout = DecimalFields.Layout.current else {
      let value = Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent)", locale: nil)
      return value.flatMap { $0.isNaN ? nil : $0 }
    }
    return DecimalFields(isNegative: isNegative, digits: digits, exponent: exponent).decimal(layout)
  }

  /// A product or sum before rounding to 38 digits.
  private typealias Wide = (high: UInt128, low: UInt128)

  static prefix func - (x: DecimalParts) -> DecimalParts {
    DecimalParts(isNegative: !x.isNegative, digits: x.digits, exponent: x.exponent)
  }

  static func * (x: DecimalParts, y: DecimalParts) -> DecimalParts {
    rounded(
      x.digits.multipliedFullWidth(by: y.digits), isNegative: x.isNegative != y.isNegative,
      exponent: x.exponent + y.exponent)
  }

  /// Returns the quotient with 38 digits; the divisor must not be zero.
  static func / (x: DecimalParts, y: DecimalParts) -> DecimalParts {
    var x = x
    x.spread(by: digitCount)
    // The maximum scale at which the quotient still has 38 digits, roughly the number of digits of
    // the divisor.
    let most = min(digitCount, placeCount(UInt128.bitWidth - y.digits.leadingZeroBitCount) + 1)
    for scale in stride(from: most, through: 0, by: -1) {
      let wide = x.digits.multipliedFullWidth(by: power(scale))
      guard wide.high < y.digits else { continue }
      let (quotient, rest) = y.digits.dividingFullWidth(wide)
      guard quotient < limit else { continue }
      return DecimalParts(
        isNegative: x.isNegative != y.isNegative,
        digits: quotient + (rest >= y.digits - rest ? 1 : 0),
        exponent: x.exponent - y.exponent - scale)
    }
    return DecimalParts(digits: 0)
  }

  static func + (x: DecimalParts, y: DecimalParts) -> DecimalParts {
    if x.digits == 0 { return y }
    if y.digits == 0 { return x }
    if x.exponent < y.exponent { return y + x }
    guard let a = x.aligned(to: y) else { return x }
    if x.isNegative == y.isNegative {
      let (low, carry) = a.low.addingReportingOverflow(y.digits)
      let sum = (high: a.high + (carry ? 1 : 0), low: low)
      return rounded(sum, isNegative: x.isNegative, exponent: y.exponent)
    }
    if a.high == 0, a.low < y.digits {
      return DecimalParts(
        isNegative: y.isNegative, digits: y.digits - a.low, exponent: y.exponent)
    }
    let (low, borrow) = a.low.subtractingReportingOverflow(y.digits)
    let difference = (high: a.high - (borrow ? 1 : 0), low: low)
    return rounded(difference, isNegative: x.isNegative, exponent: y.exponent)
  }

  /// Returns the remainder of a truncating division, with the sign of x.
  static func % (x: DecimalParts, y: DecimalParts) -> DecimalParts {
    if y.exponent > x.exponent {
      // Scaled to the same power of ten, y can exceed any x.
      guard let b = y.aligned(to: x), b.high == 0 else { return x }
      return DecimalParts(isNegative: x.isNegative, digits: x.digits % b.low, exponent: x.exponent)
    }
    var rest = x.digits % y.digits
    for _ in 0..<(x.exponent - y.exponent) where rest != 0 {
      rest = y.digits.dividingFullWidth(rest.multipliedFullWidth(by: 10)).remainder
    }
    return DecimalParts(isNegative: x.isNegative, digits: rest, exponent: y.exponent)
  }

  /// Returns the exact order of two decimals.
  static func order(_ x: DecimalParts, _ y: DecimalParts) -> ValueOrder {
    let difference = x + -y
    if difference.digits == 0 { return .same }
    return difference.isNegative ? .before : .after
  }

  /// The number rounded to an integer.
  func rounded(_ rule: FloatingPointRoundingRule) -> DecimalParts {
    guard exponent < 0 else { return self }
    if exponent < -Self.digitCount { return fractionRounded(rule, half: .before) }
    let unit = Self.power(-exponent)
    let (whole, rest) = digits.quotientAndRemainder(dividingBy: unit)
    let floor = DecimalParts(isNegative: isNegative, digits: whole)
    let away = Self.roundsAway(
      rule, isNegative, half: ValueOrder(rest, unit - rest), isOdd: whole % 2 == 1)
    return away ? floor + DecimalParts(isNegative: isNegative, digits: 1) : floor
  }

  private func fractionRounded(
    _ rule: FloatingPointRoundingRule, half: ValueOrder
  ) -> DecimalParts {
    let away = Self.roundsAway(rule, isNegative, half: half, isOdd: false)
    return DecimalParts(isNegative: isNegative, digits: away ? 1 : 0)
  }

  private static func roundsAway(
    _ rule: FloatingPointRoundingRule, _ isNegative: Bool, half: ValueOrder, isOdd: Bool
  ) -> Bool {
    switch rule {
    case .up: !isNegative
    case .down: isNegative
    case .towardZero: false
    case .awayFromZero: true
    case .toNearestOrEven: half == .after || (half == .same && isOdd)
    case .toNearestOrAwayFromZero: half != .before
    @unknown default: half != .before
    }
  }

  /// Moves up to `count` powers of ten from the exponent to the digits.
  private mutating func spread(by count: Int) {
    var left = count
    while left > 0, digits != 0, digits < Self.power(Self.digitCount - 1) {
      digits *= 10
      exponent -= 1
      left -= 1
    }
  }

  /// Returns the digits at the other's smaller exponent; nil if the other is too small to matter.
  private func aligned(to other: DecimalParts) -> Wide? {
    var x = self
    x.spread(by: exponent - other.exponent)
    let distance = x.exponent - other.exponent
    guard distance <= Self.digitCount else { return nil }
    return x.digits.multipliedFullWidth(by: Self.power(distance))
  }

  /// Returns a lower estimate of the decimal digits of a number with this many bits.
  private static func placeCount(_ bits: Int) -> Int { (bits * 1233) >> 12 }

  private static func rounded(_ wide: Wide, isNegative: Bool, exponent: Int) -> DecimalParts {
    let bits =
      2 * UInt128.bitWidth
      - (wide.high == 0
        ? UInt128.bitWidth + wide.low.leadingZeroBitCount : wide.high.leadingZeroBitCount)
    let least = min(max(placeCount(bits) - digitCount - 1, 0), digitCount)
    for k in least...digitCount where wide.high < power(k) {
      let (quotient, rest) = power(k).dividingFullWidth(wide)
      guard quotient < limit else { continue }
      return DecimalParts(
        isNegative: isNegative, digits: quotient + (rest != 0 && rest >= power(k) - rest ? 1 : 0),
        exponent: exponent + k)
    }
    // Unreachable: both factors are below 10^38.
    return DecimalParts(isNegative: isNegative, digits: limit - 1, exponent: exponent + digitCount)
  }
}

/// The fields of Foundation's `Decimal`, read from and written to its 20 bytes.
///
/// Foundation gives access to the digits only through texts, which takes 100 times as long. The
/// bytes are: an exponent of 8 bits; a byte with the number of 16-bit words, a sign bit and a bit
/// for a compact number; two reserved bytes; eight words, the lowest first. The order of the bits
/// depends on the system: see `Layout`.
struct DecimalFields: Equatable {
  var isNegative: Bool
  var digits: UInt128
  var exponent: Int
  var isNaN = false
}

extension DecimalFields {
  init(_ decimal: Decimal, _ layout: Layout) {
    self = withUnsafeBytes(of: decimal) { bytes in
      let words = min(Int(bytes[1] >> layout.lengthShift & 0x0F), 8)
      var digits: UInt128 = 0
      for word in (0..<words).reversed() {
        digits = digits << 16 | UInt128(bytes[4 + word * 2]) | UInt128(bytes[5 + word * 2]) << 8
      }
      let isNegative = bytes[1] & layout.sign != 0
      return DecimalFields(
        isNegative: isNegative, digits: digits, exponent: Int(Int8(bitPattern: bytes[0])),
        isNaN: words == 0 && isNegative)
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

  /// The bit positions of the number of words and of the two flags in the second byte of a decimal.
  struct Layout: Sendable {
    let lengthShift: UInt8
    let sign: UInt8
    let compact: UInt8

    /// The layouts of Foundation in Swift, and of the C structure in Apple's Foundation.
    private static let all = [
      Layout(lengthShift: 4, sign: 0x08, compact: 0x04),
      Layout(lengthShift: 0, sign: 0x10, compact: 0x20),
    ]

    /// The layout of this system, verified with numbers of all lengths; nil if none fits, so that
    /// conversions use texts.
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
