import Foundation
import Kura
import Testing

@Suite("The kind of a diagnostic")
struct DiagnosticKindTests {
  private func kind(_ body: () throws -> Void) -> Diagnostic.Kind? {
    do { try body() } catch { return (error as? Diagnostic)?.kind }
    return nil
  }

  @Test("distinguishes unreadable, forbidden, failing and slow predicates")
  func predicates() throws {
    #expect(kind { _ = try PredicateTree(parsing: "a ==") } == .syntax)
    #expect(kind { _ = try [SortTree](parsing: "a desc,") } == .syntax)
    let limits = PredicateLimits(keyPaths: ["a"], length: 30, depth: 2, allowsMatches: false)
    for text in [
      "secret == 1", "a MATCHES 'x'", "a + (a + (a + a)) == 1",
      "a == 1 OR a == 2 OR a == 3 OR a == 4",
    ] {
      #expect(
        kind { _ = try PredicateTree(parsing: text, within: limits) } == .notAllowed, "\(text)")
    }
    #expect(kind { _ = try [SortTree](parsing: "secret", within: limits) } == .notAllowed)
    #expect(kind { _ = try PredicateTree(parsing: "a == (", within: limits) } == .syntax)
    #expect(kind { _ = try PredicateTree(parsing: "1 / a == 1").evaluate(["a": 0]) } == .evaluation)
    #expect(kind { _ = try PredicateTree(parsing: "$x == 1").evaluate([:]) } == .evaluation)
    var environment = PredicateEnvironment.current
    environment.timeLimit = .microseconds(1)
    let slow = try PredicateTree(
      parsing: "SUBQUERY(a, $x, SUBQUERY(a, $y, $y == $x).@count == 0).@count == 1")
    let numbers: Value = .list((0..<3_000).map { .integer($0) })
    #expect(kind { _ = try slow.evaluate(["a": numbers], in: environment) } == .timeLimit)
  }

  @Test("covers objects and rules of the model")
  func graphs() throws {
    let context = try Store.inMemory(Samples.model).context
    let item = try context.insert("Item", ["title": "茶"])
    #expect(kind { _ = try context.fetch("Item", where: "titel == 'x'") } == .semantics)
    #expect(kind { _ = try context.fetch("Itme", where: "title == 'x'") } == .semantics)
    #expect(
      kind { _ = try context.fetch("Item", where: "1 / length('') == length(title)") }
        == .evaluation)
    #expect(
      kind { _ = try context.fetch("Item", where: "1 / (length(title) - 1) == 3") } == .evaluation)
    #expect(kind { _ = try FetchRequest(parsing: "fetch Item where") } == .syntax)
    #expect(kind { try context.update(item, ["title": 3]) } == .change)
    #expect(kind { try context.update(item, ["titel": "x"]) } == .semantics)
    #expect(kind { _ = try item.value(forKey: "titel") } == .semantics)
    #expect(kind { _ = try context.alter("alter entity Item drop titel") } == .semantics)
    #expect(kind { _ = try context.delete(FetchRequest("Item").limit(0)) } == .change)
    #expect("\(Diagnostic.Kind.notAllowed)" == "notAllowed")
  }
}
