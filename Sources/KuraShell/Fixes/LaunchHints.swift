import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraSentences

// Mistakes in a statement that are corrected on the command line.
extension Session {
  /// Returns the message with advice about the command line; nil for any other message.
  func hinted(_ diagnostic: Diagnostic, in source: SourceText?) -> Diagnostic? {
    guard let hint = hint(for: diagnostic, in: source) else { return nil }
    var result = diagnostic
    result.facts = HintedProblem(facts: diagnostic.facts, help: hint)
    result.fixIts = []
    return result
  }

  private func hint(for diagnostic: Diagnostic, in source: SourceText?) -> String? {
    if case .unknownEntity(_, known: [])? = diagnostic.facts as? CheckProblem { return noStore }
    let isSyntax =
      diagnostic.facts is PredicateSyntaxProblem || diagnostic.facts is StatementProblem
    guard isSyntax, source?.name == nil, let name = launch.arguments.keys.sorted().first,
      source?.bytes.contains(UInt8(ascii: "$")) == false
    else { return nil }
    return localized(
      "your shell replaced $\(name) in the double quotes: put the statement in single quotes")
  }

  /// Advice if no store was named, so that no entity exists.
  private var noStore: String? {
    guard launch.store == nil, launch.isScript else { return nil }
    let rest = launch.scripts.first.map { "-f \($0)" } ?? "'…'"
    return localized(
      "no store is open: open one with kura STORE \(rest), or define an entity: entity Note { title: string }"
    )
  }
}

/// A message with other advice.
struct HintedProblem: DiagnosticFacts {
  let facts: any DiagnosticFacts
  let help: String?

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
}
