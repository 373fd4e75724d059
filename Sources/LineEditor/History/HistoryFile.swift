/// The statements of all sessions in a file, one JSON string per line, the newest last.
///
///     "fetch MemoDate where title CONTAINS \"誕生\"\n  sort date"
///     !"fetch Nowhere"
///
/// A line with `!` before the string means that the statement failed; a later line with the
/// statement means that it succeeded. A statement is appended with one call when it is entered: a
/// session that is killed loses nothing, and two sessions keep the statements of both. Only the
/// owner can access the file.
package struct HistoryFile: Sendable {
  private let path: String

  /// The file at a path, which is created with the first statement.
  package init(path: String) { self.path = path }

  /// The number of statements with which a session begins.
  package static let defaultLimit = 10_000

  /// A line of the file.
  package struct Entry: Sendable, Equatable {
    package var statement: String
    /// Whether the line says that the statement failed.
    package var hasFailed: Bool
  }

  /// Returns the newest statements, oldest first; empty if there is no file.
  package func load(limit: Int = defaultLimit) -> [String] {
    entries(limit: limit).filter { !$0.hasFailed }.map(\.statement)
  }

  /// Returns the newest lines, oldest first; empty if there is no file.
  ///
  /// Reads from the end, so that the cost does not grow with the file. Anything but JSON strings is
  /// skipped: the end of a line may be missing if the disk was full.
  package func entries(limit: Int = defaultLimit) -> [Entry] {
    guard let file = System.open(path, for: .reading) else { return [] }
    return Self.lastLines(of: file, limit: limit).compactMap { line in
      let hasFailed = line.first == HistoryLine.failureMark
      let statement = HistoryLine.decode(hasFailed ? line.dropFirst() : line)
      return statement.map { Entry(statement: $0, hasFailed: hasFailed) }
    }
  }

  /// Appends a statement, or that it failed; returns false if the system refuses.
  @discardableResult
  package func append(_ statement: String, hasFailed: Bool = false) -> Bool {
    guard let file = System.open(path, for: .appending) else { return false }
    let line = (hasFailed ? "!" : "") + HistoryLine.encode(statement)
    return System.write(
      Self.endsInMidLine(file) ? "\n\(line)".utf8 : line.utf8, to: file.descriptor)
  }

  private static func endsInMidLine(_ file: borrowing System.File) -> Bool {
    let length = System.length(of: file)
    return length > 0 && System.read(file, at: length - 1, count: 1) != [UInt8(ascii: "\n")]
  }

  private static func lastLines(
    of file: borrowing System.File, limit: Int
  ) -> [ArraySlice<UInt8>] {
    var start = System.length(of: file)
    var blocks: [[UInt8]] = []
    var breaks = 0
    while start > 0, breaks <= limit {
      let count = min(start, 65_536)
      start -= count
      blocks.append(System.read(file, at: start, count: count))
      breaks += blocks.last?.count { $0 == UInt8(ascii: "\n") } ?? 0
    }
    let bytes = Array(blocks.reversed().joined())
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(limit)
  }
}

/// Encodes a statement as a line of the history file, and decodes it.
enum HistoryLine {
  /// The mark of a statement that failed
  static let failureMark = UInt8(ascii: "!")

  /// Returns the JSON string with the line feed that ends the line.
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

  /// Returns the statement; nil if the line is anything but one JSON string.
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

  /// Returns the scalar of `\u8a95`, or of the pair `\ud83d\ude00`.
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
