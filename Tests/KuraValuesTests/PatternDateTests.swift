import Foundation
import KuraValues
import Testing

@Suite("A date in a pattern")
struct PatternDateTests {
  private func read(_ text: String, _ pattern: String, in zone: ZoneRules = .utc) throws -> String?
  {
    try Timestamp.read(text, pattern: pattern, in: zone).map { "\($0)" }
  }

  @Test(
    "is a time in the zone, also in a repeated or skipped hour",
    arguments: [
      "2024-11-03 01:30", "2024-03-10 02:30", "2024-07-01 12:00", "2024-12-31 23:59",
    ])
  func zone(_ text: String) throws {
    let zone = try #require(TimeZone(identifier: "America/New_York").map(ZoneRules.init))
    let expected = try Timestamp(written: text, in: zone)
    #expect(try Timestamp.read(text, pattern: "yyyy-MM-dd HH:mm", in: zone) == expected)
  }

  @Test("has the offset of its text")
  func offset() throws {
    let noon = try Timestamp(written: "2024-01-31 10:15+09:00", in: .utc)
    let zone = try #require(TimeZone(identifier: "America/New_York").map(ZoneRules.init))
    let read = try Timestamp.read(
      "2024-01-31T10:15:00+0900", pattern: "yyyy-MM-dd'T'HH:mm:ssZ", in: zone)
    #expect(read == noon)
  }

  @Test("does not have another weekday, or a year of two digits for yyyy")
  func refused() throws {
    #expect(try read("Tue 02/01/2024", "EEE dd/MM/yyyy") != nil)
    #expect(try read("Tuesday 02/01/2024", "EEEE dd/MM/yyyy") != nil)
    #expect(try read("Mon 02/01/2024", "EEE dd/MM/yyyy") == nil)
    #expect(try read("12/31/24", "MM/dd/yyyy") == nil)
    #expect(try read("12/31/0024", "MM/dd/yyyy") != nil)
    #expect(try read("12/31/24", "MM/dd/yy") == read("12/31/2024", "MM/dd/yyyy"))
  }

  @Test(
    "needs the hour for minutes, and minutes for seconds",
    arguments: [
      ("59", "mm", .minuteAlone(count: 2, hasMonth: false), "MM"),
      ("2020-01-01 59", "yyyy-MM-dd mm", .minuteAlone(count: 2, hasMonth: true), nil),
      ("d'm'm/01/2020", "d'm'/mm/yyyy", .minuteAlone(count: 2, hasMonth: false), "d'm'/MM/yyyy"),
      ("10:10", "HH:ss", .secondAlone(count: 2), nil),
      ("5", "seconds", .unknownField("o", isRead: true), nil),
      ("31.12.2020", "DD.MM.yyyy", .dayOfYear(count: 2), "dd.MM.yyyy"),
      ("31.12.2020", "DD.MM.YYYY", .dayOfYear(count: 2), "dd.MM.yyyy"),
      ("31.12.2020", "DD.mm.YYYY", .minuteAlone(count: 2, hasMonth: false), "dd.MM.yyyy"),
    ] as [(String, String, FormatProblem, String?)])
  func wholeTime(text: String, pattern: String, problem: FormatProblem, meant: String?) throws {
    #expect(throws: problem) { _ = try read(text, pattern) }
    #expect(DatePattern.corrected(pattern, isRead: true) == meant)
    #expect(!problem.sentence.isEmpty && problem.help != nil)
  }

  @Test("can have a time without a day")
  func timeOnly() throws {
    #expect(try read("10:59 PM", "h:mm a") == "2000-01-01T22:59:00Z")
    #expect(try read("10:59:07", "HH:mm:ss") == "2000-01-01T10:59:07Z")
  }
}
