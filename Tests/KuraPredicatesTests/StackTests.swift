import Foundation
import KuraDiagnostics
import KuraValues
import TestSupport
import Testing

@testable import KuraPredicates

@Suite("On any stack")
struct StackTests {
  /// Returns a tree that a program has built, with more levels than a parser would allow.
  private static func sum(of levels: Int) -> ExpressionTree {
    let one = ExpressionTree(.constant(Constant(.integer(1))))
    return (0..<levels).reduce(one) { tree, _ in
      ExpressionTree(.function(FunctionCall(.add, [tree, one])))
    }
  }

  private static func denial(of levels: Int) -> PredicateTree {
    (0..<levels).reduce(Key("a") == 1) { tree, _ in PredicateTree(.not(tree)) }
  }

  private static func alternation(of levels: Int) -> PredicateTree {
    (0..<levels).reduce(Key("a") == 1) { tree, level in
      PredicateTree(level % 2 == 0 ? .and([Key("b") == 2, tree]) : .or([tree, Key("c") == 3]))
    }
  }

  @Test("a tree of twenty thousand levels is computed and printed", arguments: stackSizes)
  func sum(stack: Int) throws {
    try onStack(of: stack) { () throws in
      let tree = Self.sum(of: 20_000)
      #expect(try tree.evaluate([:]) == .integer(20_001))
      #expect(tree.expressionFormat.utf8.count > 80_000)
      #expect(tree == Self.sum(of: 20_000) && tree != Self.sum(of: 19_999))
      #expect(tree.hashValue == Self.sum(of: 20_000).hashValue)
      #expect(tree.simplified.kind == .constant(Constant(.integer(20_001))))
    }
  }

  @Test("a tree of twenty thousand levels is walked and rewritten", arguments: stackSizes)
  func denial(stack: Int) throws {
    try onStack(of: stack) { () throws in
      let tree = Self.denial(of: 20_001)
      var count = 0
      tree.walk { _, _ in
        count += 1
        return .into
      }
      #expect(count == 20_004 && tree.keyPaths.count == 1 && tree.variables.isEmpty)
      #expect(tree.inNegationNormalForm == (Key("a") != 1))
      #expect(try tree.inConjunctiveForm() == (Key("a") != 1))
      #expect(tree.simplified == Self.denial(of: 1))
      #expect(try tree.evaluate(["a": 1]) == false)
      #expect(try tree.prepared().evaluate(["a": 1]) == false)
      #expect(tree.substituting(["x": 1]) == tree)
      #expect(tree.rewritingExpressions { inner, _ in inner } == tree)
      let same = tree.replacing { (_: ExpressionTree) throws(Never) -> ExpressionTree? in nil }
      #expect(same == tree)
    }
  }

  @Test("AND in OR in AND is evaluated, and its conjunctive form is refused", arguments: stackSizes)
  func alternation(stack: Int) throws {
    try onStack(of: stack) { () throws in
      let tree = Self.alternation(of: 2_000)
      #expect(try tree.evaluate(["a": 1, "b": 2, "c": 0]))
      #expect(try tree.prepared().evaluate(["a": 1, "b": 2, "c": 0]))
      #expect(tree.simplified == tree)
      #expect(throws: Diagnostic.self) { try tree.inConjunctiveForm() }
    }
  }

  @Test("a tree too deep to be a text is not encoded, with a message", arguments: stackSizes)
  func coding(stack: Int) throws {
    try onStack(of: stack) { () throws in
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(Self.denial(of: 20_000)) }
      let tree = Self.denial(of: 900)
      let kept = try JSONEncoder().encode(tree)
      #expect(try JSONDecoder().decode(PredicateTree.self, from: kept) == tree)
      #expect(
        try JSONDecoder().decode(PredicateTree.self, from: Data(Self.parts(2_000).utf8)).height
          > 2_000)
    }
  }

  /// Returns an encoded tree in which each part refers to the next.
  private static func parts(_ count: Int) -> String {
    let parts = (0..<count).map {
      #""p\#($0)": {"and": ["\#($0 + 1 < count ? "$p\($0 + 1) == YES" : "a == 1")"]}"#
    }
    return #"{"kura": 1, "predicate": "$p0 == YES", "values": {\#(parts.joined(separator: ","))}}"#
  }

  @Test("an index after a dot is regrouped", arguments: stackSizes)
  func regrouping(stack: Int) throws {
    try onStack(of: stack) { () throws in
      let text = "a.b" + String(repeating: "[0]", count: 900)
      let tree = try ExpressionTree(parsing: text)
      #expect(tree.withIndexOutside.expressionFormat.hasPrefix("(a.b)[0]"))
    }
  }

  @Test("prefixes have a limit", arguments: stackSizes)
  func words(stack: Int) throws {
    try onStack(of: stack) { () throws in
      for word in ["ANY ", "1 == NOT ", "NONE ", "1 == ! ", "ALL NOT "] {
        let text = String(repeating: word, count: 9_000) + "a == 1"
        let error = #expect(throws: Diagnostic.self) { try PredicateTree(parsing: text) }
        #expect(error?.span != nil)
      }
      for path in ["a.b", "a.@count", "a.$b"] {
        let tail = String(path.dropFirst())
        let text = "a" + String(repeating: tail, count: 9_000) + " == 1"
        let tree = try PredicateTree(parsing: text)
        #expect(throws: Diagnostic.self) { try tree.evaluate(["a": 1]) }
        #expect(try PredicateTree(parsing: tree.predicateFormat) == tree)
      }
    }
  }
}
