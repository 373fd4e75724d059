import Foundation
import TestSupport
import Testing

@testable import KuraValues

@Suite("Dates in patterns")
struct DatePatternTests {
  private static let zones = ["UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe"]

  /// ICU's default calendar is the Julian one before 1582.
  @Test("show the same days and hours as the functions of the language", arguments: zones)
  func agree(identifier: String) throws {
    let zone = ZoneRules(TimeZone(identifier: identifier))
    var random = SeededNumbers(seed: 5)
    for _ in 0..<2000 {
      let seconds = Int64(random.next() % 315_000_000_000) - 62_000_000_000
      // A formatter rounds to milliseconds.
      let fraction = [0, 999_400, 999_600, 999_999][Int(random.next() % 4)] as Int64
      let moment = Timestamp(microseconds: seconds * 1_000_000 + fraction)
      let civil = zone.civil(moment)
      guard (1...9999).contains(civil.date.year) else { continue }
      let text = try moment.text(format: "y/M/d H:m:s e", Locale(identifier: "en_US"), in: zone)
      let (date, hour) = (civil.date, civil.hour)
      #expect(
        text == "\(date.year)/\(date.month)/\(date.day) \(hour):\(civil.minute):\(civil.second) "
          + "\(date.weekday)", "\(identifier), seed 5")
    }
  }

  private static let moment = try? Timestamp("2021-07-20 18:20", in: .utc)

  @Test(
    "have the words of the pattern's language, unless a locale is named",
    arguments: [
      ("M月d日(E) H:mm", nil, "7月20日(火) 18:20"), ("yyyy年M月d日 EEEE", nil, "2021年7月20日 火曜日"),
      ("EEE, d MMM", nil, "Tue, 20 Jul"), ("M월 d일 (E)", nil, "7월 20일 (화)"),
      ("M月d日(E)", "zh_CN", "7月20日(周二)"), ("Gy年M月d日", "ja_JP@calendar=japanese", "令和3年7月20日"),
      ("EEEE", "de_DE", "Dienstag"), ("'Tag' d", "de_DE", "Tag 20"),
      ("h 'o''clock'", nil, "6 o'clock"),
      ("long", "ja_JP", "2021年7月20日 18:20"), ("long date", "ja_JP", "2021年7月20日"),
      ("short time", "ja_JP", "18:20"), ("full date", "de_DE", "Dienstag, 20. Juli 2021"),
    ] as [(String, String?, String)])
  func words(pattern: String, locale: String?, text: String) throws {
    let locale = try locale.map(LocaleName.locale)
    #expect(try Self.moment?.text(format: pattern, locale, in: .utc) == text)
  }

  @Test("follow the chosen calendar if they show its era")
  func chosen() throws {
    let chosen = try LocaleName.locale("ja_JP@calendar=japanese")
    for (pattern, identifier) in [
      ("yyyy-MM-dd", "ja_JP"), ("Gy年", "ja_JP@calendar=japanese"),
      ("long", "ja_JP@calendar=japanese"),
    ] {
      #expect(DatePattern.locale(chosen: chosen, for: pattern).identifier == identifier)
    }
    let numbers = Locale(identifier: "ar_EG@calendar=islamic;numbers=latn")
    #expect(DatePattern.locale(chosen: numbers, for: "y").identifier == "ar_EG@numbers=latn")
  }

  @Test("with a style show the time and the seconds unless they are zero")
  func styles() throws {
    let locale = Locale(identifier: "ja_JP")
    for (text, shown) in [
      ("2021-07-20", "2021年7月20日"), ("2021-07-20 18:20", "2021年7月20日 18:20"),
      ("2021-07-20 18:20:05", "2021年7月20日 18:20:05"),
    ] {
      let moment = try Timestamp(text, in: .utc)
      #expect(try moment.text(DateStyle(.long), locale, in: .utc) == shown)
    }
    let midnight = try Timestamp("2021-07-20", in: .utc)
    #expect(
      try midnight.text(DateStyle(.long, part: .datetime), locale, in: .utc) == "2021年7月20日 0:00")
  }

  @Test(
    "are refused with a reason",
    arguments: [
      ("t", .unknownField("t", isRead: false)), ("", .noField(.date)), ("''", .noField(.date)),
      ("日", .noField(.date)),
      ("y'x", .openQuote), ("YYYY-MM-dd", .yearOfWeek(count: 4)),
      ("yyyy-MM-DD", .dayOfYear(count: 2)),
      ("#,##0.00", .noField(.date)), (String(repeating: "y", count: 2000), .tooLong),
    ] as [(String, FormatProblem)])
  func refuses(pattern: String, problem: FormatProblem) {
    #expect(throws: problem) { _ = try Self.moment?.text(format: pattern, nil, in: .utc) }
    #expect(!problem.sentence.isEmpty)
  }

  @Test("are written by several threads at a time")
  func threads() async throws {
    let moments = (0..<400).map { Timestamp(microseconds: Int64($0) * 86_400_000_000 * 91) }
    let expected = try moments.map { try $0.text(format: "M月d日(E) yyyy", nil, in: .utc) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          expected == moments.map { (try? $0.text(format: "M月d日(E) yyyy", nil, in: .utc)) ?? "" }
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}

@Suite("Numbers in patterns")
struct NumberPatternTests {
  @Test(
    "have the signs of a locale",
    arguments: [
      (.integer(1_234_567), "#,##0.00", nil, "1,234,567.00"),
      (.double(-1234.5), "#,##0.00", "de_DE", "-1.234,50"), (.double(0.125), "0.0%", nil, "12.5%"),
      (.double(2.5), "0", nil, "3"), (.double(-2.5), "0", nil, "-3"),
      (.double(-2), "0;(0)", nil, "(2)"), (.integer(7), "000", nil, "007"),
      (.integer(980), "currency", "ja_JP", "¥980"), (.integer(980), "#,##0円", "ja_JP", "980円"),
      (.integer(320), "spellout", "ja_JP", "三百二十"), (.double(0.12), "percent", nil, "12%"),
      (.double(1234.5), "decimal", "de_DE", "1.234,5"),
    ] as [(Value, String, String?, String)])
  func signs(value: Value, pattern: String, locale: String?, text: String) throws {
    let locale = try locale.map(LocaleName.locale)
    #expect(try value.numberText(format: pattern, locale) == text)
  }

  @Test("keep all their digits")
  func digits() throws {
    var random = SeededNumbers(seed: 3)
    for _ in 0..<500 {
      let count = 1 + random.below(30)
      let digits = (0..<count).map { _ in String(random.below(10)) }.joined()
      guard let decimal = NumberText.decimal("1\(digits).\(digits.prefix(6))7") else { continue }
      let text = try Value.decimal(decimal).numberText(format: "decimal", nil)
      #expect(text?.replacing(",", with: "") == NumberText.text(decimal), "seed 3")
    }
    #expect(
      try Value.integer(.min).numberText(format: "#,##0", nil) == "-9,223,372,036,854,775,808")
  }

  @Test(
    "are refused with a reason",
    arguments: [
      ("abc", .noField(.number)), ("", .noField(.number)), ("0.0.0", .malformed),
      ("'0", .openQuote),
      ("currency EURO", .unknownCurrency("EURO")), ("yyyy", .noField(.number)),
    ] as [(String, FormatProblem)])
  func refuses(pattern: String, problem: FormatProblem) {
    #expect(throws: problem) { _ = try Value.integer(3).numberText(format: pattern, nil) }
  }

  @Test("are not created from anything but numbers")
  func others() throws {
    for value: Value in [.null, true, "3", [1], .double(.infinity)] {
      #expect(try value.numberText(format: "0", nil) == nil)
    }
  }
}

@Suite("Names of locales")
struct LocaleNameTests {
  @Test(
    "are read as people write them",
    arguments: [
      ("ja_JP", "ja_JP"), ("ja-JP", "ja_JP"), ("ja", "ja"), ("en_US_POSIX", "en_US_POSIX"),
      ("ja_JP@calendar=japanese", "ja_JP@calendar=japanese"),
      ("ja-JP-u-ca-japanese", "ja_JP@calendar=japanese"), ("zh-Hant-TW", "zh_Hant_TW"),
      ("zh_CN", "zh_CN"), ("en_JP", "en_JP"),
    ])
  func reads(name: String, identifier: String) throws {
    #expect(try LocaleName.locale(name).identifier == identifier)
  }

  @Test(
    "or refused",
    arguments: [
      ("xx_YY", .unknownLocale("xx_YY")), ("ja_PJ", .unknownLocale("ja_PJ")),
      ("", .unknownLocale("")),
      ("ja_JP@calendar=japanesse", .unknownCalendar("japanesse")),
      ("ja_JP@calender=japanese", .unknownKeyword("calender")), ("ja_JP@", .unknownKeyword("")),
    ] as [(String, FormatProblem)])
  func refuses(name: String, problem: FormatProblem) {
    #expect(throws: problem) { _ = try LocaleName.locale(name) }
  }
}
