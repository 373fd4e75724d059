public import Foundation

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

extension Timestamp {
  /// The moment that UTF-8 bytes say; a text without a distance from UTC is read in the zone.
  ///
  /// Does not allocate. Throws what is wrong.
  package init(
    utf8 bytes: UnsafeBufferPointer<UInt8>, in zone: ZoneRules
  ) throws(DateProblem) {
    var reader = DateReader(bytes)
    let (civil, offset) = try reader.read()
    if let offset {
      self.init(microseconds: civil.microseconds - offset * 1_000_000)
      guard isInRange else { throw .outOfRange }
    } else {
      guard let moment = zone.moment(civil) else { throw .outOfRange }
      self = moment
    }
  }

  /// The moment that a text says.
  ///
  ///     try Timestamp("1935-06-11", in: .utc)
  ///
  /// Throws what is wrong.
  package init(_ text: String, in zone: ZoneRules) throws(DateProblem) {
    var text = text
    self = try text.withUTF8 { bytes in
      Result { () throws(DateProblem) in try Timestamp(utf8: bytes, in: zone) }
    }.get()
  }

  /// The moment that UTF-8 bytes say, nil if they are no date.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, in zone: ZoneRules
  ) -> Timestamp? {
    try? Timestamp(utf8: bytes, in: zone)
  }
}

extension ZoneRules {
  /// Whether a text is a time of day that the zone's clocks never show, as where summer time begins.
  ///
  /// A day alone means its first moment, whenever that is.
  package func skips(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var reader = DateReader(bytes)
      guard let (civil, offset) = try? reader.read(), offset == nil, civil.microsecondOfDay > 0,
        let moment = moment(civil)
      else { return false }
      return self.civil(moment) != civil
    }
  }
}

/// How a date is written.
package enum DateForm: Sendable, Hashable {
  /// `1935-06-11`
  case day
  /// `2010-07-20 18:20`; seconds and their fraction where they are not zero
  case plain
  /// `2010-07-20T18:20:00+09:00`; with a fraction where it is not zero
  case rfc3339
}

extension Timestamp {
  /// The moment as text, by calendar and clock of a zone.
  package func text(_ form: DateForm, in zone: ZoneRules) -> String {
    var bytes: [UInt8] = []
    write(form, in: zone, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether it is 0:00 in a zone and its day, written alone, means it: where the clock shows 0:00 twice, a
  /// day means the first of the two.
  package func isMidnight(in zone: ZoneRules) -> Bool {
    let civil = zone.civil(self)
    return civil.microsecondOfDay == 0 && civil.date.isWritable && zone.moment(civil) == self
  }

  /// Appends the moment as text.
  package func write(_ form: DateForm, in zone: ZoneRules, to bytes: inout [UInt8]) {
    let offset = zone.offset(at: microseconds.flooringDivision(by: 1_000_000).quotient)
    // RFC 3339 has no seconds in a distance; times before a zone's standard time are written in UTC.
    let isExact = offset % 60 == 0
    var shift = form == .rfc3339 && !isExact ? 0 : offset
    var civil = CivilTime(microseconds: microseconds &+ shift &* 1_000_000)
    var form = form
    if !civil.date.isWritable {
      shift = writableShift
      civil = CivilTime(microseconds: microseconds &+ shift &* 1_000_000)
      form = .rfc3339
    }
    bytes.append(civil.date)
    switch form {
    case .day: break
    case .plain: bytes.appendPlainClock(civil)
    case .rfc3339:
      bytes.appendFullClock(civil)
      bytes.appendOffset(shift)
    }
  }
}

extension Timestamp {
  /// The distance from UTC, in whole hours if that is enough, at which the first and the last hours of
  /// all are of the years 1 to 9999: by the clock of another zone they are not.
  private var writableShift: Int64 {
    for hour: Int64 in 0..<24 {
      for shift in [hour * 3600, -hour * 3600] where isWritable(shift) { return shift }
    }
    let most: Int64 = 23 * 3600 + 59 * 60
    return microseconds > 0 ? -most : most
  }

  private func isWritable(_ shift: Int64) -> Bool {
    CivilTime(microseconds: microseconds &+ shift &* 1_000_000).date.isWritable
  }
}

extension Timestamp {
  /// `1935-06-11`
  package static func text(of day: CivilDate) -> String {
    var bytes: [UInt8] = []
    bytes.append(day)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CivilDate {
  /// Throws where the calendar has no such day.
  func checked() throws(DateProblem) -> CivilDate {
    guard year >= 1 else { throw .year(year) }
    guard (1...12).contains(month) else { throw .month(month) }
    guard day >= 1, day <= lengthOfMonth else { throw .day(day, month: month, year: year) }
    return self
  }

  /// Whether its year has four digits and can be read again.
  fileprivate var isWritable: Bool { (1...9999).contains(year) }
}

extension [UInt8] {
  /// A year that has not four digits is written as a number with its sign, `+10000-01-01`.
  fileprivate mutating func append(_ date: CivilDate) {
    if date.isWritable {
      appendDigits(date.year / 100)
      appendDigits(date.year % 100)
    } else {
      if date.year > 9999 { append(UInt8(ascii: "+")) }
      append(contentsOf: String(date.year).utf8)
    }
    append(0x2D)
    appendDigits(date.month)
    append(0x2D)
    appendDigits(date.day)
  }

  fileprivate mutating func appendPlainClock(_ civil: CivilTime) {
    append(0x20)
    appendDigits(civil.hour)
    append(0x3A)
    appendDigits(civil.minute)
    if civil.second != 0 || civil.microsecond != 0 { appendSeconds(civil) }
  }

  fileprivate mutating func appendFullClock(_ civil: CivilTime) {
    append(0x54)
    appendDigits(civil.hour)
    append(0x3A)
    appendDigits(civil.minute)
    appendSeconds(civil)
  }

  private mutating func appendSeconds(_ civil: CivilTime) {
    append(0x3A)
    appendDigits(civil.second)
    guard civil.microsecond != 0 else { return }
    append(0x2E)
    appendDigits(civil.microsecond / 10_000)
    appendDigits(civil.microsecond / 100 % 100)
    appendDigits(civil.microsecond % 100)
    while last == 0x30 { removeLast() }
  }

  fileprivate mutating func appendOffset(_ seconds: Int64) {
    if seconds == 0 { return append(0x5A) }
    append(seconds < 0 ? 0x2D : 0x2B)
    appendDigits(Int(seconds.magnitude / 3600))
    append(0x3A)
    appendDigits(Int(seconds.magnitude / 60 % 60))
  }

  /// Two digits.
  private mutating func appendDigits(_ number: Int) {
    append(UInt8(truncatingIfNeeded: 0x30 + number / 10))
    append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
  }
}
