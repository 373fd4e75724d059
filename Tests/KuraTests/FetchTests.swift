import Foundation
import Kura
import Testing

@Suite("A fetch")
struct FetchTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  private func titles(_ request: FetchRequest) throws -> [Value] {
    try context.fetch(request).map { try $0["title"] }
  }

  @Test("finds objects by a format with arguments, in an order")
  func finds() throws {
    let open = try FetchRequest("Item", where: "done == NO AND parentCategory.name == %@", "家")
    #expect(try titles(open) == ["掃除"])
    let byDue = try FetchRequest("Item").sorted(by: "due desc nulls last").limit(2)
    #expect(try titles(byDue) == ["掃除", "散歩"])
    #expect(try titles(byDue.offset(1).limit(1)) == ["散歩"])
    #expect(try titles(FetchRequest("Item", where: Key("priority") > 2)) == ["会議"])
    #expect(try context.fetch("Item", where: "due < %@", Samples.day(2)).count == 1)
    #expect(try titles(FetchRequest(parsing: "fetch Item where done == YES")) == ["買い物"])
    let both = try FetchRequest("Item").filtered(by: "done == NO").filtered(by: "due == nil")
    #expect(try context.count(both) == 0)
  }

  @Test("accepts objects as arguments and variables, and follows their paths")
  func objects() throws {
    let home = try #require(context.object("Category", 1))
    #expect(try context.count(FetchRequest("Item", where: "parentCategory == %@", home)) == 2)
    #expect(try context.count(FetchRequest("Item", where: "%@ == parentCategory", home.id)) == 2)
    #expect(try context.count(FetchRequest("Item", where: "parentCategory IN %@", [home])) == 2)
    let variable = try FetchRequest("Item", where: "parentCategory.name == $home.name")
    #expect(try context.count(variable.with(["home": home])) == 2)
    let snapshot = context.snapshot
    let old = try #require(snapshot.object(home.id))
    try context.update(home, ["name": "庭"])
    #expect(try context.count(variable.with(["home": old])) == 2)
    #expect(sentence { _ = try context.count(variable) } == "$home has no value")
  }

  @Test("counts, and returns whether there are any")
  func counts() throws {
    #expect(try context.count(FetchRequest("Item")) == 4)
    #expect(try context.count(FetchRequest("Item").limit(3)) == 3)
    #expect(try context.exists(FetchRequest("Item", where: "priority == 3")))
    #expect(try !context.exists(FetchRequest("Item", where: "priority == 4")))
    #expect(try context.first(FetchRequest("Item", where: "priority == 4")) == nil)
  }

  @Test("returns rows of columns, and of groups")
  func rows() throws {
    let rows = try context.rows(
      FetchRequest("Item").select("title", "priority * 2 as twice").limit(1))
    #expect(rows[0].columns == ["title", "twice"] && rows[0]["twice"] == 2)
    let groups = try FetchRequest("Item").grouped(by: "done").select("done", "count(SELF) as n")
      .having("count(SELF) > 1")
    #expect(try context.rows(groups).map(\.values) == [[false, 3]])
    struct Group: Decodable, Equatable {
      var done: Bool
      var n: Int
    }
    #expect(try context.fetch(groups, as: Group.self) == [Group(done: false, n: 3)])
    #expect(try context.count(groups) == 1)
    #expect(try context.rows(FetchRequest("Tag").select("name").distinct()).count == 2)
  }

  @Test("returns Swift types, with related objects")
  func decodes() throws {
    struct Category: Decodable { var name: String }
    struct Item: Decodable {
      var objectID: ObjectID
      var title: String
      var due: Date?
      var parentCategory: Category?
      var tags: [ObjectID]
    }
    let items = try context.fetch(FetchRequest("Item").sorted(by: "title"), as: Item.self)
    #expect(items.map(\.title) == ["会議", "掃除", "散歩", "買い物"])
    #expect(items[1].parentCategory?.name == "家" && items[2].parentCategory == nil)
    #expect(items[0].objectID.description == "Item/3" && items[0].due == Samples.day(1))
    struct Wrong: Decodable { var titel: String }
    #expect(throws: DecodingError.self) { try context.fetch(FetchRequest("Item"), as: Wrong.self) }
  }

  @Test("reports the object and the key of a type mismatch")
  func placesOfDecoding() throws {
    struct Category: Decodable { var name: Int }
    struct Item: Decodable { var parentCategory: Category? }
    struct Untitled: Decodable { var titel: String }
    let cleaning = try FetchRequest("Item", where: "title == %@", "掃除")
    let id = try #require(try context.objectIDs(cleaning).first)
    let ofKind = said { try context.fetch(cleaning, as: Item.self) }
    #expect(ofKind == "\(id).parentCategory.name: expected Int, found a string")
    let ofName = said { try context.fetch(cleaning, as: Untitled.self) }
    #expect(ofName.hasPrefix("\(id): there is no key \"titel\"; the keys are "))
  }

  private func said(_ body: () throws -> Any) -> String {
    do {
      return "\(try body())"
    } catch DecodingError.typeMismatch(_, let context), DecodingError.keyNotFound(_, let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test("of a saved request has values for its parameters")
  func saved() throws {
    let since = try context.request("Since", ["day": Samples.day(2)])
    #expect(try titles(since) == ["散歩", "掃除"])
    #expect(try context.request("Since", ["day": Samples.day(3)]).tree.sort.count == 1)
    #expect(sentence { _ = try context.request("Since") } == "Since takes $day, not nothing")
    #expect(sentence { _ = try context.request("Sinse") } == "there is no request \"Sinse\"")
    try context.save(FetchRequest("Item", where: "priority > $least"), as: "Important")
    #expect(try titles(context.request("Important", ["least": 2])) == ["会議"])
    #expect(try context.undo() == "request Important")
    let text = """
      fetch Item as $i where (count Item where priority > $i.priority AND priority > $least) == 0 \
      select title, priority > $high as isHigh
      """
    try context.save(FetchRequest(parsing: text), as: "Highest")
    let highest = try context.request("Highest", ["least": 2, "high": 1])
    #expect(Set(highest.tree.variables) == ["least", "high"])
    #expect(try context.undo() == "request Highest")
    #expect(context.model.requests.count == 1)
  }

  @Test("from a snapshot does not see later changes")
  func snapshot() throws {
    let snapshot = context.snapshot
    try context.delete(FetchRequest("Item"))
    #expect(try snapshot.count(FetchRequest("Item")) == 4)
    #expect(try context.count(FetchRequest("Item")) == 0)
    let item = try #require(try snapshot.first(FetchRequest("Item")))
    #expect(try item["title"] == "掃除" && item.value(of: "parentCategory.name") == "家")
    #expect(sentence { _ = try item["x"] } == "Item has no key \"x\"")
  }

  @Test("that takes too long is ended")
  func timeLimit() throws {
    let home = try #require(try context.first(FetchRequest("Category", where: "name == '家'")))
    try context.insert(
      "Item",
      (0..<3_000).map { ["title": "item \($0)", "priority": $0 % 5, "parentCategory": home] })
    // It would take hours, so that the time limit certainly ends it.
    let slow = try FetchRequest(
      "Item",
      where:
        "SUBQUERY(parentCategory.items, $a, SUBQUERY(parentCategory.items, $b, $a.priority * $b.priority == priority - 9).@count > 0).@count > 0"
    )
    guard case .timedOut? = storeError({ _ = try context.fetch(slow.timeLimit(.milliseconds(1))) })
    else {
      return #expect(Bool(false))
    }
    #expect(try context.count(FetchRequest("Item").timeLimit(.seconds(60))) == 3_004)
  }

  @Test(
    "reports errors with their places",
    arguments: [
      ("titel == 'x'", "Item has no key \"titel\""), ("title ==", "expected a value after \"==\""),
      ("priority == 'x'", "\"priority\" is of type integer, but \"x\" is not an integer"),
    ])
  func errors(predicate: String, expected: String) {
    #expect(sentence { _ = try context.fetch("Item", where: predicate) } == expected)
  }
}
