public import Foundation

extension Timestamp {
  /// Makes a moment from Foundation's, to the last bit of it; nil outside the years 1 to 9999.
  public init?(_ date: Date) {
    self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Makes a moment from seconds since 2001-01-01T00:00:00Z, nil outside the years 1 to 9999.
  public init?(secondsSinceReferenceDate seconds: Double) {
    let microseconds = (seconds * 1e6).rounded() + Double(Self.referenceSeconds) * 1e6
    guard let exact = Int64(exactly: microseconds) else { return nil }
    self.init(microseconds: exact)
    if !isInRange { return nil }
    steps = seconds.place - wholeSeconds.place
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
    steps == 0 ? wholeSeconds : Double(place: wholeSeconds.place &+ steps)
  }

  /// The moment as Foundation's.
  public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate) }

  /// The moment as a text or a store has it, which know no less than a microsecond.
  package var inWholeMicroseconds: Timestamp { Timestamp(microseconds: microseconds) }

  /// The double that is nearest to the microseconds.
  private var wholeSeconds: Double {
    Double(microseconds &- Self.referenceSeconds * 1_000_000) / 1e6
  }
}

extension Double {
  /// Where it stands among all doubles: its neighbours are one more and one less.
  fileprivate var place: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits >= 0 ? bits : .min &- bits
  }

  fileprivate init(place: Int64) {
    self.init(bitPattern: UInt64(bitPattern: place >= 0 ? place : .min &- place))
  }
}

extension Value {
  /// The value with its dates as a store has them.
  package var inWholeMicroseconds: Value {
    switch self {
    case .date(let moment): .date(moment.inWholeMicroseconds)
    case .list(let values): .list(values.map(\.inWholeMicroseconds))
    case .set(let values): .set(ValueSet(values.elements.map(\.inWholeMicroseconds)))
    case .dictionary(let pairs): .dictionary(pairs.mapValues(\.inWholeMicroseconds))
    case .null, .boolean, .integer, .double, .decimal, .string, .uuid, .uri, .binary, .object: self
    }
  }
}
