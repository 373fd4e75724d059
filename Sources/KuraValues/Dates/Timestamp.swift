public import Foundation

/// A moment in microseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999 of some time zone.
///
/// A timestamp from a Foundation date is exactly that date, and unequal to any other. Texts, stores
/// and functions have whole microseconds.
public struct Timestamp: Sendable, Hashable {
  /// The microseconds since 1970-01-01T00:00:00Z, rounded to the nearest.
  public var microseconds: Int64
  /// The distance to the double of the whole microseconds, counted in representable doubles.
  package internal(set) var steps: Int64 = 0

  /// Creates a moment.
  public init(microseconds: Int64) { self.microseconds = microseconds }
}

extension Timestamp: Comparable {
  /// Returns whether the first moment is earlier.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.microseconds, a.steps) < (b.microseconds, b.steps)
  }
}

extension Timestamp {
  /// The current moment.
  ///
  /// An evaluation reads it once, so that `now()` is the same for all objects.
  public static var now: Timestamp {
    Timestamp(Date())?.inWholeMicroseconds ?? Timestamp(microseconds: 0)
  }

  /// 2001-01-01T00:00:00Z in seconds since 1970.
  package static let referenceSeconds: Int64 = 978_307_200
  /// 0001-01-01T00:00:00+23:59, the easternmost offset that can be written.
  package static let earliest = Timestamp(microseconds: -62_135_683_140_000_000)
  /// 9999-12-31T23:59:59.999999-23:59
  package static let latest = Timestamp(microseconds: 253_402_387_139_999_999)

  /// Whether it is in the years 1 to 9999 on the clock of some time zone.
  package var isInRange: Bool { self >= .earliest && self <= .latest }

  /// Returns the moment some seconds later; nil outside the years 1 to 9999.
  package func adding(seconds: Double) -> Timestamp? {
    guard let change = Int64(exactly: (seconds * 1e6).rounded()) else { return nil }
    let (sum, overflow) = microseconds.addingReportingOverflow(change)
    let result = Timestamp(microseconds: sum)
    return overflow || !result.isInRange ? nil : result
  }

  /// Creates a moment that is exactly a Foundation date; nil outside the years 1 to 9999.
  public init?(_ date: Date) {
    self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }

  /// Creates a moment from seconds since 2001-01-01T00:00:00Z; nil outside the years 1 to 9999.
  public init?(secondsSinceReferenceDate seconds: Double) {
    let microseconds = (seconds * 1e6).rounded() + Double(Self.referenceSeconds) * 1e6
    guard let exact = Int64(exactly: microseconds) else { return nil }
    self.init(microseconds: exact)
    if !isInRange { return nil }
    steps = seconds.place - wholeSeconds.place
  }

  /// Creates the moment in the years 1 to 9999 that is nearest to a Foundation date; nil for NaN.
  ///
  ///     Timestamp(nearest: .distantPast)   // 0001-01-01T00:00:00Z
  public init?(nearest date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard !seconds.isNaN else { return nil }
    self = Timestamp(date) ?? (seconds < 0 ? .earliest : .latest)
  }

  /// The seconds since 2001-01-01T00:00:00Z, as in `CAST(seconds, "NSDate")`.
  public var secondsSinceReferenceDate: Double {
    steps == 0 ? wholeSeconds : Double(place: wholeSeconds.place &+ steps)
  }

  /// The moment as a Foundation date.
  public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate) }

  /// The moment in whole microseconds, the precision of texts and stores.
  package var inWholeMicroseconds: Timestamp { Timestamp(microseconds: microseconds) }

  /// The double nearest to the microseconds.
  private var wholeSeconds: Double {
    Double(microseconds &- Self.referenceSeconds * 1_000_000) / 1e6
  }
}

extension Double {
  /// The rank among all doubles: neighbors differ by one.
  fileprivate var place: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits >= 0 ? bits : .min &- bits
  }

  fileprivate init(place: Int64) {
    self.init(bitPattern: UInt64(bitPattern: place >= 0 ? place : .min &- place))
  }
}

extension Value {
  /// The value with its dates in whole microseconds.
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
  /// Reads a moment from UTF-8 bytes. A text without an offset from UTC is read in the zone.
  ///
  /// It does not allocate. Throws the problem.
  package init(
    utf8 bytes: UnsafeBufferPointer<UInt8>, in zone: ZoneRules
  ) throws(DateProblem) {
    var reader = DateReader(bytes)
    let (civil, offset) = try reader.read()
    guard let moment = zone.moment(civil, offset: offset) else { throw .outOfRange }
    self = moment
  }

  /// Reads a moment from a text.
  ///
  ///     try Timestamp("1935-06-11", in: .utc)
  ///
  /// Throws the problem.
  package init(_ text: String, in zone: ZoneRules) throws(DateProblem) {
    var text = text
    self = try text.withUTF8 { bytes in
      Result { () throws(DateProblem) in try Timestamp(utf8: bytes, in: zone) }
    }.get()
  }

  /// Reads a moment from UTF-8 bytes; nil if they are not a date.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, in zone: ZoneRules
  ) -> Timestamp? {
    try? Timestamp(utf8: bytes, in: zone)
  }
}

extension ZoneRules {
  /// Returns whether a text is a local time that does not exist in the zone, as at the start of
  /// daylight saving time.
  ///
  /// A day without a time always exists: it means its first moment.
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

/// The form in which a date is written.
package enum DateForm: Sendable, Hashable {
  /// `1935-06-11`
  case day
  /// `2010-07-20 18:20`, with seconds and their fraction unless they are zero
  case plain
  /// `2010-07-20T18:20:00+09:00`, with a fraction unless it is zero
  case rfc3339
}

extension Timestamp {
  /// Returns the moment as a text in a time zone.
  package func text(_ form: DateForm, in zone: ZoneRules) -> String {
    var bytes: [UInt8] = []
    write(form, in: zone, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether it is 0:00 in a zone and the day alone denotes this moment. If 0:00 occurs
  /// twice, the day denotes the first.
  package func isMidnight(in zone: ZoneRules) -> Bool {
    let civil = zone.civil(self)
    return civil.microsecondOfDay == 0 && civil.date.isWritable && zone.moment(civil) == self
  }

  /// Appends the moment as a text.
  package func write(_ form: DateForm, in zone: ZoneRules, to bytes: inout [UInt8]) {
    let offset = zone.offset(at: microseconds.flooringDivision(by: 1_000_000).quotient)
    // Offsets in RFC 3339 have no seconds, so times before a zone's standard time are written in
    // UTC.
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
    case .plain:
      let hasSeconds = civil.microsecondOfDay % 60_000_000 != 0
      bytes.appendClock(civil, after: UInt8(ascii: " "), hasSeconds: hasSeconds)
    case .rfc3339:
      bytes.appendClock(civil, after: UInt8(ascii: "T"), hasSeconds: true)
      bytes.appendOffset(shift)
    }
  }

  /// The offset from UTC, in whole hours if possible, at which the first and last hours of the
  /// range are in the years 1 to 9999. In other zones they are not.
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

  /// `1935-06-11`
  package static func text(of day: CivilDate) -> String {
    var bytes: [UInt8] = []
    bytes.append(day)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CivilDate {
  /// Returns the day; throws if it does not exist in the calendar.
  func checked() throws(DateProblem) -> CivilDate {
    guard year >= 1 else { throw .year(year) }
    guard (1...12).contains(month) else { throw .month(month) }
    guard day >= 1, day <= lengthOfMonth else { throw .day(day, month: month, year: year) }
    return self
  }

  /// Whether its year has four digits, so that it can be read again.
  fileprivate var isWritable: Bool { (1...9999).contains(year) }
}

extension [UInt8] {
  /// Appends a day. A year that does not have four digits is written with its sign: `+10000-01-01`.
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

  fileprivate mutating func appendClock(
    _ civil: CivilTime, after separator: UInt8, hasSeconds: Bool
  ) {
    append(separator)
    appendDigits(civil.hour)
    append(0x3A)
    appendDigits(civil.minute)
    guard hasSeconds else { return }
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

  /// Appends two digits.
  private mutating func appendDigits(_ number: Int) {
    append(UInt8(truncatingIfNeeded: 0x30 + number / 10))
    append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
  }
}
