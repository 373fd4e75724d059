/// A statement as a line of the history file, and back.
enum HistoryLine {
  /// The JSON string with the line break that ends the line.
  static func encode(_ statement: String) -> String {
    var line = "\""
    for scalar in statement.unicodeScalars { append(scalar, to: &line) }
    return line + "\"\n"
  }

  private static func append(_ scalar: Unicode.Scalar, to line: inout String) {
    switch scalar {
    case "\"": line += "\\\""
    case "\\": line += "\\\\"
    case "\n": line += "\\n"
    case "\t": line += "\\t"
    case "\u{0}"..."\u{1F}": line += escape(scalar)
    default: line.unicodeScalars.append(scalar)
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The statement; nil if the line is anything but one JSON string.
  static func decode(_ line: some Sequence<UInt8>) -> String? {
    guard let text = String(validating: Array(line), as: UTF8.self) else { return nil }
    var reader = Reader(rest: text.unicodeScalars[...])
    return reader.string()
  }
}

/// Reads the escapes of JSON.
private struct Reader {
  var rest: Substring.UnicodeScalarView

  mutating func string() -> String? {
    guard rest.popFirst() == "\"" else { return nil }
    var result = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return rest.isEmpty ? String(result) : nil
      case "\\":
        guard let escaped = escaped() else { return nil }
        result.append(escaped)
      default: result.append(scalar)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    switch rest.popFirst() {
    case "n": "\n"
    case "t": "\t"
    case "r": "\r"
    case "b": "\u{8}"
    case "f": "\u{C}"
    case "u": hexadecimal()
    case let other?: "\"\\/".unicodeScalars.contains(other) ? other : nil
    case nil: nil
    }
  }

  /// The scalar of `\u8a95`, or of the pair `\ud83d\ude00`.
  private mutating func hexadecimal() -> Unicode.Scalar? {
    guard let unit = fourDigits() else { return nil }
    guard (0xD800...0xDBFF).contains(unit) else { return Unicode.Scalar(unit) }
    guard rest.popFirst() == "\\", rest.popFirst() == "u" else { return nil }
    guard let low = fourDigits(), (0xDC00...0xDFFF).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func fourDigits() -> UInt32? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    rest = rest.dropFirst(4)
    return UInt32(String(digits), radix: 16)
  }
}
