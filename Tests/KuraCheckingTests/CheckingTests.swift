import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraChecking

/// A model of to-do lists; these tests need no objects.
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

@Suite("Completions of operators")
struct OperatorCompletionTests {
  @Test func includeAllOperators() {
    #expect(Set(CheckedType.any.comparisons) == Set(ComparisonOperator.all))
  }
}

/// Parses a predicate as in a statement.
func predicate(_ text: String) throws -> PredicateTree {
  try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parsePredicate()
}

func expression(_ text: String) throws -> ExpressionTree {
  try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parseExpression()
}

/// Returns `sentence @ place` for each problem.
func problems(_ checked: [Diagnostic], in text: String) -> [String] {
  let source = SourceText(text)
  return checked.map { "\($0.facts.sentence) @ \($0.span.map { source.text($0) } ?? "")" }
}

@Suite("A checked tree")
struct CheckedTreeTests {
  /// Each key that names a property, with its entity and the type of the whole path, in the order of the text.
  private func keys(_ tree: ExpressionTree) -> [String] {
    TreeNode.expression(tree).allNodes.expressions.flatMap { node -> [String] in
      guard case .keyPath(let path) = node.kind else { return [] }
      return path.components.map { key in
        key.resolved.map { "\($0.entity).\($0.property.name)" } ?? key.written
      }
    }
  }

  @Test(
    "knows the property of every key",
    arguments: [
      ("title", ["Item.title"]), ("home.name", ["Item.home", "Category.name"]),
      ("tags.@count", ["Item.tags", "@count"]),
      ("home.items.@sum.rank", ["Item.home", "Category.items", "@sum", "Item.rank"]),
      (
        "SUBQUERY(tags, $t, $t.name == title).@count",
        ["@count", "Item.tags", "Tag.name", "Item.title"]
      ),
      ("sum(home.items.(rank * 2))", ["Item.home", "Category.items", "Item.rank"]),
      ("TERNARY(done == YES, due, nil)", ["Item.done", "Item.due"]),
      ("extra.size", ["Item.extra", "size"]), ("title.length", ["Item.title", "length"]),
      ("objectID", ["objectID"]), ("home.objectID", ["Item.home", "objectID"]),
      (
        "(tags MINUS home.items.tags).name",
        ["name", "Item.tags", "Item.home", "Category.items", "Item.tags"]
      ),
    ])
  func resolved(text: String, expected: [String]) throws {
    let checked = try expression(text).checked(in: CheckContext(lists), of: "Item")
    #expect(checked.problems.isEmpty)
    #expect(keys(checked.tree.tree) == expected)
    #expect(try checked.tree.tree == expression(text), "the facts do not change the tree")
  }

  @Test("knows the type of every expression, and keeps it when parts are replaced")
  func types() throws {
    let text = "TERNARY(rank > 3, concat(title, \"!\"), home.name)"
    let checked = try expression(text).checked(in: CheckContext(lists), of: "Item").tree.tree
    let types = TreeNode.expression(checked).allNodes.expressions.map(\.type)
    #expect(
      types == [
        .any, .attribute(.integer), .attribute(.integer), .string, .attribute(.string), .literal,
        .attribute(.string),
      ])
    let changed = checked.replacing { $0.isFixed ? $0 : nil }
    #expect(TreeNode.expression(changed).allNodes.expressions.map(\.type) == types)
  }
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
        "\"rank\" is of type integer, but \"x\" is not an integer @ \"x\"",
        "Category has no key \"nam\" @ nam", "Item has no key \"nmae\" @ nmae",
        "\"title\" is one value, not a collection @ title",
      ])
    #expect(found.compactMap(\.fixIt?.edits.first?.replacement) == ["title", "name", "\"nmae\""])
  }

  @Test("an unknown part causes no further problems")
  func noneFollows() throws {
    let text = "titel.x > \"x\" AND SUBQUERY(tgas, $t, $t.a.b == 1).@count > 0"
    let found = try predicate(text).checked(in: CheckContext(lists), of: "Item").problems
    #expect(
      problems(found, in: text) == [
        "Item has no key \"titel\" @ titel", "Item has no key \"tgas\" @ tgas",
      ])
  }

  @Test("literals are read as the type they are compared with, and dates in the zone")
  func literals() throws {
    let checked = try predicate("due > \"2001-01-01\" AND price == 0.1")
      .checked(in: CheckContext(lists), of: "Item")
    #expect(checked.problems.isEmpty)
    #expect(
      checked.tree.predicateFormat == "due > CAST(0.000000, \"NSDate\") AND price == 0.1")
  }

  @Test("a variable's type is sufficient, and its value is read like a literal")
  func variables() throws {
    let text = "due > $when AND rank == $n"
    let typed = CheckContext(lists, types: ["when": .date, "n": .number])
    let checked = try predicate(text).checked(in: typed, of: "Item")
    #expect(checked.problems.isEmpty && checked.tree.predicateFormat == text)
    var context = CheckContext(lists)
    context.evaluation.variables = ["when": "2001-01-01", "n": "abc"]
    let found = try predicate(text).checked(in: context, of: "Item").problems
    #expect(problems(found, in: text) == ["$n is \"abc\", which is not a number @ $n"])
    let unbound = try predicate("due > $x").checked(in: typed, of: "Item").problems
    #expect(problems(unbound, in: "due > $x") == ["$x has no value @ $x"])
  }
}

@Suite("A comparison that no object can pass because of its types")
struct NeverTrueTests {
  /// Returns the warnings of a predicate about items, and the text after all fixes.
  private func warnings(
    _ text: String, of entity: String = "Item"
  ) throws -> (sentences: [String], corrected: String) {
    let found = try predicate(text).checked(in: CheckContext(lists), of: entity).problems
    #expect(found.allSatisfy { $0.severity == .warning }, "\(found)")
    let corrected = found.compactMap(\.fixIt).reversed().reduce(text) { $1.applied(to: $0) }
    return (found.map(\.facts.sentence), corrected)
  }

  @Test(
    "is reported, with its probable meaning",
    arguments: [
      (
        "tags.name IN {\"a\", \"b\"}",
        "\"tags.name\" is a collection, so it never equals a value in the list",
        "ANY tags.name IN {\"a\", \"b\"}"
      ),
      (
        "tags IN {Tag/1}", "\"tags\" is a collection, so it never equals a value in the list",
        "ANY tags IN {Tag/1}"
      ),
      (
        "tags.name CONTAINS \"掃除\"",
        "this CONTAINS tests whether \"掃除\" equals one value of \"tags.name\"",
        "ANY tags.name CONTAINS \"掃除\""
      ),
      (
        "title == tags.name",
        "\"tags.name\" is a collection, so it never equals the single value \"title\"",
        "title IN tags.name"
      ),
      (
        "tags.name == title",
        "\"tags.name\" is a collection, so it never equals the single value \"title\"",
        "ANY tags.name == title"
      ),
      (
        "home == SELF",
        "\"home\" is an object of Category and \"SELF\" is an object of Item, so they are never "
          + "equal", "home == SELF"
      ),
      (
        "title == rank",
        "\"title\" is a string and \"rank\" is a number, so they are never equal",
        "title == rank"
      ),
      (
        "ANY tags.name > due",
        "\"tags.name\" is a string and \"due\" is a date, so this comparison is never true",
        "ANY tags.name > due"
      ),
    ])
  func said(_ text: String, _ sentence: String, _ corrected: String) throws {
    let (sentences, fixed) = try warnings(text)
    #expect(sentences == [sentence])
    #expect(fixed == corrected)
    if corrected != text { #expect(try warnings(corrected).sentences == []) }
  }

  @Test(
    "is not reported if there may be such an object",
    arguments: [
      "ANY tags.name IN {\"a\"}", "tags CONTAINS Tag/1", "\"a\" IN tags.name",
      "tags.name != title", "extra == title", "extra IN {1, \"a\"}", "title == extra",
      "rank == done", "price > rank", "home.items CONTAINS SELF", "SELF IN home.items",
      "tags.@count == rank", "title == concat(rank, \"x\")", "home.items == tags.items",
      "home == (home)", "due > \"2001-01-01\"", "{\"a\", \"b\"} CONTAINS \"a\"",
      "coalesce(title, \"x\") == title", "\"2\" == 2", "\"a\" IN {1, 2}", "rank IN {1, 2}",
      "rank BETWEEN {1, 2}",
      "SUBQUERY(tags, $t, $t.name == title).@count > 0",
    ])
  func silent(_ text: String) throws {
    #expect(try warnings(text).sentences == [])
  }

  @Test(
    "is reported if it probably has another meaning",
    arguments: [
      (
        "tags == NULL", "\"tags\" is a collection; it can be empty, but it is never nil",
        "tags.@count == 0"
      ),
      (
        "tags != NULL", "\"tags\" is a collection; it can be empty, but it is never nil",
        "tags.@count > 0"
      ),
    ])
  func lookalikes(_ text: String, _ sentence: String, _ corrected: String) throws {
    let (sentences, fixed) = try warnings(text)
    #expect(sentences == [sentence])
    #expect(fixed == corrected)
  }

  @Test("is not reported for entities if one is the parent of the other")
  func related() throws {
    #expect(try warnings("ANY items == SELF", of: "Category").sentences.count == 1)
    #expect(try warnings("ANY items == Task/3", of: "Category").sentences == [])
  }
}

@Suite("The text in a variable")
struct VariableTextTests {
  private func context(_ values: [String: Value]) -> CheckContext {
    var context = CheckContext(lists)
    context.evaluation.variables = values
    return context
  }

  @Test("is a number where a number is expected: in a predicate, in arithmetic, for an attribute")
  func numbers() throws {
    let context = context(["n": "3", "b": "yes"])
    func read(_ text: String, as type: AttributeType? = nil) throws -> String {
      let checked = try expression(text).checked(in: context, of: "Item", as: type)
      #expect(checked.problems.isEmpty, "\(checked.problems)")
      return checked.tree.tree.expressionFormat
    }
    #expect(
      try predicate("rank > $n AND $n > 2 AND done == $b AND rank BETWEEN {$n, 9}")
        .checked(in: context, of: "Item").tree.predicateFormat
        == "rank > 3 AND 3 > 2 AND done == 1 AND rank BETWEEN {3, 9}")
    #expect(try read("$n", as: .integer) == "3")
    #expect(try read("$n", as: .string) == "\"3\"")
    #expect(try read("$b", as: .boolean) == "1")
    #expect(try read("TERNARY(done == YES, $n, 4)", as: .double) == "TERNARY(done == 1, 3, 4)")
    #expect(try read("rank + $n") == "rank + 3")
    #expect(try read("abs($n)") == "abs:(3)")
    #expect(try read("length($n)") == "length:(\"3\")")
    #expect(
      try predicate("title == $n").checked(in: context, of: "Item").tree.predicateFormat
        == "title == \"3\"")
  }

  @Test(
    "that is not a number is refused if a number is expected",
    arguments: ["rank > $w", "$w > 2", "1 IN {$w}", "rank + $w > 2", "abs($w) == rank"])
  func refused(_ text: String) throws {
    let found = try predicate(text).checked(in: context(["w": "soon"]), of: "Item").problems
    #expect(problems(found, in: text) == ["$w is \"soon\", which is not a number @ $w"])
  }

  @Test("that is not a number is refused as a value of a number attribute")
  func refusedValue() throws {
    let checked = try expression("$w").checked(in: context(["w": "soon"]), as: .integer)
    #expect(problems(checked.problems, in: "$w") == ["$w is \"soon\", which is not a number @ $w"])
  }

  @Test("in quotes is still an error compared with a number")
  func written() throws {
    let checked = try expression("\"3\"").checked(in: CheckContext(lists), as: .integer)
    #expect(checked.problems.map(\.facts.sentence) == ["\"3\" is not a value of type integer"])
  }
}

@Suite("Checking a fetch")
struct FetchCheckingTests {
  private func fetch(_ entity: String, where text: String? = nil) throws -> FetchTree {
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.predicate = try text.map(predicate)
    return fetch
  }

  @Test("every clause is checked, one after the other")
  func clauses() throws {
    var fetch = try fetch("Item", where: "a == 1")
    fetch.sort = [SortTree(try expression("tags")), SortTree(try expression("b"))]
    fetch.limit = ExpressionTree(.constant(Constant(-1)))
    fetch.section = try expression("c")
    let found = fetch.checked(in: CheckContext(lists))
    #expect(
      found.problems.map(\.facts.sentence) == [
        "\"tags\" is a collection, but a sort key is a single value", "Item has no key \"b\"",
        "Item has no key \"c\"", "limit requires a number (0 or more)", "Item has no key \"a\"",
      ])
    #expect(found.tree.entity == "Item")
  }

  @Test("groups are checked: keys, aggregates, and expressions that are neither")
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
        "sum requires numbers, but this is of type string",
        "\"rank\" is neither an aggregate nor a grouping key",
      ])
    #expect(
      checked.tree.selection?.columns.map(\.type) == [
        .attribute(.string), .any, .any, .attribute(.date),
      ])
  }

  @Test("a nested fetch has its type and its problems, without being run")
  func nested() throws {
    func outer(_ text: String) throws -> Checked<CheckedFetch> {
      var fetch = try fetch("Category")
      let inner = ExpressionTree(.fetch(try self.fetch("Item", where: text)))
      fetch.predicate = PredicateTree(
        .comparison(Comparison(try expression("items"), .in, inner, modifier: .any)))
      return fetch.checked(in: CheckContext(lists))
    }
    let sound = try outer("done == NO")
    #expect(sound.problems.isEmpty)
    #expect(sound.nested.map(\.type) == [.collection(.object(entity: "Item"))])
    #expect(try outer("dnoe == NO").problems.map(\.facts.sentence) == ["Item has no key \"dnoe\""])
  }

  @Test("objects that only the data can identify may have a subentity's keys")
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
    _ = try predicate(text).checked(in: CheckContext(lists), of: "Item", recording: nodes)
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
