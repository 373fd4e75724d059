import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("Arguments of a format")
struct ArgumentKindTests {
  @Test("may be slices, keys and values of a dictionary, wide integers")
  func kinds() throws {
    let pairs = ["a": 1, "b": 2]
    #expect(
      try PredicateTree(format: "'b' IN %@ AND 2 IN %@", pairs.keys, pairs.values).evaluate([:]))
    #expect(try PredicateTree(format: "2 IN %@", [1, 2, 3][1...]).evaluate([:]))
    #expect(try !PredicateTree(format: "2 IN %@", ContiguousArray([1])).evaluate([:]))
    #expect(try PredicateTree(format: "n == %@", Int128(3)).evaluate(["n": 3]))
    #expect(try PredicateTree(format: "n < %@", UInt128.max).evaluate(["n": 3]))
    #expect(try [UInt128.max, 1].filter(by: "SELF > 2") == [.max])
  }

  @Test(
    "a decimal is printed in the form in which it is read",
    arguments: [
      "1e-30", "-1e-30", "1e20", "-12e25", "0.1", "123456789012345678901234567890", "1e-100", "5",
      "-0.5",
      "1234567890.12345678901234567", "1e120",
    ])
  func decimals(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    let tree = try PredicateTree(format: "n == %@", decimal)
    let read = try PredicateTree(parsing: tree.predicateFormat)
    #expect(read.predicateFormat == tree.predicateFormat)
    #expect(try read.evaluate(["n": .decimal(decimal)]))
  }

  @Test("a function declares how many arguments it takes")
  func counts() throws {
    func sentence(_ text: String) -> String? {
      do throws(Diagnostic) { _ = try PredicateTree(parsing: text); return nil } catch {
        return error.facts.sentence
      }
    }
    try PredicateFunction.register("countedOne", arguments: 1...1) { $0[0] }
    try PredicateFunction.register("countedSome", arguments: 1...3) { $0[0] }
    try PredicateFunction.register("countedNone", arguments: 0...0) { _ in .null }
    defer {
      for name in ["countedOne", "countedSome", "countedNone"] {
        PredicateFunction.unregister(name)
      }
    }
    #expect(sentence("countedOne(1, 2) == 1") == "countedOne takes one argument, not 2")
    #expect(sentence("countedSome() == 1") == "countedSome takes 1 to 3 arguments, not 0")
    #expect(sentence("countedNone(1) == 1") == "countedNone takes no arguments, not 1")
  }
}
