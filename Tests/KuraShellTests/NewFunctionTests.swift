import KuraPredicates
import KuraValues
import Testing

@testable import KuraShell

/// A function is a single value; the language needs nothing else.
@Suite("A new function")
struct NewFunctionTests {
  private static let shout = PredicateFunction.own(
    nil, "shout", [.text], .string, "the text, as loud as can be", ("shout(\"a\")", "A!")
  ) { arguments, _ in
    guard case .string(let text) = arguments[0] else { return .null }
    return .string(text.uppercased() + "!")
  }
  private static let later = PredicateFunction.own(
    nil, "later", [], .date, "an hour from now", ("later()", "2026-03-01T10:30:00Z")
  ) { _, context in
    context.now.adding(seconds: 3600).map(Value.date) ?? .null
  }.depending(on: .clock)
  private static let dice = PredicateFunction.own(
    nil, "dice", [], .number, "an integer from 1 to 6 by chance", ("dice()", "4")
  ) { _, context in
    .integer(Int64(context.random() % 6 + 1))
  }.depending(on: .chance)

  private func saying(_ text: String) throws -> String {
    let talk = try TestSession(try TestFolder())
    return PredicateFunction.adding(Self.shout, Self.later, Self.dice) { talk(text) }
  }

  @Test("is read and computed")
  func read() throws {
    #expect(try saying(".mode csv\nprint SHOUT(\"a\")").hasSuffix("\nA!\n"))
    let found = try saying(
      ".mode csv\nfetch Item where shout(title) == \"掃除!\" select shout(title) as loud")
    #expect(found == "loud\n掃除!\n")
  }

  @Test("is refused with a wrong number of arguments, and with a similar name")
  func refused() throws {
    #expect(try saying("print shout()").contains("error: shout takes one argument, not 0\n"))
    let output = try saying("print shuot(\"a\")")
    #expect(output.contains("there is no function \"shuot\"") && output.contains("\"shout\"?"))
  }

  @Test("has its type in the check")
  func checked() throws {
    // A comparison with a text is an error for a number, but not for a text.
    #expect(try saying("count Item where dice() == \"x\"").contains("error: "))
    #expect(try saying("count Item where shout(title) == \"x\"") == "0\n")
    // A text that is compared with a date is read as a date.
    #expect(try saying("count Item where later() > \"2001-01-01\"") == "1\n")
  }

  @Test("is folded if it depends only on its arguments")
  func folded() throws {
    let plan = try saying("explain fetch Item where title == shout(\"a\")")
    #expect(plan.contains("kernel: ") && !plan.contains("reference evaluator"), "\(plan)")
    let chance = try saying("explain fetch Item where length(title) < dice()")
    #expect(chance.contains("reference evaluator"), "\(chance)")
    try PredicateFunction.adding(Self.shout, Self.later) {
      let simple = try PredicateTree(parsing: "title == shout('a') AND date < later()").simplified
      #expect(simple.predicateFormat == "title == \"A!\" AND date < later()")
    }
  }

  @Test("is in the help and in the completions")
  func help() throws {
    #expect(
      try saying(".help shout") == """
        shout

          the text, as loud as can be

          Example: shout("a") is A!

          Kura only: not available on Apple platforms.

        """)
    #expect(try saying(".help functions").contains("shout"))
    PredicateFunction.adding(Self.shout) {
      #expect(FunctionCatalogue.all.map(\.selector).contains("shout"))
      #expect(FunctionCatalogue.signature(called: "Shout")?.operands.kind(at: 0) == .text)
      #expect(HelpTopic.names.contains("shout"))
    }
    #expect(FunctionCatalogue.signature(called: "shout") == nil)
  }
}
