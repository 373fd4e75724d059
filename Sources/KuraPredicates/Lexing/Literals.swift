import Foundation
import KuraValues

/// A quoted string without its quotes and escapes.
///
///     "\u8A95\u751F"      // 誕生
///     "\uD83D\uDE00"      // 😀, from a surrogate pair
///     "\d"                // d, with a warning in a statement
package struct StringLiteral: Sendable {
  /// The text, if there is no problem.
  package private(set) var text = ""
  /// The problem and the offset of its backslash.
  package private(set) var problem: (EscapeProblem, offset: Int)?
  /// The offsets of unnecessary backslashes before letters.
  package private(set) var idleEscapes: [Int] = []
  /// The offsets of `\b`, which in a regular expression was probably meant as a word boundary.
  package private(set) var backspaces: [Int] = []

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var output: [UInt8] = []

  /// Reads the bytes of a string, including its quotes.
  package init(quoted: ArraySlice<UInt8>) {
    bytes = quoted.dropFirst().dropLast()
    position = bytes.startIndex
    if bytes.contains(UInt8(ascii: "\\")) { readEscapes() } else { finish(bytes) }
  }

  /// The reasons why an escape sequence cannot be read.
  package enum EscapeProblem: Sendable, Hashable {
    /// `\x` or `\u` without its digits
    case missingDigits(String)
    /// `\uD83D` alone
    case loneSurrogate(String)
    /// `\u{110000}`
    case noCharacter(String)
    /// Bytes that are not UTF-8
    case notUTF8
  }
}

extension StringLiteral {
  private mutating func finish(_ utf8: some Collection<UInt8>) {
    if let text = String(validating: utf8, as: UTF8.self) {
      self.text = text
    } else {
      fail(.notUTF8, at: bytes.startIndex)
    }
  }

  private mutating func readEscapes() {
    output.reserveCapacity(bytes.count)
    while position < bytes.endIndex, problem == nil {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\") { readEscape() } else { output.append(byte) }
    }
    if problem == nil { finish(output) }
  }

  private mutating func readEscape() {
    let start = position - 1
    guard position < bytes.endIndex else { return output.append(UInt8(ascii: "\\")) }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "n"): output.append(10)
    case UInt8(ascii: "t"): output.append(9)
    case UInt8(ascii: "r"): output.append(13)
    case UInt8(ascii: "f"): output.append(12)
    case UInt8(ascii: "a"): output.append(7)
    case UInt8(ascii: "v"): output.append(11)
    case UInt8(ascii: "b"): readBackspace(at: start)
    case UInt8(ascii: "0")...UInt8(ascii: "7"): readOctal(letter, at: start)
    case UInt8(ascii: "x"): append(readDigits(exactly: 2, at: start), at: start)
    case UInt8(ascii: "u"): readUnicode(at: start)
    default: readPlain(letter, at: start)
    }
  }

  private mutating func readBackspace(at start: Int) {
    backspaces.append(start)
    output.append(8)
  }

  /// Reads a backslash before any other character, which means that character.
  private mutating func readPlain(_ letter: UInt8, at start: Int) {
    // `"\(name)"` is not interpolated.
    if letter.isWordLetter || letter == UInt8(ascii: "(") { idleEscapes.append(start) }
    output.append(letter)
  }

  private mutating func readOctal(_ first: UInt8, at start: Int) {
    var value = UInt32(first - 48)
    for _ in 0..<2 {
      guard position < bytes.endIndex, (48...55).contains(bytes[position]) else { break }
      value = value * 8 + UInt32(bytes[position] - 48)
      position += 1
    }
    append(value, at: start)
  }

  private mutating func readUnicode(at start: Int) {
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "{") {
      return readBraced(at: start)
    }
    guard let high = readDigits(exactly: 4, at: start) else { return }
    guard (0xD800..<0xDC00).contains(high) else { return append(high, at: start) }
    guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      return fail(.loneSurrogate(written(from: start)), at: start)
    }
    position += 2
    guard let low = readDigits(exactly: 4, at: start) else { return }
    guard (0xDC00..<0xE000).contains(low) else {
      return fail(.loneSurrogate(written(from: start)), at: start)
    }
    append(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), at: start)
  }

  /// Reads `\u{1F600}`.
  private mutating func readBraced(at start: Int) {
    position += 1
    var value: UInt32 = 0
    var count = 0
    while position < bytes.endIndex, let digit = bytes[position].hexDigit, count < 8 {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    guard count > 0, position < bytes.endIndex, bytes[position] == UInt8(ascii: "}") else {
      return fail(.missingDigits(written(from: start)), at: start)
    }
    position += 1
    append(value, at: start)
  }

  private mutating func readDigits(exactly count: Int, at start: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard position < bytes.endIndex, let digit = bytes[position].hexDigit else {
        fail(.missingDigits(written(from: start)), at: start)
        return nil
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private mutating func append(_ value: UInt32?, at start: Int) {
    guard let value else { return }
    if let scalar = Unicode.Scalar(value) {
      output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    } else {
      let isSurrogate = (0xD800..<0xE000).contains(value)
      let text = written(from: start)
      fail(isSurrogate ? .loneSurrogate(text) : .noCharacter(text), at: start)
    }
  }

  private func written(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func fail(_ problem: EscapeProblem, at offset: Int) {
    if self.problem == nil { self.problem = (problem, offset) }
  }
}

/// The value of a number literal: an integer, a double with its digits, or a decimal.
///
///     3                       // integer
///     0x1F                    // integer 31
///     0.10                    // double 0.1, digits "0.10"
///     9223372036854775808     // decimal, digits "9223372036854775808"
package enum NumberLiteral {
  /// Returns the constant; nil if it is too large. An integer has at most 38 digits.
  package static func constant(_ text: String, isNegative: Bool = false) -> Constant? {
    if isPlainInteger(text) { return integer(text[...], 10, isNegative) }
    if let radix = radix(of: text) { return integer(text.dropFirst(2), radix, isNegative) }
    let digits = isNegative ? "-" + text : text
    guard let value = Double(digits), value.isFinite else { return nil }
    return Constant(.double(value), digits: digits)
  }

  /// Returns whether it has neither a point nor an exponent: `17`, `0x11`.
  static func isInteger(_ text: String) -> Bool { isPlainInteger(text) || radix(of: text) != nil }

  /// Returns whether it consists of digits: `17`, but not `0x11`, `1.5` or `1e3`.
  package static func isPlainInteger(_ text: String) -> Bool { text.utf8.allSatisfy(\.isDigit) }

  private static func radix(of text: String) -> Int? {
    let bytes = text.utf8
    return bytes.first.flatMap { radix($0, bytes.dropFirst().first ?? 0) }
  }

  /// Returns the radix of a number that begins with two bytes: 16 for `0x`; nil for a decimal number.
  static func radix(_ first: UInt8, _ second: UInt8) -> Int? {
    guard first == UInt8(ascii: "0") else { return nil }
    switch second | 32 {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  private static func integer(
    _ digits: Substring, _ radix: Int, _ isNegative: Bool
  ) -> Constant? {
    if let value = Int64(digits, radix: radix) {
      return Constant(.integer(isNegative ? -value : value))
    }
    let sign = isNegative ? "-" : ""
    // The least integer has no positive counterpart that could be negated.
    if let value = Int64(sign + digits, radix: radix) { return Constant(.integer(value)) }
    guard let decimal = decimalDigits(digits, radix),
      let value = NumberText.decimal(sign + decimal)
    else { return nil }
    return Constant(.decimal(value), digits: sign + decimal)
  }

  /// Returns the digits in base ten. In other bases, the number must fit into 128 bits.
  private static func decimalDigits(_ digits: Substring, _ radix: Int) -> String? {
    if radix == 10 { return String(digits.drop { $0 == "0" }) }
    return UInt128(digits, radix: radix).map { String($0) }
  }
}
