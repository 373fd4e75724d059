import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// The methods that evaluate predicates, so that no test of the kernels passes by using the reference evaluator.
@Suite("The method that evaluates a predicate")
struct MethodTests {
  let world: World

  init() throws { world = try World(items: 200) }

  @Test(
    "is a kernel or a semi-join if there is one",
    arguments: [
      ("Item", "count > 2", "kernel: range over count"),
      ("Item", "3 > count", "kernel: range over count"),
      ("Item", "day BETWEEN {\"1990-01-01\", \"2000-01-01\"}", "kernel: range over day"),
      ("Item", "day < now()", "kernel: range over day"),
      ("Item", "price <= 2.5", "kernel: range over price"),
      ("Item", "done == YES", "kernel: range over done"),
      ("Item", "kind == nil", "kernel: nulls of kind"),
      ("Item", "title CONTAINS \"誕生\"", "kernel: contains, searching the bytes of title"),
      ("Item", "\"誕生\" IN title", "kernel: contains, searching the bytes of title"),
      ("Item", "title ENDSWITH[cd] \"cafe\"", "kernel: ends, searching the folded bytes of title"),
      (
        "Item", "title BEGINSWITH[c] \"cafe\"",
        "kernel: begins, searching the folded bytes of title"
      ),
      ("Item", "title ==[l] \"x\"", "kernel: equals, testing each string of title"),
      ("Item", "title < \"k\"", "kernel: range over the bytes of title"),
      ("Item", "title IN {\"x\", \"\"}", "kernel: set of strings over title"),
      (
        "Item", "title LIKE[c] \"*a*f?\"",
        "kernel: pattern over title, searching for a literal"
      ),
      ("Item", "title LIKE \"*?\"", "kernel: pattern over title"),
      (
        "Item", "title MATCHES \".*fé m.*\"",
        "kernel: automaton over title, searching for its longest literal"
      ),
      ("Item", "title MATCHES \"[A-Z]+\"", "kernel: automaton over title"),
      ("Item", "count IN {-2, -1, 0, 3}", "kernel: range over count"),
      (
        "Item", "count IN {\((-20..<20).map { "\($0 * 2)" }.joined(separator: ", "))}",
        "kernel: set of numbers over count"
      ),
      (
        "Item",
        "count IN {\((-9..<9).map { "\($0 * 1_000_000_000_000)" }.joined(separator: ", ")), 3, nil}",
        "kernel: set of numbers over count"
      ),
      ("Item", "serial == 30", "kernel: index of serial"),
      ("Item", "serial IN {30, 33, 0.5}", "kernel: index of serial"),
      ("Item", "code == \"が 7\"", "kernel: index of code"),
      ("Item", "code IN {\"が 7\", \"x\", nil}", "kernel: index of code"),
      ("Item", "code ==[c] \"が 7\"", "kernel: equals, searching the folded bytes of code"),
      (
        "Item", "key == \"0a0b0c0d-0e0f-4000-8000-000000000007\"", "kernel: index of key"
      ),
      (
        "Item", "key != \"0a0b0c0d-0e0f-4000-8000-000000000007\"",
        "kernel: equals, searching the bytes of key"
      ),
      ("Item", "link == \"http://x.jp/が\"", "kernel: equals, searching the bytes of link"),
      ("Category", "ANY items.serial == 30", "kernel: index of serial"),
      ("Item", "objectID IN {3, 5}", "kernel: rows by objectID"),
      ("Item", "SELF != Item/3", "kernel: rows by objectID"),
      ("Item", "entity.name == \"Task\"", "kernel: entities"),
      ("Item", "home == Category/2", "kernel: links of home"),
      ("Item", "home.name ENDSWITH \"3\"", "semi-join: home, one"),
      ("Item", "home.parent.name == \"x\"", "semi-join: parent, one"),
      ("Item", "ANY tags.name == \"tag1\"", "semi-join: tags, any"),
      ("Item", "ALL tags.name == \"tag1\"", "semi-join: tags, any"),
      ("Item", "NONE tags.items.price > 3", "semi-join: items, any"),
      ("Item", "tags.@count > 1", "kernel: whole columns"),
      ("Item", "home.items.@count > 1", "kernel: whole columns"),
      ("Category", "ANY items.title CONTAINS \"x\"", "semi-join: items, any"),
      ("Category", "SUBQUERY(items, $i, $i.count > 2).@count > 3", "kernel: whole columns"),
      (
        "Tag", "SUBQUERY(items, $i, SUBQUERY($i.tags, $t, $t.name == \"x\").@count > 0).@count > 3",
        "kernel: whole columns"
      ),
      ("Category", "items.@avg.count > 1", "kernel: whole columns"),
      ("Category", "items.@sum.price > 1", "kernel: whole columns"),
      ("Category", "items.@max.day > \"1990-01-01\"", "kernel: whole columns"),
      ("Item", "2 > 1", "constant"),
    ])
  func method(_ entity: String, _ text: String, _ method: String) throws {
    let filter = try world.request(entity, where: text).plan.filter
    let methods = filter.methods
    #expect(methods.contains(method), "\(methods)")
    #expect(!methods.contains("reference evaluator"), "\(methods)")
    #expect(try world.check(entity, text, 0))
  }

  @Test("is an index that follows changes")
  func changedIndex() throws {
    var world = world
    #expect(try world.fetch("Item", where: "serial == 1000000 OR code == \"new\"").isEmpty)
    var context = GraphContext(world.snapshot.graph)
    let values = [
      NewValue("title", .string("x")), NewValue("done", .boolean(true)),
      NewValue("serial", .integer(1_000_000)), NewValue("code", .string("new")),
    ]
    let new = try context.insert([NewObject(entity: "Item", values: values)])
    world.snapshot = context.snapshot
    for text in ["serial == 1000000", "code == \"new\"", "code IN {\"new\", \"old\"}"] {
      #expect(try world.fetch("Item", where: text) == new.map(\.number), "\(text)")
    }
  }

  @Test("is an index of texts after they have been requested often")
  func textIndex() throws {
    let text = "note == \"x\""
    let expected = try world.fetch("Item", where: text)
    for _ in 0..<Table.usesForIndex { _ = try world.request("Item", where: text).plan }
    #expect(
      try world.request("Item", where: text).plan.filter.methods == ["kernel: index of note"])
    for text in [text, "note == \"か\u{3099}っこう\"", "note == \"nobody\""] {
      #expect(try world.check("Item", text, 0))
    }
    #expect(try world.fetch("Item", where: text) == expected)
  }

  @Test("is the reference evaluator otherwise")
  func reference() throws {
    for text in [
      "title.capitalizedString == \"X\"",
      "SUBQUERY(tags, $t, $t.name CONTAINS title).@count > 0",
    ] {
      #expect(
        try world.request("Item", where: text).plan.filter.methods == ["reference evaluator"],
        "\(text)")
    }
  }

  @Test("begins with cheap tests, among tests that cannot fail")
  func order() throws {
    let text = "1 / count > 0 AND title CONTAINS \"x\" AND ANY tags.name == \"tag1\" AND count > 2"
    let parts = try world.request("Item", where: text).plan.filter.parts.map(\.method)
    #expect(
      parts == [
        "kernel: range over count", "semi-join: tags, any",
        "kernel: contains, searching the bytes of title", "kernel: whole columns",
      ])
  }

  @Test("gives no result after a cancellation")
  func stopped() throws {
    var world = world
    let cancel = CancelFlag()
    world.environment.cancel = cancel
    cancel.request()
    for text in ["count > 2", "title.capitalizedString == \"X\"", "ANY tags.name == \"tag1\""] {
      do {
        _ = try world.request("Item", where: text).run()
        Issue.record("\(text) was not stopped")
      } catch {
        #expect("\(error)".contains("stopped"), "\(error)")
      }
    }
    cancel.reset()
    #expect(try world.request("Item").count() == 200)
  }

  @Test("reports the first row that fails")
  func lowestRow() throws {
    let text = "(title.length < 0 OR 1 / (count - 2) == 5) OR 1 / (count - 3) == 5"
    let request = try world.request("Item", where: text)
    let table = world.snapshot.graph.tables[request.place.table]
    let first = try #require(
      (0..<table.count).first { row in
        let object = world.snapshot.object(table: request.place.table, row: row)
        let value = try? object.value(forKey: "count")
        return value == 2 || value == 3
      })
    do {
      _ = try request.count()
      Issue.record("a division by zero was not an error")
    } catch {
      #expect("\(error)".contains("/\(table.identifiers[first])"), "\(error)")
    }
  }
}

extension Filter {
  /// The methods of all nodes.
  var methods: [String] { [method] + parts.flatMap(\.methods) }
}
