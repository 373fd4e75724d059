import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test func everyTreePrintsATextThatReadsBackEqual() {
    for seed in 1...400 as ClosedRange<UInt64> {
      var trees = RandomTrees(seed: seed)
      for _ in 0..<5 {
        let tree = trees.predicate(depth: 5)
        let printed = tree.predicateFormat
        do throws(Diagnostic) {
          let again = try PredicateTree(parsing: printed)
          #expect(again == tree, "seed \(seed): \(printed) became \(again)")
        } catch {
          Issue.record("seed \(seed): \(printed): \(error.facts.sentence)")
        }
      }
    }
  }

  @Test func everyTreeOfAStatementPrintsATextThatReadsBackEqual() {
    for seed in 1...1_000 as ClosedRange<UInt64> {
      var trees = RandomTrees(seed: seed, isStatement: true)
      let tree = trees.statementExpression(depth: 4)
      let printed = tree.expressionFormat
      let parser = PredicateParser(TokenCursor(SourceText(printed), mode: .statement))
      let result = outcome { () throws(SyntaxError) in
        let tree = try parser.parseExpressionOrPredicate()
        try parser.parseEnd()
        return tree
      }
      switch result {
      case .success(let again): #expect(again == tree, "seed \(seed): \(printed) became \(again)")
      case .failure(let error): Issue.record("seed \(seed): \(printed): \(error.facts.sentence)")
      }
    }
  }

  @Test func brokenTextsAreRefusedInsideThemselves() throws {
    let texts = try Table.rows("reads").map { $0[0] } + Table.rows("refused").map { $0[0] }
    var (refused, read) = (0, 0)
    for seed in 1...40 as ClosedRange<UInt64> {
      var random = SeededNumbers(seed: seed)
      for text in texts {
        let bytes = mutated(Array(text.utf8), &random)
        for mode in [Lexer.Mode.statement, .format(takesArguments: false)] {
          if isRefused(bytes, mode, seed) { refused += 1 } else { read += 1 }
        }
      }
    }
    #expect(refused > read && read > 500, "\(refused) refused, \(read) read")
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
    var bytes = bytes
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(place...)
    case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 2 where place < bytes.count: bytes.remove(at: place)
    default: bytes.insert(contentsOf: bytes[..<place], at: place)
    }
    return bytes
  }

  /// Returns whether a text is not a predicate; the error must then be within the text.
  private func isRefused(_ bytes: [UInt8], _ mode: Lexer.Mode, _ seed: UInt64) -> Bool {
    let parser = PredicateParser(TokenCursor(SourceText(bytes: bytes), mode: mode))
    let result = outcome { () throws(SyntaxError) in
      let tree = try parser.parsePredicate()
      try parser.parseEnd()
      return tree
    }
    guard case .failure(let error) = result else { return false }
    let span = error.span ?? SourceSpan(-1, -1)
    #expect((0...bytes.count).contains(span.start) && span.end <= bytes.count, "seed \(seed)")
    #expect(!error.facts.sentence.isEmpty)
    #expect(error.fixIt.map { $0.span.end <= bytes.count } ?? true, "seed \(seed)")
    return true
  }

  @Test func fixesStayInsideTextsThatAreNotUTF8() throws {
    for quote in ["「", "“", "＝ 「", "\"", "'"] {
      let bytes = Array("a == \(quote)誕生".utf8) + [0x95] + Array("日」 ”’".utf8)
      for mode in [Lexer.Mode.statement, .format(takesArguments: false)] {
        #expect(isRefused(bytes, mode, 0))
      }
    }
  }
}

/// Random trees as the parser creates them.
struct RandomTrees {
  private var numbers: SeededNumbers
  /// Whether objects and Boolean keys may occur in them, as only in statements.
  private let isStatement: Bool

  init(seed: UInt64, isStatement: Bool = false) {
    numbers = SeededNumbers(seed: seed)
    self.isStatement = isStatement
  }

  /// Returns an expression such as `price * 2`, `NOT done AND a == 1`.
  mutating func statementExpression(depth: Int) -> ExpressionTree {
    if pick([true, false]) { return expression(depth: depth) }
    return ExpressionTree(.predicate(condition(depth: depth)))
  }

  /// Returns a predicate in which a Boolean key may be a condition.
  private mutating func condition(depth: Int) -> PredicateTree {
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: PredicateTree(.not(truth(depth: depth - 1)))
    case 1: PredicateTree(.and(many(2...3) { $0.truth(depth: depth - 1) }))
    case 2: PredicateTree(.or(many(2...3) { $0.truth(depth: depth - 1) }))
    default: predicate(depth: depth)
    }
  }

  private mutating func truth(depth: Int) -> PredicateTree {
    if depth > 0, pick([true, false]) { return condition(depth: depth) }
    let kinds: [ExpressionTree.Kind] = [
      .keyPath(KeyPathTree([key(), key()])), .variable("x"),
      .index(ExpressionTree(.variable("x")), .first), .constant(Constant(.boolean(true))),
    ]
    return PredicateTree(.truth(ExpressionTree(pick(kinds))))
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &numbers)]
  }

  private mutating func many<Element>(
    _ range: ClosedRange<Int>, _ make: (inout RandomTrees) -> Element
  ) -> [Element] {
    (0..<Int.random(in: range, using: &numbers)).map { _ in make(&self) }
  }

  mutating func predicate(depth: Int) -> PredicateTree {
    let kind = depth <= 0 ? 0 : Int.random(in: 0..<8, using: &numbers)
    switch kind {
    case 1: return PredicateTree(.not(predicate(depth: depth - 1)))
    case 2: return PredicateTree(.and(many(2...4) { $0.predicate(depth: depth - 1) }))
    case 3: return PredicateTree(.or(many(2...4) { $0.predicate(depth: depth - 1) }))
    case 4: return PredicateTree(.constant(pick([true, false])))
    default: return PredicateTree(.comparison(comparison(depth: depth - 1)))
    }
  }

  private mutating func comparison(depth: Int) -> Comparison {
    Comparison(
      expression(depth: depth),
      pick([
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like,
        .beginsWith, .endsWith, .contains, .in, .between, .selector("isKindOfClass:"),
        .selector("a:題名:"), .unsupported("UTI-EQUALS"), .unsupported("UTI-CONFORMS-TO"),
        .unsupported("TOKENMATCHES"),
      ]), options: ComparisonOptions(rawValue: UInt8.random(in: 0...15, using: &numbers)),
      expression(depth: depth), modifier: pick([.direct, .direct, .any, .all]))
  }

  mutating func expression(depth: Int) -> ExpressionTree {
    depth <= 0 ? leaf() : ExpressionTree(branch(depth: depth - 1))
  }

  private mutating func leaf() -> ExpressionTree {
    switch Int.random(in: 0..<(isStatement ? 7 : 6), using: &numbers) {
    case 6: ExpressionTree(.objectOrQuotient(entity: pick(["E", "題", "my e"]), number: 17))
    case 0: ExpressionTree(.variable(pick(["x", "today", "in"])))
    case 1: ExpressionTree(pick([.evaluatedObject, .anyKey]))
    case 2: ExpressionTree(.keyPath(KeyPathTree([key()])))
    default: ExpressionTree(.constant(constant()))
    }
  }

  private mutating func constant() -> Constant {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: Constant(.null)
    case 1: Constant(.integer(pick([0, -1, .min, .max, 42])))
    case 2:
      Constant(.double(pick([0.5, -2, 1e300, 5e-300, -1e21, 100, -0.0, .pi, 1e15, 0.1 + 0.2])))
    case 3: Constant(.boolean(pick([true, false])))
    case 4: decimal()
    case 5: Constant(.string(text()))
    default: Constant(.string(pick(["", "誕生", "a\"b\\c", "\n\t\u{0}", "😀e\u{301}", "'%@"])))
    }
  }

  /// Returns a number with more digits than a double or an integer has.
  private mutating func decimal() -> Constant {
    let digits = String(many(20...38) { $0.pick(Array("123456789")) })
    if pick([true, false]) {
      return Constant(Decimal(string: digits).map(Value.decimal) ?? .null, digits: digits)
    }
    let text = "0." + digits
    return Constant(Double(text).map(Value.double) ?? .null, digits: text)
  }

  /// Returns characters of all kinds: control characters, quotes, single marks, supplementary
  /// planes, private use.
  private mutating func text() -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7F, 0x80...0xA0, 0x300...0x36F, 0x2028...0x2029, 0x3000...0x30FF,
      0xD7F0...0xD7FF, 0xE000...0xE010, 0xFDD0...0xFFFF, 0x1F600...0x1F610, 0x10FFF0...0x10FFFF,
    ]
    return many(0...6) { trees in
      let range = trees.pick(ranges)
      let number = UInt32.random(in: range, using: &trees.numbers)
      return Unicode.Scalar(number).map(String.init) ?? ""
    }.joined()
  }

  private mutating func key() -> KeyComponent {
    KeyComponent(
      pick([
        "title", "題名", "in", "self", "first", "first name", "a\"b", "", "_", "and", "uti-equals",
        "1st", "a.b", "\n", "@count", "$x", "é", "null", "subquery", "e\u{301}", "a\\",
      ]))
  }

  private mutating func component() -> KeyComponent {
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: KeyComponent(pick(["count", "sum"]), .collectionOperator)
    case 1: KeyComponent("b", .variable)
    default: key()
    }
  }

  private mutating func branch(depth: Int) -> ExpressionTree.Kind {
    switch Int.random(in: 0..<16, using: &numbers) {
    case 13: return .assignment(pick(["x", "題名"]), expression(depth: depth))
    case 14: return dateCast()
    case 15: return .indexAfterDot(dotted(), index(depth: depth))
    case 0:
      return .keyPath(KeyPathTree([key()] + many(1...3) { $0.component() }))
    case 1:
      return .keyPath(KeyPathTree(base: base(depth: depth), many(1...3) { $0.component() }))
    case 2, 3, 4: return .function(infix(depth: depth))
    case 5: return .function(FunctionCall("onesComplement:", [expression(depth: depth)]))
    case 6:
      let function = pick(["sum:", "length:", "noindex:", "year", "round"])
      return .function(FunctionCall(function, [expression(depth: depth)]))
    case 7: return .index(indexed(depth: depth), place(depth: depth))
    case 8: return .aggregate(many(0...3) { $0.expression(depth: depth) })
    case 9:
      return .subquery(
        expression(depth: depth), variable: "x", predicate(depth: depth))
    case 10:
      return .ternary(
        predicate(depth: depth), expression(depth: depth), expression(depth: depth))
    case 11:
      return .setOperation(
        pick([.union, .intersect, .minus]), expression(depth: depth), expression(depth: depth))
    default:
      return .message(
        target: expression(depth: depth), selector: pick(["uppercaseString", "a:b:"]),
        arguments: many(0...2) { $0.expression(depth: depth) })
    }
  }

  /// Returns a date as it prints.
  private mutating func dateCast() -> ExpressionTree.Kind {
    let seconds = pick([0, -0.5, 694_224_000.123456, -63_114_076_800])
    return .function(
      FunctionCall(
        "castObject:toType:",
        [ExpressionTree(.constant(Constant(.double(seconds)))), string("NSDate")]))
  }

  private func string(_ text: String) -> ExpressionTree {
    ExpressionTree(.constant(Constant(.string(text))))
  }

  /// Returns `a.b`, an expression that an index after another dot belongs to.
  private mutating func dotted() -> ExpressionTree {
    ExpressionTree(.keyPath(KeyPathTree([key()] + many(0...2) { $0.component() })))
  }

  /// Returns `d[0]`, `d[0][FIRST]`.
  private mutating func index(depth: Int) -> ExpressionTree {
    let indexed = ExpressionTree(.keyPath(KeyPathTree([key()])))
    return many(1...2) { $0.place(depth: depth) }.reduce(indexed) {
      ExpressionTree(.index($0, $1))
    }
  }

  private mutating func infix(depth: Int) -> FunctionCall {
    FunctionCall(
      pick([
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
        "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
        "rightshift:by:", "modulus:by:", "castObject:toType:", "objectFrom:withIndex:",
      ]), [expression(depth: depth), expression(depth: depth)])
  }

  private mutating func place(depth: Int) -> IndexKind {
    pick([.first, .last, .size, .at(expression(depth: depth))])
  }

  /// Returns an expression that keys can follow; a bare key would become a part of the path.
  private mutating func base(depth: Int) -> ExpressionTree {
    expression(depth: depth)
  }

  private mutating func indexed(depth: Int) -> ExpressionTree {
    expression(depth: depth)
  }
}
