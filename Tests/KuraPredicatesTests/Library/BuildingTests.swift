import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A tree written in Swift")
struct BuildingTests {
  @Test("prints as its text")
  func prints() {
    let name = "誕生"
    let limit: Int? = nil
    let trees: [(PredicateTree, String)] = [
      (Key("title") == "x" && Key("priority") >= 3, "title == \"x\" AND priority >= 3"),
      (Key("title") == name || Key("a") == nil, "title == \"誕生\" OR a == nil"),
      (Key("a") == limit, "a == nil"), (Key("a") != Key("b.c"), "a != b.c"),
      (!(Key("children.age").any < 18), "NOT ANY children.age < 18"),
      (Key("n").all <= 2.5, "ALL n <= 2.5"),
      (Key("title").contains("誕生", options: .cd), "title CONTAINS[cd] \"誕生\""),
      (Key("title").beginsWith("a"), "title BEGINSWITH \"a\""),
      (Key("title").endsWith("a"), "title ENDSWITH \"a\""),
      (Key("title").isLike("a*", options: .c), "title LIKE[c] \"a*\""),
      (Key("title").matches("a+"), "title MATCHES \"a+\""),
      (Key("a").isIn([1, 2]), "a IN {1, 2}"), (Key.value("x").isIn(Key("tags")), "\"x\" IN tags"),
      (Key("a").isBetween(1, and: 2), "a BETWEEN {1, 2}"),
      (Key("price") * 2 > Key("cost") + 1, "price * 2 > cost + 1"),
      (Key.call("abs", Key("a") - Key("b")) / 2 == 1, "abs:(a - b) / 2 == 1"),
      (Key("items.@sum.n") > 1, "items.@sum.n > 1"), (Key.evaluatedObject == true, "SELF == 1"),
      (
        Key("items").subquery("i", where: Key("$i.done") == false).count > 2,
        "SUBQUERY(items, $i, $i.done == 0).@count > 2"
      ),
      (PredicateTree.all(of: []), "TRUEPREDICATE"), (PredicateTree.any(of: []), "FALSEPREDICATE"),
      (.all(of: [Key("a") == 1]), "a == 1"),
      (.any(of: [Key("a") == 1, .never]), "a == 1 OR FALSEPREDICATE"),
      (Key("a") == 1 && Key("b") == 2 && Key("c") == 3, "a == 1 AND b == 2 AND c == 3"),
    ]
    for (tree, text) in trees { #expect(tree.predicateFormat == text) }
  }

  @Test("equals its parsed text")
  func parsesEqual() throws {
    let tree = Key("title") == "x" && Key("$i.done") == Key("$x") || Key("a.@count") > 1
    #expect(try PredicateTree(parsing: tree.predicateFormat) == tree)
  }

  @Test("sorts, too")
  func sortKeys() {
    let keys = [Key("age").descending, Key("name").ascending(options: .cd, nullsFirst: false)]
    #expect(keys.map(\.description) == ["age desc", "name[cd] nulls last"])
  }
}
