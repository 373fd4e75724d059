import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Dates are read and written")
struct DateTextTests {
  static let tokyo = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))
  static let forms: [(String, String)] = [
    ("1935-06-11", "1935-06-11T00:00:00+09:00"), ("1935/06/11", "1935-06-11T00:00:00+09:00"),
    ("1935/6/1", "1935-06-01T00:00:00+09:00"), ("2010-07-20 18:20", "2010-07-20T18:20:00+09:00"),
    ("2010-07-20 18:20:05", "2010-07-20T18:20:05+09:00"),
    ("2010-07-20 18:20:05.25", "2010-07-20T18:20:05.25+09:00"),
    ("2010-07-20T18:20:05Z", "2010-07-21T03:20:05+09:00"),
    ("2010-07-20t18:20:05.1234567z", "2010-07-21T03:20:05.123456+09:00"),
    ("2010-07-20T18:20+02:00", "2010-07-21T01:20:00+09:00"),
    ("2010-07-20 18:20 -0330", "2010-07-21T06:50:00+09:00"),
    ("2024-02-29", "2024-02-29T00:00:00+09:00"), ("0001-01-02", "0001-01-01T14:41:01Z"),
    ("0001-01-01", "0001-01-01T00:41:01+10:00"),
    ("0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00+23:59"),
    ("9999-12-31T23:59:59.5-05:00", "9999-12-31T23:59:59.5-05:00"),
    ("9999-12-31 23:59:59.999999", "9999-12-31T23:59:59.999999+09:00"),
  ]
  @Test(
    "A time that the clocks skip is distinguished from those that they show",
    arguments: [
      ("America/New_York", "2026-03-08 02:00", true),
      ("America/New_York", "2026-03-08 02:59", true),
      ("America/New_York", "2026-03-08 03:00", false),
      ("America/New_York", "2026-03-08 01:59", false),
      ("America/New_York", "2026-11-01 01:30", false),
      ("America/New_York", "2026-03-08 02:30Z", false),
      ("America/New_York", "soon", false), ("Asia/Tokyo", "2026-03-08 02:30", false),
      ("America/Sao_Paulo", "2018-11-04", false), ("America/Sao_Paulo", "2018-11-04 00:30", true),
    ])
  func skippedTimes(zone: String, text: String, isSkipped: Bool) {
    let rules = ZoneRules(TimeZone(identifier: zone))
    #expect(rules.skips(text) == isSkipped)
  }

  @Test("in every form of the language", arguments: forms)
  func reads(text: String, written: String) throws {
    let moment = try Timestamp(text, in: Self.tokyo)
    #expect(moment.text(.rfc3339, in: Self.tokyo) == written)
    #expect(try Timestamp(written, in: Self.tokyo) == moment)
  }

  static let problems: [(String, DateProblem)] = [
    ("soon", .notADate), ("", .notADate), ("1935-13-01", .month(13)), ("0000-01-01", .year(0)),
    ("2023-02-30", .day(30, month: 2, year: 2023)), ("2023-02-29", .day(29, month: 2, year: 2023)),
    ("1900-02-29", .day(29, month: 2, year: 1900)), ("1935-06-11 24:00", .hour(24)),
    ("1935-06-11 18:60", .minute(60)), ("1935-06-11 18:20:60", .second(60)),
    ("1935-06-11x", .trailing(at: 10)), ("1935-06-11 18:20+25:00", .offset),
    ("1935-6-1", .notADate),
    ("1935-06/11", .notADate), ("0001-01-01T00:00:00+24:00", .offset),
    ("12345-01-01", .notADate),
    ("1935-06-11 18:20:00.", .trailing(at: 20)), ("1935-06-11 ", .trailing(at: 11)),
  ]
  @Test("or refused with a reason", arguments: problems)
  func refuses(text: String, problem: DateProblem) {
    #expect(throws: problem) { _ = try Timestamp(text, in: .utc) }
  }

  @Test("shortly if that is unambiguous")
  func short() throws {
    let day = try Timestamp("1935-06-11", in: Self.tokyo)
    #expect(day.isMidnight(in: Self.tokyo) && !day.isMidnight(in: .utc))
    #expect(day.text(.day, in: Self.tokyo) == "1935-06-11")
    #expect(day.text(.plain, in: .utc) == "1935-06-10 15:00")
    let second = try Timestamp("2010-07-20 18:20:05.5", in: .utc)
    #expect(second.text(.plain, in: .utc) == "2010-07-20 18:20:05.5")
    #expect(second.text(.rfc3339, in: .utc) == "2010-07-20T18:20:05.5Z")
  }

  @Test("at both ends of the years")
  func ends() throws {
    #expect(try Timestamp("0001-01-01T00:00:00+23:59", in: .utc) == .earliest)
    #expect(try Timestamp("9999-12-31T23:59:59.999999-23:59", in: .utc) == .latest)
    #expect(Timestamp.latest.text(.rfc3339, in: Self.tokyo) == "9999-12-31T23:59:59.999999-23:59")
    #expect(Timestamp.earliest.adding(seconds: -1) == nil)
    #expect(Timestamp.latest.adding(seconds: 1) == nil)
    #expect(Timestamp(secondsSinceReferenceDate: .infinity) == nil)
    #expect(Timestamp(secondsSinceReferenceDate: 0)?.text(.day, in: .utc) == "2001-01-01")
  }

  @Test("outside the years of a store in digits")
  func beyond() {
    let beyond = [Int64.min, -62_135_683_200_000_000, 253_402_387_200_000_000, .max]
    for microseconds in beyond {
      for form in [DateForm.day, .plain, .rfc3339] {
        let text = Timestamp(microseconds: microseconds).text(form, in: Self.tokyo)
        #expect(text.utf8.allSatisfy { "+-0123456789:.TZ".utf8.contains($0) }, "\(text)")
      }
    }
  }
}

@Suite("The first and the last possible days")
struct FirstDayTests {
  static let zones = [
    "Asia/Tokyo", "UTC", "America/New_York", "Pacific/Kiritimati", "Asia/Manila", "America/Juneau",
    "Etc/GMT+12",
  ]

  private static func rules(_ identifier: String) throws -> ZoneRules {
    let zone: TimeZone = try #require(TimeZone(identifier: identifier))
    return ZoneRules(zone)
  }

  @Test("are read and written in every zone, from every zone", arguments: zones)
  func allZones(identifier: String) throws {
    let zone = try Self.rules(identifier)
    for day in ["0001-01-01", "0001-01-02", "9999-12-30", "9999-12-31"] {
      let moment = try Timestamp(day, in: zone)
      #expect(moment.isMidnight(in: zone) && moment.text(.day, in: zone) == day)
      for other in Self.zones {
        let reader = try Self.rules(other)
        for form in [DateForm.plain, .rfc3339] {
          let text = moment.text(form, in: reader)
          #expect(try Timestamp(text, in: reader) == moment, "\(day) of \(identifier): \(text)")
        }
        if moment.isMidnight(in: reader) {
          #expect(try Timestamp(moment.text(.day, in: reader), in: reader) == moment)
        }
      }
    }
  }
}

@Suite("Zones and the calendar agree with Foundation")
struct ZoneTests {
  static let zones = [
    "Asia/Tokyo", "Europe/Berlin", "America/New_York", "UTC", "Australia/Lord_Howe",
    "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
  ]

  @Test("at sampled moments of all years", arguments: zones)
  func sampled(identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let rules = ZoneRules(zone)
    var random = SeededNumbers(seed: 11)
    for round in 0..<4000 {
      // Half of them are in the years with the strangest changes of clocks.
      let span =
        round % 2 == 0 ? Int64(-62_135_596_800)...253_402_300_799 : -4_000_000_000...4_000_000_000
      let seconds =
        span.lowerBound + Int64(random.next() % UInt64(span.upperBound - span.lowerBound))
      let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      #expect(rules.offset(at: seconds) == expected, "\(identifier) at \(seconds), seed 11")
    }
  }

  @Test("from clock to time, around every change of 1890 to 2030", arguments: zones)
  func local(identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let rules = ZoneRules(zone)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var date = Date(timeIntervalSince1970: -2_524_521_600)
    while let next = zone.nextDaylightSavingTimeTransition(after: date),
      next.timeIntervalSince1970 < 1_893_456_000
    {
      for minutes in stride(from: -180, through: 180, by: 45) {
        try check(next.addingTimeInterval(Double(minutes * 60)), rules, calendar)
      }
      date = next
    }
  }

  private func check(_ date: Date, _ rules: ZoneRules, _ calendar: Calendar) throws {
    let moment = try #require(
      Timestamp(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())))
    let civil = rules.civil(moment)
    let back = try #require(rules.moment(civil))
    // If the clock shows a time twice, the first one is meant.
    #expect(back <= moment && rules.civil(back) == civil)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    #expect(parts.year == civil.date.year && parts.month == civil.date.month)
    #expect(parts.day == civil.date.day && parts.hour == civil.hour && parts.minute == civil.minute)
  }

  @Test(
    "a time is written as a day only if the day denotes this time, around every change",
    arguments: zones + ["America/Havana", "Asia/Beirut", "America/Sao_Paulo", "Atlantic/Azores"])
  func days(identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let rules = ZoneRules(zone)
    var date = Date(timeIntervalSince1970: -5_000_000_000)
    while let next = zone.nextDaylightSavingTimeTransition(after: date),
      next.timeIntervalSince1970 < 1_893_456_000
    {
      let change = Int64(next.timeIntervalSince1970.rounded())
      for offset in [rules.offset(at: change - 1), rules.offset(at: change)] {
        let day = (change + offset).flooringDivision(by: 86_400).quotient
        for day in day - 1...day + 2 {
          let moment = Timestamp(microseconds: (day * 86_400 - offset) * 1_000_000)
          let form = moment.isMidnight(in: rules) ? DateForm.day : .rfc3339
          let text = moment.text(form, in: rules)
          #expect(try Timestamp(text, in: rules) == moment, "\(identifier): \(text)")
        }
      }
      date = next
    }
  }

  @Test(
    "the second of two midnights is not written as a day",
    arguments: [
      ("Asia/Tokyo", "1948-09-11T15:00:00Z", "1948-09-11T14:00:00Z"),
      ("America/Havana", "2023-11-05T05:00:00Z", "2023-11-05T04:00:00Z"),
      ("Pacific/Apia", "1892-07-04T11:26:56Z", "1892-07-03T11:26:56Z"),
    ])
  func secondMidnight(identifier: String, second: String, first: String) throws {
    let rules = ZoneRules(TimeZone(identifier: identifier))
    #expect(try !Timestamp(second, in: .utc).isMidnight(in: rules))
    #expect(try Timestamp(first, in: .utc).isMidnight(in: rules))
  }

  @Test("a time that the clock skips moves forward, one that it shows twice is the first")
  func gaps() throws {
    let berlin = ZoneRules(TimeZone(identifier: "Europe/Berlin"))
    #expect(
      try Timestamp("2024-03-31 02:30", in: berlin) == Timestamp("2024-03-31T01:30:00Z", in: .utc))
    #expect(
      try Timestamp("2024-10-27 02:30", in: berlin) == Timestamp("2024-10-27T00:30:00Z", in: .utc))
    #expect(
      try Timestamp("2524-07-01 12:00", in: berlin) == Timestamp("2524-07-01T10:00:00Z", in: .utc))
  }

  @Test("Tokyo had summer time from 1948 to 1951, and its own mean time before 1888")
  func tokyo() throws {
    let tokyo = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))
    #expect(try Timestamp("1950-07-01", in: tokyo) == Timestamp("1950-06-30T14:00:00Z", in: .utc))
    #expect(try Timestamp("1952-07-01", in: tokyo) == Timestamp("1952-06-30T15:00:00Z", in: .utc))
    #expect(tokyo.offset(at: -4_000_000_000) == 33539)
  }

  @Test("every day of four centuries has its number, month and weekday")
  func civil() {
    var expected = CivilDate(year: 1800, month: 1, day: 1)
    let first = expected.daysSince1970
    for days in first..<(first + 146_097) {
      let date = CivilDate(daysSince1970: days)
      #expect(date == expected && date.daysSince1970 == days)
      expected.day += 1
      if expected.day > expected.lengthOfMonth {
        expected = CivilDate(year: expected.year, month: expected.month, day: 1).adding(months: 1)
      }
    }
    #expect(CivilDate(year: 2026, month: 11, day: 21).weekday == 7)
    #expect(CivilDate(year: 2024, month: 1, day: 31).adding(months: 1).day == 29)
  }
}
