import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A predicate depends on its environment")
struct EnvironmentTests {
  private let moment = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z

  private func environment(_ zone: String, locale: String = "en_US") throws -> PredicateEnvironment
  {
    PredicateEnvironment(
      timeZone: try #require(TimeZone(identifier: zone)), locale: Locale(identifier: locale),
      calendar: .gregorian, now: moment, random: PredicateEnvironment.random(seed: 7))
  }

  @Test func zone() throws {
    let predicate = try "hour(at) == 7 AND day(at) == 15".predicate()
    #expect(try predicate.evaluate(["at": moment.predicateValue], in: environment("Asia/Tokyo")))
    #expect(try !predicate.evaluate(["at": moment.predicateValue], in: environment("UTC")))
    let list = [["at": moment.predicateValue]]
    #expect(try list.count(by: predicate, in: environment("Asia/Tokyo")) == 1)
    #expect(try predicate.prepared(in: environment("Asia/Tokyo")).evaluate(list[0]))
    #expect(try list.count(by: "at == '2023-11-15 07:13:20'", in: environment("Asia/Tokyo")) == 1)
  }

  @Test("the system's is the default")
  func system() throws {
    let hour = Calendar(identifier: .gregorian).component(.hour, from: moment)
    #expect(
      try "hour(at) == $h".predicate().evaluate(
        ["at": moment.predicateValue], variables: ["h": .integer(Int64(hour))]))
    #expect(PredicateEnvironment.current.locale == .current)
  }

  @Test func clock() throws {
    let fixed = try environment("UTC")
    let before = try "now() == $then AND today() < now()".predicate()
    #expect(try before.evaluate([:], variables: ["then": moment.predicateValue], in: fixed))
    #expect(
      try before.prepared(variables: ["then": moment.predicateValue], in: fixed).evaluate([:]))
    #expect(try !before.evaluate([:], variables: ["then": moment.predicateValue]))
  }

  @Test func chance() throws {
    let number = try "random()".expression()
    let first = try number.evaluate([:], in: environment("UTC"))
    #expect(try number.evaluate([:], in: environment("UTC")) == first)
  }

  @Test func calendar() throws {
    var japan = try environment("Asia/Tokyo")
    japan.calendar = .japanese
    #expect(try "year(at)".expression().evaluate(["at": moment.predicateValue], in: japan) == 5)
    japan.calendar = .iso8601
    #expect(try "year(at)".expression().evaluate(["at": moment.predicateValue], in: japan) == 2023)
  }

  @Test("[l] and natural follow the locale")
  func locale() throws {
    let words = ["zebra", "ö", "a"]
    #expect(
      try words.filter(by: "SELF >[l] 'z'", in: environment("UTC", locale: "sv_SE")).contains("ö"))
    #expect(
      try !words.filter(by: "SELF >[l] 'z'", in: environment("UTC", locale: "de_DE")).contains("ö"))
    #expect(
      try words.sorted(by: "SELF natural", in: environment("UTC", locale: "sv_SE")) == [
        "a", "zebra", "ö",
      ])
    #expect(
      try words.sorted(by: "SELF natural", in: environment("UTC", locale: "de_DE")) == [
        "a", "ö", "zebra",
      ])
  }

  @Test("natural is localizedStandardCompare by default")
  func natural() throws {
    let names = [
      "Note 10", "note 9", "ﾒﾓ 2", "メモ 10", "_x", "-y", "Ä 1", "a 2", "B", "第2章", "第10章", "", " ",
    ]
    let sorted = names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    #expect(try names.sorted(by: "SELF natural") == sorted)
  }

  @Test("a time limit ends a long evaluation")
  func time() throws {
    var limited = PredicateEnvironment.current
    limited.timeLimit = .milliseconds(20)
    let numbers = Value.list((0..<3_000).map { .integer($0) })
    let slow = try "SUBQUERY(n, $a, SUBQUERY(n, $b, $a * $b == -1).@count > 0).@count == 0"
      .predicate()
    #expect { try slow.evaluate(["n": numbers], in: limited) } throws: { error in
      "\(error)".contains("takes longer than 0.02 seconds")
    }
    #expect(throws: Diagnostic.self) { try [["n": numbers]].count(by: slow, in: limited) }
    #expect(try "n.@count == 3000".predicate().evaluate(["n": numbers], in: limited))
  }
}

extension String {
  fileprivate func expression() throws -> ExpressionTree { try ExpressionTree(parsing: self) }
}
