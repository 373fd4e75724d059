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

  /// The text under a span, cut to what is there.
  public func text(_ span: SourceSpan) -> String {
    let start = min(max(span.start, 0), bytes.count)
    return String(decoding: bytes[start..<max(start, min(span.end, bytes.count))], as: UTF8.self)
  }
}
