import Foundation
import Kura
import TestSupport
import Testing

@Suite("The time zone, locale and time of an evaluation")
struct ContextEnvironmentTests {
  private let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt

  private func context(_ zone: TimeZone? = nil) throws -> ManagedObjectContext {
    let model = try Model {
      try Entity("Item") {
        Attribute("title", .string)
        Attribute("due", .date, isOptional: true)
        try Attribute("hour", .integer, derived: "hour(due)")
      }
    }
    return try Store.inMemory(model, timeZone: zone).context
  }

  /// Returns the results of a request, an object's expression and a predicate over objects, which
  /// must agree.
  private func answers(_ context: ManagedObjectContext, _ predicate: String) throws -> [Bool] {
    let items = try context.fetch(FetchRequest("Item"))
    let snapshot = context.snapshot
    return [
      try context.count(FetchRequest("Item", where: predicate)) == 1,
      try snapshot.count(FetchRequest("Item", where: predicate)) == 1,
      try !items.filter(by: predicate, in: context.environment).isEmpty,
      try items[0].value(of: "TERNARY(\(predicate), 1, 0)") == 1,
      try snapshot.fetch(FetchRequest("Item"))[0].value(of: "TERNARY(\(predicate), 1, 0)") == 1,
    ]
  }

  @Test(
    "have the store's time zone for requests, expressions and objects",
    arguments: ["hour(due) == 9", "due == '1970-01-01 09:00'", "due >= '1970-01-01'"])
  func zone(_ predicate: String) throws {
    let context = try context(tokyo)
    try context.insert("Item", ["title": "a", "due": "1970-01-01 09:00"])
    #expect(
      try context.fetch(FetchRequest("Item"))[0]["due"].dateValue == Date(timeIntervalSince1970: 0))
    #expect(try answers(context, predicate) == Array(repeating: true, count: 5))
  }

  @Test("are the system's by default")
  func system() throws {
    let context = try context()
    #expect(context.environment.timeZone == PredicateEnvironment.current.timeZone)
    #expect(context.environment.locale == PredicateEnvironment.current.locale)
  }

  @Test("are the program's: zone, locale, calendar, time and random numbers")
  func environment() throws {
    let context = try context()
    try context.insert("Item", [["title": "z"], ["title": "ä"]])
    context.environment = PredicateEnvironment(
      timeZone: tokyo, locale: Locale(identifier: "sv_SE"), calendar: .japanese,
      now: Date(timeIntervalSince1970: 1_770_000_000), random: PredicateEnvironment.random(seed: 1))
    let sorted = try context.fetch(FetchRequest("Item").sorted(by: "title[l]"))
    #expect(try sorted.map { try $0["title"] } == ["z", "ä"])
    context.environment.locale = Locale(identifier: "de_DE")
    let german = try context.fetch(FetchRequest("Item").sorted(by: "title[l]"))
    #expect(try german.map { try $0["title"] } == ["ä", "z"])
    try context.update(sorted[0], ["due": Date(timeIntervalSince1970: 1_770_000_000)])
    #expect(try context.count(FetchRequest("Item", where: "year(due) == 8 AND due == now()")) == 1)
    let rows = try context.rows(FetchRequest(parsing: "fetch Item select random() as r"))
    let again = try context.rows(FetchRequest(parsing: "fetch Item select random() as r"))
    #expect(rows.count == 2 && rows[0]["r"] != again[0]["r"])
  }

  @Test("do not affect the file's own values")
  func derived() throws {
    let context = try context()
    context.environment.timeZone = tokyo
    let item = try context.insert("Item", ["title": "a", "due": "1970-01-01 09:00"])
    #expect(try item["hour"] == 0 && item.value(of: "hour(due)") == 9)
  }
}
