import Foundation
import KuraValues

/// What a number in the text means: an integer, a double with its digits, or a decimal.
///
///     3                       // integer
///     0x1F                    // integer 31
///     0.10                    // double 0.1, digits "0.10"
///     9223372036854775808     // decimal, digits "9223372036854775808"
package enum NumberLiteral {
  /// The constant that is written, or nil if it is too large for any number.
  package static func constant(_ text: String, isNegative: Bool = false) -> Constant? {
    if isPlainInteger(text) { return integer(text[...], 10, isNegative) }
    if let radix = radix(of: text) { return integer(text.dropFirst(2), radix, isNegative) }
    let digits = isNegative ? "-" + text : text
    guard let value = Double(digits), value.isFinite else { return nil }
    return Constant(.double(value), digits: digits)
  }

  /// Whether it is written with digits alone: `17`, but not `0x11`, `1.5` or `1e3`.
  package static func isPlainInteger(_ text: String) -> Bool { text.utf8.allSatisfy(\.isDigit) }

  private static func radix(of text: String) -> Int? {
    switch text.prefix(2).lowercased() {
    case "0x": 16
    case "0o": 8
    case "0b": 2
    default: nil
    }
  }

  private static func integer(
    _ digits: Substring, _ radix: Int, _ isNegative: Bool
  ) -> Constant? {
    if let value = Int64(digits, radix: radix) {
      return Constant(.integer(isNegative ? -value : value))
    }
    let sign = isNegative ? "-" : ""
    // The least integer has no positive one to be the negative of.
    if let value = Int64(sign + digits, radix: radix) { return Constant(.integer(value)) }
    guard let decimal = decimalDigits(digits, radix) else { return nil }
    guard let value = Decimal(string: sign + decimal), value.isFinite else { return nil }
    return Constant(.decimal(value), digits: sign + decimal)
  }

  /// The digits in base ten; in other bases there may be as many as fill 128 bits.
  private static func decimalDigits(_ digits: Substring, _ radix: Int) -> String? {
    if radix == 10 {
      let significant = digits.drop { $0 == "0" }
      return significant.utf8.count <= 128 ? String(significant) : nil
    }
    return UInt128(digits, radix: radix).map { String($0) }
  }
}
