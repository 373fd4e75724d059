import KuraChecking
import KuraDiagnostics
import Testing

@testable import KuraShell

@Suite("A repair rule")
struct RepairRuleTests {
  @Test("corrects its example", arguments: RepairRules.all.rules)
  func corrections(_ rule: RepairRule) throws {
    let fixes = try fixes(rule.example, .all)
    #expect(fixes.contains(rule.corrected), "\(rule.corrected) is not in \(fixes)")
  }

  @Test("is needed for its example", arguments: RepairRules.all.rules)
  func isNeeded(_ rule: RepairRule) throws {
    let others = try fixes(rule.example, RepairRules.all.without(rule))
    #expect(!others.contains(rule.corrected))
  }

  private func fixes(_ text: String, _ rules: RepairRules) throws -> [String] {
    let typed = TypedText(text, in: FixCase.context)
    let problem = typed.problems.first ?? typed.missingAtEnd ?? EvaluationProblem.diagnostic
    let mender = FixFinder(
      text, in: FixCase.context, mendsWarnings: problem.severity == .warning, rules: rules)
    return mender.fixes(for: problem).map { $0.applied(to: text) }
  }
}

extension RepairRule: CustomTestStringConvertible {
  /// The rule's example.
  public var testDescription: String { id }
}

/// An error that only occurs when a statement runs.
private struct EvaluationProblem: DiagnosticFacts {
  static let diagnostic = Diagnostic(EvaluationProblem())

  let sentence = "wrong"
}
