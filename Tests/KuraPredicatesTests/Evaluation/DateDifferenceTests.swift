import Foundation
import TestSupport
import Testing

@testable import KuraPredicates
@testable import KuraValues

@Suite("The time between two dates")
struct DateDifferenceTests {
  private static let units: [(String, Set<Calendar.Component>)] = [
    ("months days", [.month, .day]), ("years months days", [.year, .month, .day]),
    ("weeks days hours", [.weekOfYear, .day, .hour]), ("days", [.day]), ("months", [.month]),
    ("years, days, minutes and seconds", [.year, .day, .minute, .second]),
  ]

  @Test(
    "agrees with Foundation's", arguments: units, ["UTC", "Asia/Tokyo", "America/New_York"])
  func agrees(units: (String, Set<Calendar.Component>), zone: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    let timeZone = try #require(TimeZone(identifier: zone) as TimeZone?)
    calendar.timeZone = timeZone
    let context = EvaluationContext(zone: ZoneRules(timeZone))
    let function = try #require(FunctionCatalogue.signature(called: "timeBetween"))
    var random = SeededNumbers(seed: 41)
    for _ in 0..<500 {
      let from = Timestamp(microseconds: Int64(random.below(2_500_000_000)) * 1_000_000)
      let to = Timestamp(
        microseconds: from.microseconds + Int64(random.below(200_000_000)) * 1_000_000)
      let value = try function.value(
        of: [.date(from), .date(to), .string(units.0)], in: context)
      let parts = calendar.dateComponents(units.1, from: from.date, to: to.date)
      let expected = [
        parts.year, parts.month, parts.weekOfYear, parts.day, parts.hour, parts.minute,
        parts.second,
      ].compactMap { $0 }.map { Value.integer(Int64($0)) }
      #expect(
        value == (expected.count == 1 ? expected[0] : .list(expected)),
        "\(from.date) to \(to.date) in \(zone), seed 41")
    }
  }

  @Test(
    "has a sign, and its units in order",
    arguments: [
      ("timeBetween(\"2026-01-31\", \"2026-03-05\", \"months days\") == {1, 5}"),
      ("timeBetween(\"2026-01-31\", \"2026-03-05\", \"days months\") == {5, 1}"),
      ("timeBetween(\"2026-03-05\", \"2026-01-31\", \"months days\") == {-1, -5}"),
      ("timeBetween(\"2026-03-05\", \"2026-03-05\", \"years months\") == {0, 0}"),
      ("timeBetween(\"2026-07-25 11:00\", \"2026-07-27 09:00\", \"day\") == 1"),
      ("timeBetween(\"0001-01-01\", \"9999-12-31\", \"year\") == 9998"),
      ("timeBetween(nil, \"2026-03-05\", \"days\") == nil"),
    ])
  func cases(text: String) throws {
    #expect(try PredicateTree(parsing: text).evaluate(on: .null, in: EvaluationContext()))
  }

  @Test(
    "is refused in unknown units", arguments: ["moons", "", "days days", "days moons"])
  func refused(units: String) throws {
    let tree = try ExpressionTree(
      parsing: "timeBetween(\"2026-01-31\", \"2026-03-05\", \"\(units)\")")
    #expect(throws: (any Error).self) { try tree.evaluate(on: .null, in: EvaluationContext()) }
  }
}
