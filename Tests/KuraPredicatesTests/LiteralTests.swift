import Foundation
import KuraPredicates
import KuraValues
import Testing

@Suite struct LiteralTests {
  private func text(_ quoted: String) -> String? {
    let literal = StringLiteral(quoted: Array(quoted.utf8)[...])
    return literal.problem == nil ? literal.text : nil
  }

  @Test func escapesMeanWhatAppleSays() {
    #expect(text(#""\a\b\f\n\r\t\v""#) == "\u{7}\u{8}\u{C}\n\r\t\u{B}")
    #expect(text(#""\101""#) == "A")
    #expect(text(#""\0""#) == "\0")
    #expect(text(#""\x41\u0042\u{43}""#) == "ABC")
    #expect(text(#"'\'\"\\\q'"#) == "'\"\\q")
    #expect(text(#""\uD842\uDFB7""#) == "𠮷")
    #expect(text("'%@'") == "%@")
  }

  @Test func brokenEscapesAreProblems() {
    for broken in [#""\x""#, #""\xg0""#, #""\u12""#, #""\uD800""#, #""\uDC00""#, #""\u{}""#] {
      #expect(text(broken) == nil, "\(broken)")
    }
    #expect(StringLiteral(quoted: [34, 0xFF, 34]).problem?.0 == .notUTF8)
  }

  @Test func numbersHaveTheirKind() {
    #expect(NumberLiteral.constant("3")?.value == .integer(3))
    #expect(NumberLiteral.constant("0x1f")?.value == .integer(31))
    #expect(NumberLiteral.constant("0b101", isNegative: true)?.value == .integer(-5))
    #expect(NumberLiteral.constant("0.10")?.digits == "0.10")
    #expect(NumberLiteral.constant("9223372036854775808")?.digits == "9223372036854775808")
    #expect(
      NumberLiteral.constant("9223372036854775808", isNegative: true)?.value == .integer(.min))
    #expect(NumberLiteral.constant("1e999") == nil)
    #expect(NumberLiteral.constant(String(repeating: "9", count: 500)) == nil)
    #expect(NumberLiteral.constant("0x" + String(repeating: "F", count: 500)) == nil)
  }

  @Test func integersAreIntegersAndNoDoubles() {
    for text in ["0", "007", "9007199254740993"] {
      guard case .integer = NumberLiteral.constant(text)?.value else {
        Issue.record("\(text) is no integer")
        continue
      }
    }
  }

  @Test func datesPrintAsSecondsSince2001WithSixDecimals() {
    func printed(_ microseconds: Int64) -> String {
      ExpressionTree(.constant(Constant(.date(Timestamp(microseconds: microseconds)))))
        .expressionFormat
    }
    #expect(printed(978_307_200_000_000) == "CAST(0.000000, \"NSDate\")")
    #expect(printed(978_307_199_500_000) == "CAST(-0.500000, \"NSDate\")")
    #expect(printed(1_672_531_200_000_001) == "CAST(694224000.000001, \"NSDate\")")
    #expect(printed(.min) == "CAST(0.000000, \"NSDate\")")
  }

  @Test func whatHasNoLiteralPrintsAsACallThatReads() throws {
    for value: Value in [.double(.nan), .double(.infinity), .double(-.infinity), .decimal(.nan)] {
      let printed = ExpressionTree(.constant(Constant(value))).expressionFormat
      guard case .function = try ExpressionTree(parsing: printed).kind else {
        Issue.record("\(printed) is no call")
        continue
      }
    }
  }
}
