public import Foundation

/// A moment: microseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999 of some zone.
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

extension Timestamp {
  /// Makes a moment from Foundation's, nil outside the years 1 to 9999.
  public init?(_ date: Date) {
    self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Makes a moment from seconds since 2001-01-01T00:00:00Z, nil outside the years 1 to 9999.
  public init?(secondsSinceReferenceDate seconds: Double) {
    let microseconds = (seconds * 1e6).rounded() + Double(Self.referenceSeconds) * 1e6
    guard let exact = Int64(exactly: microseconds) else { return nil }
    self.init(microseconds: exact)
    if !isInRange { return nil }
  }

  /// Makes the moment that is nearest to Foundation's within the years 1 to 9999; nil for NaN.
  ///
  ///     Timestamp(nearest: .distantPast)   // 0001-01-01T00:00:00Z
  public init?(nearest date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard !seconds.isNaN else { return nil }
    self = Timestamp(date) ?? (seconds < 0 ? .earliest : .latest)
  }

  /// Seconds since 2001-01-01T00:00:00Z, as `CAST(seconds, "NSDate")` takes them.
  public var secondsSinceReferenceDate: Double {
    Double(microseconds &- Self.referenceSeconds * 1_000_000) / 1e6
  }

  /// The moment as Foundation's.
  public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate) }

  /// The moment of the call.
  ///
  /// Who evaluates takes it once, so that `now()` is the same for all objects.
  public static var now: Timestamp { Timestamp(Date()) ?? Timestamp(microseconds: 0) }

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
