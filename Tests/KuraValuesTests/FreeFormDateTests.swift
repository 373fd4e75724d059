import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Dates as people write them")
struct FreeFormDateTests {
  private static let tokyo = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))
  /// 2026-03-01 9:30, a Sunday
  private static let now = try? Timestamp("2026-03-01 09:30", in: tokyo)

  private static let forms: [(String, String)] = [
    ("2009年1月1日", "2009-01-01 00:00"), ("平成21年1月1日", "2009-01-01 00:00"),
    ("H21.1.1", "2009-01-01 00:00"), ("h21/01/01", "2009-01-01 00:00"),
    ("平21.1.1", "2009-01-01 00:00"),
    ("㍻21年1月1日", "2009-01-01 00:00"), ("昭和10年6月11日", "1935-06-11 00:00"),
    ("令和元年5月1日", "2019-05-01 00:00"), ("令和 元 年 5 月 1 日", "2019-05-01 00:00"),
    ("Ｒ１．５．１", "2019-05-01 00:00"), ("明治45年7月29日", "1912-07-29 00:00"),
    ("大正元年7月30日", "1912-07-30 00:00"), ("昭和64年1月7日", "1989-01-07 00:00"),
    ("2009.1.1", "2009-01-01 00:00"), ("2009. 1. 1.", "2009-01-01 00:00"),
    ("2009/1/1", "2009-01-01 00:00"), ("2009-1-1", "2009-01-01 00:00"),
    ("20090101", "2009-01-01 00:00"),
    ("２００９年１月１日", "2009-01-01 00:00"), ("　2009年1月1日　", "2009-01-01 00:00"),
    ("2009年1月1日 9時30分", "2009-01-01 09:30"), ("2009年1月1日9時", "2009-01-01 09:00"),
    ("2009年1月1日、9時半", "2009-01-01 09:30"), ("2009/1/1 9:00", "2009-01-01 09:00"),
    ("2009/1/1 9:00:05.25", "2009-01-01 09:00:05.25"), ("20090101 0930", ""),
    ("2009年1月1日午後3時", "2009-01-01 15:00"), ("2009年1月1日 午前0時15分20秒", "2009-01-01 00:15:20"),
    ("2009年1月1日正午", "2009-01-01 12:00"), ("2009-01-01 3:15 PM", "2009-01-01 15:15"),
    ("2009-01-01 12am", "2009-01-01 00:00"), ("2009-01-01 12 p.m.", "2009-01-01 12:00"),
    ("2021年7月20日(火)", "2021-07-20 00:00"), ("2021年7月20日（火） 18:20", "2021-07-20 18:20"),
    ("2021年7月20日火曜日18時", "2021-07-20 18:00"), ("2021/7/20(Tue) 9:00", "2021-07-20 09:00"),
    ("Tuesday, July 20, 2021", "2021-07-20 00:00"), ("20 Jul 2021", "2021-07-20 00:00"),
    ("July 20th, 2021 at 6:20 PM", "2021-07-20 18:20"), ("1st March 2021", "2021-03-01 00:00"),
    ("13/1/2011", "2011-01-13 00:00"), ("1/13/2011", "2011-01-13 00:00"),
    ("01.01.2011", "2011-01-01 00:00"),
    ("9:00", "2026-03-01 09:00"), ("午後3時", "2026-03-01 15:00"), ("18:20", "2026-03-01 18:20"),
    ("today", "2026-03-01 00:00"), ("Yesterday", "2026-02-28 00:00"),
    ("tomorrow 9:00", "2026-03-02 09:00"),
    ("今日", "2026-03-01 00:00"), ("昨日 18時", "2026-02-28 18:00"), ("明日(月)", "2026-03-02 00:00"),
    ("一昨日", "2026-02-27 00:00"), ("明後日", "2026-03-03 00:00"), ("きのう", "2026-02-28 00:00"),
    ("おととい", "2026-02-27 00:00"), ("あさって 9時", "2026-03-03 09:00"), ("3日後", "2026-03-04 00:00"),
    ("２週間前", "2026-02-15 00:00"), ("三日前 18:00", "2026-02-26 18:00"), ("1か月前", "2026-02-01 00:00"),
    ("3 days ago", "2026-02-26 00:00"), ("1 week from now", "2026-03-08 00:00"),
    ("2 Years ago", "2024-03-01 00:00"),
    ("西暦2024年1月31日", "2024-01-31 00:00"), ("二〇二四年一月三十一日", "2024-01-31 00:00"),
    ("令和六年十二月一日 午後三時二十分", "2024-12-01 15:20"), ("千九百八十四年十月十日", "1984-10-10 00:00"),
    ("20240131T101500Z", "2024-01-31 19:15"), ("20240131T101500.5+0100", "2024-01-31 18:15:00.5"),
    ("20240131T1015", "2024-01-31 10:15"), ("2024-01-31 10:15:00 UTC", "2024-01-31 19:15"),
    ("2024-01-31T10:15:00 GMT", "2024-01-31 19:15"), ("2024年1月31日 10:15 JST", "2024-01-31 10:15"),
    // The moments that email.utils of Python 3.11 reads.
    ("Tue, 02 Jan 2024 10:15:00 +0900", "2024-01-02 10:15"),
    ("Tue, 2 Jan 2024 10:15:00 -0500", "2024-01-03 00:15"),
    ("2 Jan 2024 10:15 EST", "2024-01-03 00:15"),
    ("Tue, 02 Jan 2024 10:15:00 GMT", "2024-01-02 19:15"),
    ("Tue, 02 Jan 2024 10:15:00 +0530 (IST)", "2024-01-02 13:45"),
    ("Wed Aug 27 13:08:45 +0000 2008", "2008-08-27 22:08:45"),
    ("Wed Aug 27 13:08:45 2008", "2008-08-27 13:08:45"),
    ("Wed Aug  7 03:08:45 PDT 2013", "2013-08-07 19:08:45"),
    ("Tue Jan 02 2024 10:15:00 GMT+0900 (Japan Standard Time)", "2024-01-02 10:15"),
  ]

  @Test("are the times that they mean", arguments: forms.filter { !$0.1.isEmpty })
  func reads(text: String, plain: String) throws {
    let moment = try Timestamp(written: text, in: Self.tokyo, now: Self.now)
    #expect(moment.text(.plain, in: Self.tokyo) == plain)
  }

  private static let problems: [(String, DateProblem)] = [
    ("soon", .notADate), ("", .notADate), ("2009", .notADate), ("12", .notADate),
    ("火曜日", .notADate),
    ("todays", .notADate), ("1935-06-11x", .trailing(at: 10)), ("20090101 0930", .trailing(at: 9)),
    ("平成40年1月1日", .outsideEra("平成40年1月1日", CivilDate(year: 2028, month: 1, day: 1))),
    ("昭和64年1月8日", .outsideEra("昭和64年1月8日", CivilDate(year: 1989, month: 1, day: 8))),
    ("S1.12.24", .outsideEra("S1.12.24", CivilDate(year: 1926, month: 12, day: 24))),
    ("平成0年1月8日", .outsideEra("平成0年1月8日", CivilDate(year: 1988, month: 1, day: 8))),
    ("明治元年1月24日", .outsideEra("明治元年1月24日", CivilDate(year: 1868, month: 1, day: 24))),
    ("2021年7月20日(水)", .weekday(4, of: CivilDate(year: 2021, month: 7, day: 20))),
    ("Monday, July 20, 2021", .weekday(2, of: CivilDate(year: 2021, month: 7, day: 20))),
    ("今日(月)", .weekday(2, of: CivilDate(year: 2026, month: 3, day: 1))),
    ("01/02/2011", .ambiguous(["2011-01-02", "2011-02-01"])),
    ("1.2.2011 9:00", .ambiguous(["2011-01-02", "2011-02-01"])),
    ("2011年1月13日午後12時", .ambiguous(["12:00", "24:00"])), ("13/13/2011", .month(13)),
    ("7月20日", .missingYear(month: 7, day: 20)), ("7/20", .missingYear(month: 7, day: 20)),
    ("2009年1月", .missingDay), ("2009/1", .missingDay), ("平成21年", .missingDay),
    ("2009年", .missingDay),
    ("13.1.11", .shortYear), ("20 Jul 21", .shortYear), ("2009年13月1日", .month(13)),
    ("2009年2月30日", .day(30, month: 2, year: 2009)), ("平成21年2月29日", .day(29, month: 2, year: 2009)),
    ("20090230", .day(30, month: 2, year: 2009)), ("2009年1月1日 24時", .hour(24)),
    ("25:00", .hour(25)),
    ("午後15時", .hour(15)), ("9:60", .minute(60)), ("9時60分", .minute(60)), ("9:00:60", .second(60)),
    ("午後", .notADate), ("2009年1月1日 午後", .notADate),
    ("20240131T2515", .hour(25)), ("20240131T106000", .minute(60)),
    ("Tue, 03 Jan 2024 10:15:00 +0900", .weekday(3, of: CivilDate(year: 2024, month: 1, day: 3))),
    ("2 Jan 2024 10:15 +2500", .offset), ("Wed Aug 27 13:08:45 +0000", .notADate),
    ("9999年後", .outOfRange),
    // The reader of documents checks the forms of documents.
    ("1935-13-01", .month(13)), ("2023-02-30", .day(30, month: 2, year: 2023)),
    ("1935-06-11 24:00", .hour(24)),
    ("1935-06-11 18:20+25:00", .offset), ("0000-01-01", .year(0)),
  ]

  @Test("or refused with a reason", arguments: problems)
  func refuses(text: String, problem: DateProblem) {
    #expect(throws: problem) { _ = try Timestamp(written: text, in: Self.tokyo, now: Self.now) }
    #expect(!problem.sentence.isEmpty)
  }

  @Test(
    "words and times of day need the current time", arguments: ["今日", "today", "9:00", "午後3時"])
  func relative(text: String) {
    do {
      let moment = try Timestamp(written: text, in: .utc)
      Issue.record("\(text) is \(moment)")
    } catch {
      if case .relative = error { return }
      Issue.record("\(text): \(error)")
    }
  }

  @Test("name their own era")
  func advice() {
    #expect(CivilDate(year: 2028, month: 1, day: 1).eraText == "令和10年1月1日")
    #expect(CivilDate(year: 1989, month: 1, day: 8).eraText == "平成元年1月8日")
    #expect(CivilDate(year: 1800, month: 1, day: 8).eraText == "1800-01-08")
  }

  @Test("never mean another time than in a document")
  func documents() throws {
    var random = SeededNumbers(seed: 8)
    for _ in 0..<500 {
      let moment = Timestamp(microseconds: Int64(random.next() % 4_000_000_000_000_000))
      for form in [DateForm.day, .plain, .rfc3339] {
        let text = moment.text(form, in: Self.tokyo)
        #expect(
          try Timestamp(written: text, in: Self.tokyo, now: Self.now)
            == Timestamp(text, in: Self.tokyo))
      }
    }
  }

  @Test("no text ends the program")
  func anything() {
    let parts = [
      "平成", "H", "21", "年", "1", "月", "日", "(", ")", "火", "9", ":", "00", "午後", "時", "半", "/",
      "2011",
      ".", "-", " ", "今日", "at", "pm", "Jul", "元", "🙂", "\u{301}", "20090101",
      "99999999999999999999",
    ]
    var random = SeededNumbers(seed: 21)
    for _ in 0..<20_000 {
      let text = (0..<(1 + random.below(9))).map { _ in random.pick(parts) }.joined()
      guard let moment = try? Timestamp(written: text, in: Self.tokyo, now: Self.now) else {
        continue
      }
      #expect(moment.isInRange, "\(text)")
    }
  }
}

/// Users can type dates as ICU writes them.
@Suite("Dates that ICU writes")
struct ICUFreeFormDateTests {
  private static let layouts: [(pattern: String, locale: String)] = [
    ("Gy年M月d日", "ja_JP@calendar=japanese"), ("GGGGGy.M.d", "ja_JP@calendar=japanese"),
    ("GGGGGy/MM/dd", "ja_JP@calendar=japanese"), ("G y 年 M 月 d 日", "ja_JP@calendar=japanese"),
    ("Gy年M月d日(E) H:mm", "ja_JP@calendar=japanese"), ("Gy-M-d", "ja_JP@calendar=japanese"),
    ("short", "ja_JP@calendar=japanese"), ("medium", "ja_JP@calendar=japanese"),
    ("long", "ja_JP@calendar=japanese"), ("full", "ja_JP@calendar=japanese"),
    ("yyyy年M月d日", "ja_JP"), ("yyyy年M月d日 H時m分", "ja_JP"), ("yyyy年M月d日 aK時m分", "ja_JP"),
    ("yyyy年MM月dd日 EEEE H:mm:ss", "ja_JP"), ("yyyy.M.d", "ja_JP"), ("yyyyMMdd", "ja_JP"),
    ("yyyy/M/d H:mm", "ja_JP"), ("yyyy-M-d HH:mm:ss.SSS", "ja_JP"), ("medium", "ja_JP"),
    ("long", "ja_JP"), ("full", "ja_JP"), ("yyyy. M. d.", "ko_KR"), ("medium", "en_US"),
    ("long", "en_US"), ("full", "en_US"), ("d MMMM yyyy", "en_GB"),
    ("EEE, d MMM yyyy h:mm a", "en_US"),
  ]
  private static let zones = ["Asia/Tokyo", "UTC", "America/New_York"].map {
    ZoneRules(TimeZone(identifier: $0))
  }
  /// From 1873-01-01, when Japan adopted the Gregorian calendar, to 2120.
  private static let range: Range<Int64> = -3_061_011_600..<4_733_510_400

  @Test("are read as the days and minutes that they represent", arguments: layouts)
  func roundTrips(pattern: String, locale: String) throws {
    let locale = try LocaleName.locale(locale)
    var random = SeededNumbers(seed: 77)
    for _ in 0..<400 {
      let zone = random.pick(Self.zones)
      let seconds = Self.range.lowerBound + Int64(random.below(Self.range.count))
      let moment = Timestamp(microseconds: seconds * 1_000_000)
      try check(moment, pattern, locale, zone)
    }
  }

  @Test("are read at both ends of every era")
  func eras() throws {
    let locale = try LocaleName.locale("ja_JP@calendar=japanese")
    for era in Era.all where era.name != "明治" {
      for days in -400...400 {
        let day = CivilDate(daysSince1970: era.start.daysSince1970 + days)
        let moment = try #require(ZoneRules.utc.moment(CivilTime(day)))
        for pattern in ["Gy年M月d日", "GGGGGy/M/d", "long"] {
          try check(moment, pattern, locale, .utc)
        }
      }
    }
  }

  private func check(
    _ moment: Timestamp, _ pattern: String, _ locale: Locale, _ zone: ZoneRules
  ) throws {
    let text = try moment.text(format: pattern, locale, in: zone)
    let read = try Timestamp(written: text, in: zone)
    #expect(try read.text(format: pattern, locale, in: zone) == text, "seed 77")
    #expect(zone.civil(read).date == zone.civil(moment).date, "\(text), seed 77")
    #expect(try Timestamp(written: text.fullWidth, in: zone) == read, "\(text.fullWidth)")
  }
}

extension String {
  /// With the digits and signs of a Japanese keyboard.
  fileprivate var fullWidth: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          (0x21...0x7E).contains($0.value) ? Unicode.Scalar($0.value + 0xFEE0) ?? $0 : $0
        }))
  }
}
