import Foundation

/// A moment: microseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999 of some zone.
///
/// One that was made of Foundation's date is that one exactly, and equals no other; what texts, stores
/// and functions give are whole microseconds.
public struct Timestamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00Z, the nearest to the moment.
  public var microseconds: Int64
  /// How many of the doubles that a date of Foundation's may be it is behind that of its microseconds.
  package internal(set) var steps: Int64 = 0

  /// Makes a moment.
  public init(microseconds: Int64) { self.microseconds = microseconds }
}

extension Timestamp: Comparable {
  /// The earlier one is less.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.microseconds, a.steps) < (b.microseconds, b.steps)
  }
}

extension Timestamp {
  /// The moment of the call.
  ///
  /// Who evaluates takes it once, so that `now()` is the same for all objects.
  public static var now: Timestamp {
    Timestamp(Date())?.inWholeMicroseconds ?? Timestamp(microseconds: 0)
  }

  /// 2001-01-01T00:00:00Z
  package static let referenceSeconds: Int64 = 978_307_200
  /// 0001-01-01T00:00:00+23:59, the farthest east that a distance from UTC is written.
  package static let earliest = Timestamp(microseconds: -62_135_683_140_000_000)
  /// 9999-12-31T23:59:59.999999-23:59
  package static let latest = Timestamp(microseconds: 253_402_387_139_999_999)

  /// Whether it is within the years 1 to 9999 by the clock of some zone.
  package var isInRange: Bool { self >= .earliest && self <= .latest }

  /// The moment some seconds later; nil if that is outside the years 1 to 9999.
  package func adding(seconds: Double) -> Timestamp? {
    guard let change = Int64(exactly: (seconds * 1e6).rounded()) else { return nil }
    let (sum, overflow) = microseconds.addingReportingOverflow(change)
    let result = Timestamp(microseconds: sum)
    return overflow || !result.isInRange ? nil : result
  }
}
