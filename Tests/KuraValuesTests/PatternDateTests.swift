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
}
