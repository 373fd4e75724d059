import Foundation
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@Suite("Splitting texts")
struct SplitTests {
  @Test(
    "agrees with Foundation, also at characters of several scalars",
    arguments: 1...4 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let parts = [
      "a", "b", ",", ", ", "-", "é", "e\u{301}", "\u{301}", "か", "か\u{3099}", "👨‍👩‍👧", "\r\n", "\n",
      "\u{600}", " ",
    ]
    let split = try ExpressionTree(parsing: "split($text, $separator)")
    for _ in 0..<TestLength.count(3000, long: 200_000) {
      let text = (0..<numbers.below(8)).map { _ in numbers.pick(parts) }.joined()
      let separator = (0..<(1 + numbers.below(2))).map { _ in numbers.pick(parts) }.joined()
      let context = EvaluationContext(variables: [
        "text": .string(text), "separator": .string(separator),
      ])
      let expected = text.components(separatedBy: separator).map(Value.string)
      #expect(
        try split.evaluate(on: .null, in: context) == .list(expected),
        "\(seed): \(text.debugDescription) \(separator.debugDescription)")
    }
  }
}
