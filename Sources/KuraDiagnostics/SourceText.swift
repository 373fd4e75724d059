/// A text with a name, in which spans have lines and columns.
public struct SourceText: Sendable {
  /// What the text is called in a message: a file's path, or nil for something typed.
  public var name: String?
  /// The line number of the first line, from 1.
  public var firstLine: Int
  /// The column of the first byte, from 1: more where the start of a very long line is left out.
  public var firstColumn: Int
  /// The text in UTF-8.
  public let bytes: [UInt8]

  /// Makes a source from a string.
  public init(_ text: String, name: String? = nil, firstLine: Int = 1) {
    self.init(bytes: Array(text.utf8), name: name, firstLine: firstLine)
  }

  /// Makes a source from bytes that are UTF-8.
  public init(
    bytes: [UInt8], name: String? = nil, firstLine: Int = 1, firstColumn: Int = 1
  ) {
    self.name = name
    self.firstLine = firstLine
    self.firstColumn = firstColumn
    self.bytes = bytes
  }

  /// The text under a span, cut to what is there. Linear in the span.
  public func text(_ span: SourceSpan) -> String {
    let start = min(max(span.start, 0), bytes.count)
    return String(decoding: bytes[start..<max(start, min(span.end, bytes.count))], as: UTF8.self)
  }
}

/// A place in a text as people count it.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from the text's first line number on.
  public var line: Int
  /// The character (grapheme cluster) in the line, from 1.
  public var column: Int

  /// Makes a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourceText {
  /// The line and column of a byte offset; linear in the offset.
  ///
  ///     SourceText("a\r\n誕生日").location(of: 6)     // line 2, column 2
  ///
  /// A line ends with LF or CRLF. An offset inside a character is that character's.
  public func location(of offset: Int) -> SourceLocation {
    let line = lineRange(at: offset)
    let place = scalarStart(min(max(offset, line.lowerBound), line.upperBound), in: line)
    return SourceLocation(
      line: firstLine + countLines(before: line.lowerBound),
      column: (line.lowerBound == 0 ? firstColumn : 1)
        + countCharacters(line.lowerBound..<place, in: line))
  }

  /// Whether the text has a second line.
  var hasSeveralLines: Bool { bytes.dropLast().contains(UInt8(ascii: "\n")) }

  /// The bytes of the line in which an offset lies, without its end.
  func lineRange(at offset: Int) -> Range<Int> {
    let place = min(max(offset, 0), bytes.count)
    let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let hasReturn = end > start && end < bytes.count && bytes[end - 1] == UInt8(ascii: "\r")
    return start..<(hasReturn ? end - 1 : end)
  }

  /// The place itself, or the start of the scalar in which it lies.
  private func scalarStart(_ place: Int, in line: Range<Int>) -> Int {
    guard place < line.upperBound, bytes[place] & 0xC0 == 0x80 else { return place }
    let start = bytes[line.lowerBound..<place].suffix(3).lastIndex { $0 >= 0xC0 }
    return start ?? place
  }

  private func countLines(before end: Int) -> Int {
    var count = 0
    for byte in bytes[..<end] where byte == UInt8(ascii: "\n") { count += 1 }
    return count
  }

  /// How many characters of a line lie before a place; the one that goes on there does not count.
  private func countCharacters(_ range: Range<Int>, in line: Range<Int>) -> Int {
    let plain = bytes[range].firstIndex { $0 >= 0x80 } ?? range.upperBound
    // The last ASCII character may carry a mark, and is counted with what follows.
    let start = max(range.lowerBound, plain - 1)
    let before = String(decoding: bytes[start..<range.upperBound], as: UTF8.self)
    let next = String(decoding: bytes[range.upperBound..<line.upperBound].prefix(64), as: UTF8.self)
    return start - range.lowerBound + before.count - (before.runsInto(next) ? 1 : 0)
  }
}

extension String {
  /// Whether the last character of this text and the first of the other become one.
  func runsInto(_ other: String) -> Bool {
    guard let last, let first = other.first else { return false }
    return (String(last) + String(first)).count == 1
  }
}

/// A range of UTF-8 bytes in a source text.
///
/// Spans are kept in every node of a tree, and mean nothing for its equality.
public struct SourceSpan: Sendable, Hashable {
  /// The offset of the first byte.
  public var start: Int
  /// The offset behind the last byte.
  public var end: Int

  /// Makes a span of the bytes `start ..< end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = max(start, end)
  }

  /// A place without a text, as in a tree that was built and not parsed.
  public static let none = SourceSpan(0, 0)

  /// The span from the start of this one to the end of the other.
  public func joined(_ other: SourceSpan) -> SourceSpan {
    self == .none ? other : SourceSpan(min(start, other.start), max(end, other.end))
  }
}
