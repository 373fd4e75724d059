import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Constant folding")
struct FoldingTests {
  let world: World

  init() throws { world = try World(items: 200) }

  /// Returns the tree that remains of a bound predicate.
  private func left(of text: String) throws -> String {
    let request = try world.request("Item", where: text)
    var folding = ConstantFolding(request.environment)
    return folding.folded(try #require(request.predicate)).predicateFormat
  }

  @Test(
    "computes parts that do not depend on objects",
    arguments: [
      ("count > 60 * 60", "count > 3600"),
      ("2 > 1", "TRUEPREDICATE"),
      ("count > 2 AND 1 + 1 == 2", "count > 2"),
      ("count > 2 OR 1 + 1 == 3", "count > 2"),
      ("count > 2 AND FALSEPREDICATE AND price > 1", "count > 2 AND FALSEPREDICATE"),
      ("FALSEPREDICATE AND count > 2", "FALSEPREDICATE"),
      ("TRUEPREDICATE OR 1 / 0 == 1", "TRUEPREDICATE"),
      ("NOT (1 == 2) AND count > 1", "count > 1"),
      ("title == uppercase(\"x\")", "title == \"X\""),
      ("title == TERNARY(2 > 1, \"a\", \"b\")", "title == \"a\""),
      ("length(title) > length(\"abc\") + 1", "length:(title) > 4"),
      ("\"cafe\" ==[c] \"CAFE\"", "TRUEPREDICATE"),
      ("ANY {1, 2} > 1", "TRUEPREDICATE"),
      (
        "SUBQUERY(tags, $t, $t.name == \"x\" AND 1 == 1).@count > 2 - 1",
        "SUBQUERY(tags, $t, $t.name == \"x\").@count > 1"
      ),
    ])
  func folds(_ text: String, _ expected: String) throws {
    #expect(try left(of: text) == expected)
    #expect(try world.check("Item", text, 0))
  }

  @Test(
    "keeps parts that fail or are random, and fractions next to decimals",
    arguments: [
      "count > 1 / 0", "1 / 0 == 1", "price > random()", "exact == 0.1 + 0.2",
      "count > 2 AND 1 BETWEEN 3 AND price > 1",
    ])
  func leaves(_ text: String) throws {
    let request = try world.request("Item", where: text)
    #expect(try left(of: text) == request.predicate?.predicateFormat)
  }

  @Test(
    "applies to objects that are known",
    arguments: [
      "title IN $found.title", "home IN $found.home", "serial IN $found.serial",
      "day IN $found.day", "key IN $found.key", "NOT title IN $found.kind",
      "price > $found.@min.price", "count > $found.@count / 9",
    ])
  func known(_ text: String) throws {
    var world = world
    let found = try world.request("Item", where: "count > 3").run()
    world.environment.variables["found"] = .list(
      (0..<found.count).map { .object(ObjectReference(found.object($0))) })
    #expect(try world.request("Item", where: text).plan.filter.isOfKernels)
    #expect(try world.check("Item", text, 0))
  }

  @Test(
    "reads no computed text as a date",
    arguments: [
      "day > concat(\"1900\", \"-01-01\")", "day != concat(\"1900\", \"-01-01\")",
      "concat(\"2100\", \"-01-01\") > day", "day IN {concat(\"2001\", \"-01-01\")}",
      "NOT day > concat(\"1900\", \"-01-01\")",
    ])
  func computedText(text: String) throws {
    #expect(try world.check("Item", text, 1))
  }

  @Test("keeps the place of failures")
  func fails() throws {
    for text in ["1 / 0 == 1", "count > 1 / 0", "1 / 0 == 1 AND FALSEPREDICATE"] {
      #expect(throws: (any Error).self, "\(text)") { try world.fetch("Item", where: text) }
    }
    #expect(try world.fetch("Item", where: "FALSEPREDICATE AND 1 / 0 == 1").isEmpty)
  }

  @Test("applies to a complete chain if nothing in it fails")
  func constantChain() throws {
    let plan = try world.request("Item", where: "count > 2 AND (price > 1 AND 1 == 2)").plan
    #expect(plan.filter.methods == ["constant"])
    let explained = try world.request("Item", where: "count > 2 * 3").explanation(.objects)
    #expect(explained.parts.map(\.text) == ["access", "count > 6"])
  }

  @Test("moves NOT down to the comparisons")
  func negation() throws {
    let text = "NOT (title CONTAINS \"x\" AND (count > 2 OR NOT done == YES))"
    let filter = try world.request("Item", where: text).plan.filter
    #expect(
      filter.methods == [
        "or", "and", "not", "kernel: range over count", "kernel: range over done", "not",
        "kernel: contains, searching the bytes of title",
      ])
    #expect(try world.check("Item", text, 0))
  }

  @Test("joins chains in chains of the same kind")
  func chains() throws {
    let text =
      "title CONTAINS \"x\" AND (ANY tags.name == \"tag1\" AND NOT (count > 2 OR done == YES))"
    let filter = try world.request("Item", where: text).plan.filter
    #expect(filter.parts.count == 4)
    #expect(try world.check("Item", text, 0))
  }
}
