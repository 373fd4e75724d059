/// A text with a name, in which spans have lines and columns.
public struct SourceText: Sendable {
  /// The name of the text in messages: the path of a file, or nil for typed text.
  public var name: String?
  /// The number of the first line, starting at 1.
  public var firstLine: Int
  /// The column of the first byte, starting at 1. It is larger if the beginning of a very long line
  /// is omitted.
  public var firstColumn: Int
  /// The text as UTF-8.
  public let bytes: [UInt8]

  /// Creates a source text from a string.
  public init(_ text: String, name: String? = nil, firstLine: Int = 1) {
    self.init(bytes: Array(text.utf8), name: name, firstLine: firstLine)
  }

  /// Creates a source text from UTF-8.
  public init(
    bytes: [UInt8], name: String? = nil, firstLine: Int = 1, firstColumn: Int = 1
  ) {
    self.name = name
    self.firstLine = firstLine
    self.firstColumn = firstColumn
    self.bytes = bytes
  }

  /// Returns the text of a span, clamped to the text. Linear in the span.
  public func text(_ span: SourceSpan) -> String {
    let start = min(max(span.start, 0), bytes.count)
    return String(decoding: bytes[start..<max(start, min(span.end, bytes.count))], as: UTF8.self)
  }
}

/// A place in a text, as people count it.
public struct SourceLocation: Sendable, Hashable {
  /// The line, starting at the number of the first line.
  public var line: Int
  /// The character (grapheme cluster) in the line, starting at 1.
  public var column: Int

  /// Creates a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourceText {
  /// Returns the line and column of a byte offset; linear in the offset.
  ///
  ///     SourceText("a\r\n誕生日").location(of: 6)     // line 2, column 2
  ///
  /// A line ends with LF or CRLF. An offset inside a character counts as the start of that
  /// character.
  public func location(of offset: Int) -> SourceLocation {
    let line = lineRange(at: offset)
    let place = scalarStart(min(max(offset, line.lowerBound), line.upperBound), in: line)
    return SourceLocation(
      line: firstLine + countLines(before: line.lowerBound),
      column: (line.lowerBound == 0 ? firstColumn : 1)
        + countCharacters(line.lowerBound..<place, in: line))
  }

  /// Whether the text has more than one line.
  var hasSeveralLines: Bool { bytes.dropLast().contains(UInt8(ascii: "\n")) }

  /// Returns the byte range of the line at an offset, without its end.
  func lineRange(at offset: Int) -> Range<Int> {
    let place = min(max(offset, 0), bytes.count)
    let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let hasReturn = end > start && end < bytes.count && bytes[end - 1] == UInt8(ascii: "\r")
    return start..<(hasReturn ? end - 1 : end)
  }

  /// Returns the offset itself, or the start of the scalar that contains it.
  private func scalarStart(_ place: Int, in line: Range<Int>) -> Int {
    guard place < line.upperBound, bytes[place] & 0xC0 == 0x80 else { return place }
    let start = bytes[line.lowerBound..<place].suffix(3).lastIndex { $0 >= 0xC0 }
    return start ?? place
  }

  func countLines(before end: Int) -> Int {
    var count = 0
    for byte in bytes[..<end] where byte == UInt8(ascii: "\n") { count += 1 }
    return count
  }

  /// Returns the number of characters of a line before an offset. A character that continues at the
  /// offset does not count.
  private func countCharacters(_ range: Range<Int>, in line: Range<Int>) -> Int {
    let plain = bytes[range].firstIndex { $0 >= 0x80 } ?? range.upperBound
    // The last ASCII character can have a combining mark, so it is counted with the text after it.
    let start = max(range.lowerBound, plain - 1)
    let before = String(decoding: bytes[start..<range.upperBound], as: UTF8.self)
    let next = String(decoding: bytes[range.upperBound..<line.upperBound].prefix(64), as: UTF8.self)
    return start - range.lowerBound + before.count - (before.runsInto(next) ? 1 : 0)
  }
}

extension String {
  /// Returns whether the last character of this text and the first of the other combine.
  func runsInto(_ other: String) -> Bool {
    guard let last, let first = other.first else { return false }
    return (String(last) + String(first)).count == 1
  }
}

/// A range of UTF-8 bytes in a source text.
///
/// Every node of a tree has a span, which equality ignores.
public struct SourceSpan: Sendable, Hashable {
  /// The offset of the first byte.
  public var start: Int
  /// The offset after the last byte.
  public var end: Int

  /// Creates a span of the bytes `start ..< end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = max(start, end)
  }

  /// The absence of a place, as in a tree that was built instead of parsed.
  public static let none = SourceSpan(0, 0)

  /// Returns the span from the start of this one to the end of the other.
  public func joined(_ other: SourceSpan) -> SourceSpan {
    self == .none ? other : SourceSpan(min(start, other.start), max(end, other.end))
  }
}

/// A property that equality and hashing ignore, such as the place of a node in its text.
@propertyWrapper
public struct IgnoredByEquality<Value: Sendable>: Sendable, Hashable {
  /// The value.
  public var wrappedValue: Value

  /// Creates the property with a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Returns true for all values.
  public static func == (a: IgnoredByEquality, b: IgnoredByEquality) -> Bool { true }

  /// Hashes nothing.
  public func hash(into hasher: inout Hasher) {}
}
