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
