import Foundation
import KuraBytes
import KuraDiagnostics
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

@Suite("On any stack, a fetch")
struct StackTests {
  private static func nested(_ open: String, _ inside: String, _ close: String, _ count: Int)
    -> String
  {
    String(repeating: open, count: count) + inside + String(repeating: close, count: count)
  }

  private static let texts: [DeepText] = [
    Array(repeating: "1", count: 900).joined(separator: "+") + " == 900",
    Array(repeating: "count", count: 900).joined(separator: "+") + " > 0",
    nested("NOT (", "done == YES", ")", 900),
    nested("(done == YES AND (count > 1 OR ", "title == \"x\"", "))", 450),
    nested("{", "1", "}", 900) + " == count",
    nested("TERNARY(1 == 1, ", "count", ", 2)", 900) + " == 1",
    "home." + String(repeating: "parent.", count: 3_000) + "name == \"x\"",
    "ANY home" + String(repeating: ".children", count: 900) + ".name == \"x\"",
    "home.items" + String(repeating: ".@count", count: 3_000) + " == 1",
    "SUBQUERY(home.items, $a, "
      + nested("SUBQUERY($a.home.items, $b, ", "$b.done == YES", ").@count > 900", 300)
      + ").@count > 1",
    "1 IN " + nested("{count, ", "2", "}", 900), nested("coalesce(", "count", ")", 900) + " == 1",
    nested("abs(-", "price", ")", 450) + " == 1",
  ].map(DeepText.init)

  @Test("is bound, planned, explained and run", arguments: stackSizes, texts)
  func runs(stack: Int, text: DeepText) throws {
    var world = try World(items: 20)
    // Some would run too long; it is enough that they start.
    let flag = CancelFlag()
    world.environment.cancel = flag
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { flag.request() }
    let asked = world
    try onStack(of: stack) { () throws in
      let request = try asked.request("Item", where: text.text)
      #expect(!request.explanation(.objects).parts.isEmpty)
      do { _ = try request.run() } catch let error as Diagnostic {
        // It was stopped, or failed at an object, but did not exhaust the stack.
        #expect(error.facts is RowFailure || error.facts is EvaluationError, "\(error)")
      }
    }
  }

  /// Each level used to double the work.
  @Test("of nested SUBQUERYs is folded in linear time")
  func folding() throws {
    let world = try World(items: 5)
    let text =
      "SUBQUERY(tags, $a0, "
      + (1..<60).map { "SUBQUERY($a\($0 - 1).items.tags, $a\($0), " }.joined()
      + "1 + 1 == 3" + String(repeating: ").@count > 0", count: 59) + ").@count > 0"
    let seconds = try ProcessorTime.seconds {
      let plan = try world.request("Item", where: text).explanation(.objects)
      #expect(!"\(plan)".isEmpty)
    }
    #expect(seconds < 60)
  }
}

/// A text with a short description.
struct DeepText: CustomTestStringConvertible, Sendable {
  let text: String

  var testDescription: String { text.prefix(40) + "…" }
}
