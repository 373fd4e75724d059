import Foundation
import KuraRendering
import KuraValues
import Testing

@Suite struct CellTextTests {
  private func cell(
    _ value: Value, as format: String = "list", isShort: Bool = false, zone: String = "GMT"
  ) throws -> String {
    let options = RenderingOptions(zone: ZoneRules(TimeZone(identifier: zone)))
    let text = try Grid(value, isShortDate: isShort).text(as: .of(format), options)
    return String(text.dropFirst(["csv": 2, "plain": 0][format] ?? 4).dropLast())
  }

  @Test("People read the language's words, and programs JSON's")
  func words() throws {
    #expect(try cell(.boolean(true)) == "YES")
    #expect(try cell(.boolean(false)) == "NO")
    #expect(try cell(.boolean(true), as: "csv") == "true")
    #expect(try cell(.boolean(false), as: "csv") == "false")
  }

  @Test("Control characters are escaped for people and preserved for programs")
  func controls() throws {
    #expect(try cell(.string("a\n\u{1B}[0m\u{9B}")) == #""a\n\u{1B}[0m\u{9B}""#)
    #expect(try cell(.string("a\n\u{1B}[0m\u{9B}"), as: "plain") == #"a\n\u{1B}[0m\u{9B}"#)
    #expect(try cell(.string("a\u{1B}b"), as: "csv") == "a\u{1B}b")
    #expect(try cell(.list([.string("\u{202E}\n")])) == ##"["\u{202E}\n"]"##)
  }

  @Test("Every kind of value has its text")
  func kinds() throws {
    #expect(try cell(.named("Category", 1)) == "Category/1")
    #expect(try cell(.list([.integer(1), .named("Item", 2)])) == #"[1, "Item/2"]"#)
    #expect(try cell(.dictionary(ValueDictionary([("city", .string("神戸"))]))) == #"{"city": "神戸"}"#)
    #expect(try cell(.set(ValueSet(distinct: [.double(2.5)]))) == "[2.5]")
    #expect(try cell(.binary(Array("kura".utf8))) == "a3VyYQ==")
    #expect(try cell(.uri("https://example.com")) == "https://example.com")
    #expect(try cell(.double(-0.0)) == "-0.0")
    #expect(try cell(.list([.string("a,b")]), as: "csv") == #""[""a,b""]""#)
  }

  @Test(
    "A date is written in the zone, with its offset",
    arguments: [
      (0, "GMT", "1970-01-01T00:00:00Z"), (0, "Asia/Tokyo", "1970-01-01T09:00:00+09:00"),
      (1_279_617_600, "Asia/Tokyo", "2010-07-20T18:20:00+09:00"),
      (1_279_617_600, "America/New_York", "2010-07-20T05:20:00-04:00"),
      (1_265_000_000, "America/New_York", "2010-01-31T23:53:20-05:00"),
      (1_279_617_600, "Asia/Kolkata", "2010-07-20T14:50:00+05:30"),
      (1_279_617_600, "America/St_Johns", "2010-07-20T06:50:00-02:30"),
      (-62_135_596_800, "GMT", "0001-01-01T00:00:00Z"),
      (253_402_300_799, "GMT", "9999-12-31T23:59:59Z"),
      (-1, "GMT", "1969-12-31T23:59:59Z"), (951_782_400, "GMT", "2000-02-29T00:00:00Z"),
      (-3_000_000_000, "Asia/Tokyo", "1874-12-07T18:40:00Z"),
    ] as [(Int64, String, String)])
  func dates(seconds: Int64, zone: String, expected: String) throws {
    #expect(try cell(.seconds(seconds), zone: zone) == expected)
  }

  @Test("Fractions of a second are as short as they can be")
  func fractions() throws {
    #expect(try cell(.date(Timestamp(microseconds: 1_500_000))) == "1970-01-01T00:00:01.5Z")
    #expect(try cell(.date(Timestamp(microseconds: -1))) == "1969-12-31T23:59:59.999999Z")
    _ = try cell(.date(Timestamp(microseconds: .min)), zone: "America/New_York")
    _ = try cell(.date(Timestamp(microseconds: .max)), zone: "Asia/Tokyo")
  }

  @Test("A short date is the day in the zone")
  func shortDates() throws {
    #expect(try cell(.seconds(-32_400), isShort: true, zone: "Asia/Tokyo") == "1970-01-01")
    #expect(try cell(.seconds(0), isShort: true) == "1970-01-01")
  }

  @Test("Days of four centuries agree with the calendar")
  func calendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: Int64(-40_000), to: 110_000, by: 97) {
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day * 86_400)))
      let numbers = try cell(.seconds(day * 86_400), isShort: true).split(separator: "-").map {
        Int($0)
      }
      #expect(numbers == [parts.year, parts.month, parts.day])
    }
  }
}
