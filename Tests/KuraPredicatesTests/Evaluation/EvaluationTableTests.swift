import Foundation
import KuraDiagnostics
import Testing

@testable import KuraPredicates
@testable import KuraValues

/// A line of a table: an object, a predicate and the expected result.
struct EvaluationCase: CustomStringConvertible, Sendable {
  var line: Int
  var object: String
  var predicate: String
  var expected: String

  var description: String { "line \(line): \(object) \(predicate) → \(expected)" }

  static func read(_ name: String) throws -> [EvaluationCase] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return read(
      table: try String(contentsOf: folder.appending(path: "Tables/\(name)"), encoding: .utf8))
  }

  static func read(table: String) -> [EvaluationCase] {
    table.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      let columns = $1.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 3, !$1.hasPrefix("#") else { return nil }
      return EvaluationCase(
        line: $0 + 1, object: columns[0], predicate: columns[1], expected: columns[2])
    }
  }

  /// Returns `true`, `false`, or `error` with its sentence.
  func outcome(_ context: EvaluationContext) -> String {
    do {
      let root = object == "-" ? Value.null : try value(json: object)
      return "\(try PredicateTree(parsing: predicate).evaluate(on: root, in: context))"
    } catch let diagnostic as Diagnostic {
      return "error: \(diagnostic.facts.sentence)"
    } catch {
      return "unreadable: \(error)"
    }
  }
}

@Suite("The table of evaluations")
struct EvaluationTableTests {
  static let context = EvaluationContext(
    variables: ["x": 3, "name": "誕生", "key": "age", "list": [1, 2]],
    now: Timestamp(microseconds: 1_772_357_400_000_000),
    zone: ZoneRules(TimeZone(identifier: "Asia/Tokyo")), locale: Locale(identifier: "sv_SE"))

  @Test("agrees with the evaluator", arguments: try EvaluationCase.read("evaluation.tsv"))
  func evaluates(_ testCase: EvaluationCase) {
    let outcome = testCase.outcome(Self.context)
    let matches =
      testCase.expected == "error"
      ? outcome.hasPrefix("error: ") : outcome == testCase.expected
    #expect(matches, "\(testCase.description), but \(outcome)")
  }
}
