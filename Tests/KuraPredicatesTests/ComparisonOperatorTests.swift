import KuraValues
import TestSupport
import Testing

@testable import KuraPredicates

/// The facts about each operator, compared with what the reference evaluator answers.
@Suite("A comparison operator") struct ComparisonOperatorTests {
  private static let all = ComparisonOperator.all
  private static let values: [Value] = [
    nil, 1, 2, 2.5, "a", "ab", "b", ["a"], [1, 2], [2, 1], ["a", "b"], [],
  ]

  /// Returns the answer; nil for an error.
  private func answer(_ left: Value, _ operation: ComparisonOperator, _ right: Value) -> Bool? {
    let comparison = Comparison(
      ExpressionTree(.constant(Constant(left))), operation,
      ExpressionTree(.constant(Constant(right))))
    return try? PredicateTree(.comparison(comparison)).evaluate(on: .null, in: EvaluationContext())
  }

  @Test("has the mirrored, the complementary and the negated form that it names", arguments: all)
  func forms(operation: ComparisonOperator) {
    let isOfOrder = [.equality, .order].contains(operation.family)
    #expect((operation.mirrored != nil) == isOfOrder && (operation.complement != nil) == isOfOrder)
    #expect((operation.negated != nil) == (operation.family == .equality))
    for left in Self.values {
      for right in Self.values {
        guard let found = answer(left, operation, right) else { continue }
        if let mirrored = operation.mirrored { #expect(answer(right, mirrored, left) == found) }
        if let negated = operation.negated { #expect(answer(left, negated, right) == !found) }
        if let complement = operation.complement, !left.isNull, !right.isNull {
          #expect(answer(left, complement, right) == !found)
        }
      }
    }
  }

  @Test("accepts the sides that it names", arguments: all)
  func sides(operation: ComparisonOperator) {
    // For text operators and operators of order, a list is an error, and no text contains a list.
    let isError = [.order, .part, .pattern].contains(operation.family)
    #expect((answer("a", operation, ["a", "b"]) == nil) == (isError || operation == .contains))
    #expect((answer(["a", "b"], operation, "a") == nil) == (isError || !operation.wantsOneAtRight))
    // Text operators do not compare numbers.
    #expect(
      (answer(2, operation, 1) == nil)
        == (operation.family != .equality && operation.family != .order))
    #expect(operation.comparesValues != [.part, .pattern].contains(operation.family))
    #expect(
      answer("a", operation, "a") == true || !operation.wantsOneAtRight
        || [.less, .greater, .notEqual].contains(operation))
  }

  @Test("is parsed as it prints, and completed if it is a word", arguments: all)
  func text(operation: ComparisonOperator) throws {
    let right = operation.wantsOneAtRight ? "\"a\"" : "{1, 2}"
    let tree = try PredicateTree(parsing: "x \(operation.text) \(right)")
    guard case .comparison(let comparison) = tree.kind else { throw CancellationError() }
    #expect(comparison.operation == operation)
    let isWord = operation.text.allSatisfy(\.isLetter)
    #expect(ComparisonOperator.words.contains(operation.text) == isWord)
  }
}
