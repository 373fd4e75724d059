import Foundation
import KuraPredicates
import KuraValues
import TestSupport
import Testing

private struct Event: Codable {
  var at: Date
}

@Suite("Dates of a program are compared exactly")
struct ExactDateTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000.123456)
  private static let next = Date(
    timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)

  @Test("two dates less than a microsecond apart are different, as in Foundation")
  func comparisons() throws {
    let (date, next) = (Self.date, Self.next)
    let events = [Event(at: next), Event(at: date), Event(at: next)]
    #expect(date < next)
    #expect(try events.count(by: PredicateTree(format: "at == %@", date)) == 1)
    #expect(try events.count(by: PredicateTree(format: "at != %@", date)) == 2)
    #expect(try events.count(by: PredicateTree(format: "at > %@", date)) == 2)
    #expect(try events.count(by: PredicateTree(format: "at <= %@", date)) == 1)
    #expect(try events.count(by: PredicateTree(format: "at BETWEEN {%@, %@}", next, next)) == 2)
    #expect(try events.count(by: PredicateTree(format: "at IN %@", [date])) == 1)
    #expect(try events.count(by: "at == $day", variables: ["day": date.predicateValue]) == 1)
    #expect(try events.sorted(by: "at").map(\.at) == [date, next, next])
    #expect(Set([date, next, date].map(\.predicateValue)).count == 2)
  }

  @Test("any date is read back unchanged, and compares as it does")
  func anyDate() throws {
    var random = SeededNumbers(seed: 7)
    for _ in 0..<2000 {
      let exponent = Double.random(in: -9...10.7, using: &random)
      let seconds = pow(10, exponent) * (random.flip() ? 1 : -1)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let other = Date(
        timeIntervalSinceReferenceDate: random.flip() ? seconds.nextUp : seconds.nextDown)
      #expect(date.predicateValue.dateValue == date)
      #expect((date.predicateValue == other.predicateValue) == (date == other))
      let (a, b) = (try #require(Timestamp(date)), try #require(Timestamp(other)))
      #expect((a < b) == (date < other), "\(seconds)")
      let printed = try PredicateTree(format: "at == %@", date).predicateFormat
      let again = try PredicateTree(parsing: printed)
      for (moment, isSame) in [(date, true), (other, date == other)] {
        let object = ["at": moment.predicateValue]
        #expect(try again.evaluate(object) == isSame, "\(printed)")
        #expect(try again.prepared().evaluate(object) == isSame, "\(printed)")
      }
    }
  }

  @Test("a text has microseconds, and means the date that has them")
  func texts() throws {
    let rounded = Date(timeIntervalSince1970: 1_700_000_000.123456)
    let events = [Event(at: rounded)]
    let text = "2023-11-14T22:13:20.123456Z"
    for question in [
      "at == '\(text)'", "at >= '\(text)'", "NOT at < '\(text)'", "at IN {'\(text)'}",
      "at BETWEEN {'\(text)', '\(text)'}", "at != '2023-11-14T22:13:20.123457Z'",
    ] {
      #expect(try events.count(by: question) == 1, "\(question)")
      let prepared = try PredicateTree(parsing: question).prepared()
      #expect(try prepared.evaluate(["at": rounded.predicateValue]), "\(question)")
    }
    #expect(
      try PredicateTree(format: "%@ CONTAINS $day", [Self.next]).evaluate(
        [:], variables: ["day": .string("2026-05-09T06:13:20.123456Z")]))
  }

  @Test("an encoded tree preserves them")
  func kept() throws {
    let tree = try PredicateTree(format: "at == %@", Self.next)
    let again = try JSONDecoder().decode(PredicateTree.self, from: JSONEncoder().encode(tree))
    #expect(again == tree)
    #expect(try again != PredicateTree(format: "at == %@", Self.date))
  }
}
