import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraChecking

/// A model of to-do lists; there is no object anywhere in these tests.
let lists = Model(entities: [
  Entity(
    name: "Item",
    attributes: [
      Attribute(name: "title", type: .string), Attribute(name: "rank", type: .integer),
      Attribute(name: "price", type: .decimal), Attribute(name: "done", type: .boolean),
      Attribute(name: "due", type: .date), Attribute(name: "extra", type: .json),
    ],
    relationships: [
      Relationship(name: "home", destination: "Category", inverse: "items"),
      Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
    ]),
  Entity(name: "Task", parent: "Item", attributes: [Attribute(name: "effort", type: .integer)]),
  Entity(
    name: "Category", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "home")
    ]),
  Entity(
    name: "Tag", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
    ]),
])

/// A predicate as a statement has it.
func predicate(_ text: String) throws -> PredicateTree {
  try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parsePredicate()
}

func expression(_ text: String) throws -> ExpressionTree {
  try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parseExpression()
}

/// `sentence @ place` of each problem.
func problems(_ checked: [Diagnostic], in text: String) -> [String] {
  let source = SourceText(text)
  return checked.map { "\($0.facts.sentence) @ \($0.span.map { source.text($0) } ?? "")" }
}

@Suite("Checking a tree against a model")
struct CheckingTests {
  @Test("all problems are found, each at its place")
  func all() throws {
    let text = "titel == 1 AND rank > \"x\" OR NOT home.nam == 2 AND ANY title == nmae"
    let found = try predicate(text).checked(in: CheckContext(lists), of: "Item").problems
    #expect(
      problems(found, in: text) == [
        "Item has no key \"titel\" @ titel",
        "\"rank\" is of type integer, and \"x\" can never be one @ \"x\"",
        "Category has no key \"nam\" @ nam", "Item has no key \"nmae\" @ nmae",
        "\"title\" is one value, not a collection @ title",
      ])
    #expect(found.compactMap(\.fixIt?.replacement) == ["title", "name"])
  }

  @Test("what is unknown gives no problem of its own")
  func noneFollows() throws {
    let text = "titel.x > \"x\" AND SUBQUERY(tgas, $t, $t.a.b == 1).@count > 0"
    let found = try predicate(text).checked(in: CheckContext(lists), of: "Item").problems
    #expect(
      problems(found, in: text) == [
        "Item has no key \"titel\" @ titel", "Item has no key \"tgas\" @ tgas",
      ])
  }

  @Test("literals are read as the types that they stand against, and dates by the zone")
  func literals() throws {
    let checked = try predicate("due > \"2001-01-01\" AND price == 0.1")
      .checked(in: CheckContext(lists), of: "Item")
    #expect(checked.problems.isEmpty)
    #expect(
      checked.tree.predicateFormat == "due > CAST(0.000000, \"NSDate\") AND price == 0.1")
  }

  @Test("a variable's type is enough, and its value is read as a literal")
  func variables() throws {
    let text = "due > $when AND rank == $n"
    let typed = CheckContext(lists, types: ["when": .date, "n": .number])
    let checked = try predicate(text).checked(in: typed, of: "Item")
    #expect(checked.problems.isEmpty && checked.tree.predicateFormat == text)
    var context = CheckContext(lists)
    context.evaluation.variables = ["when": "2001-01-01", "n": "abc"]
    let found = try predicate(text).checked(in: context, of: "Item").problems
    #expect(problems(found, in: text) == ["$n is \"abc\", which is no number @ $n"])
    let unbound = try predicate("due > $x").checked(in: typed, of: "Item").problems
    #expect(problems(unbound, in: "due > $x") == ["$x has no value @ $x"])
  }
}

@Suite("Checking a fetch")
struct FetchCheckingTests {
  private func fetch(_ entity: String, where text: String? = nil) throws -> FetchTree {
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.predicate = try text.map(predicate)
    return fetch
  }

  @Test("every clause is checked, one behind the other")
  func clauses() throws {
    var fetch = try fetch("Item", where: "a == 1")
    fetch.sort = [SortTree(try expression("tags")), SortTree(try expression("b"))]
    fetch.limit = ExpressionTree(.constant(Constant(-1)))
    fetch.section = try expression("c")
    let found = fetch.checked(in: CheckContext(lists))
    #expect(
      found.problems.map(\.facts.sentence) == [
        "\"tags\" is a collection, and a sort goes by one value", "Item has no key \"b\"",
        "Item has no key \"c\"", "limit takes a number from 0 up", "Item has no key \"a\"",
      ])
    #expect(found.tree.entity == "Item")
  }

  @Test("groups are checked: keys, aggregates, and what is neither")
  func groups() throws {
    var fetch = try fetch("Item")
    fetch.grouping = [try expression("home.name")]
    fetch.selection = [
      SelectedColumn(try expression("home.name"), name: "home"),
      SelectedColumn(try expression("sum(title)"), name: "sum"),
      SelectedColumn(try expression("rank"), name: "rank"),
      SelectedColumn(try expression("max(due)"), name: "last"),
    ]
    let checked = fetch.checked(in: CheckContext(lists))
    #expect(
      checked.problems.map(\.facts.sentence) == [
        "sum wants numbers, and this is of type string",
        "\"rank\" is neither an aggregate nor a grouping key",
      ])
    #expect(
      checked.tree.selection?.columns.map(\.type) == [
        .attribute(.string), .any, .any, .attribute(.date),
      ])
  }

  @Test("a nested fetch has its type and its problems, and nothing is run")
  func nested() throws {
    func outer(_ text: String) throws -> Checked<CheckedFetch> {
      var fetch = try fetch("Category")
      let inner = ExpressionTree(.fetch(try self.fetch("Item", where: text)))
      fetch.predicate = PredicateTree(
        .comparison(Comparison(try expression("items"), .in, inner)))
      return fetch.checked(in: CheckContext(lists))
    }
    let sound = try outer("done == NO")
    #expect(sound.problems.isEmpty)
    #expect(sound.nested.map(\.type) == [.collection(.object(entity: "Item"))])
    #expect(try outer("dnoe == NO").problems.map(\.facts.sentence) == ["Item has no key \"dnoe\""])
  }

  @Test("objects that only data knows may have a subentity's keys")
  func narrower() throws {
    var fetch = FetchTree(of: FetchSource(.objects(try expression("$home.items"))))
    fetch.predicate = try predicate("effort > 1 AND efort > 1")
    let context = CheckContext(lists, types: ["home": .object(entity: "Category")])
    let checked = fetch.checked(in: context)
    #expect(checked.tree.entity == "Item")
    #expect(checked.problems.map(\.facts.sentence) == ["Item has no key \"efort\""])
  }
}

@Suite("Types of nodes")
struct CheckedNodesTests {
  @Test("each node has its type, and a step of a path its property")
  func types() throws {
    let text = "ANY tags.name == title AND year(due) > 1990"
    let nodes = CheckedNodes()
    _ = try predicate(text).checked(in: CheckContext(lists), of: "Item", noting: nodes)
    func node(_ word: String) -> CheckedNodes.Node? {
      guard let range = text.range(of: word) else { return nil }
      return nodes.node(around: text.utf8.distance(from: text.startIndex, to: range.lowerBound))
    }
    #expect(node("title")?.type == .attribute(.string))
    #expect(node("name")?.key?.entity == "Tag")
    #expect(node("tags")?.type == .collection(.object(entity: "Tag")))
    #expect(node("due")?.key?.property.name == "due")
    #expect(node("year")?.type == .number)
    #expect(nodes.type(at: SourceSpan(4, 13)) == .collection(.attribute(.string)))
  }
}
