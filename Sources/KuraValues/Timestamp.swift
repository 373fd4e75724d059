/// A moment: microseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999.
public struct Timestamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  /// Makes a moment.
  public init(microseconds: Int64) { self.microseconds = microseconds }
}

extension Timestamp: Comparable {
  /// The earlier one is less.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}
