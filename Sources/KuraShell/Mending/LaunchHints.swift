import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraScript
import KuraSentences

// What the command line has to do with a mistake in a statement.
extension Session {
  /// A message whose way on is a change of the command line; nil where it is another.
  func hinted(_ diagnostic: Diagnostic, in source: SourceText?) -> Diagnostic? {
    guard let hint = hint(for: diagnostic, in: source) else { return nil }
    var result = diagnostic
    result.facts = HintedFacts(facts: diagnostic.facts, help: hint)
    result.fixIts = []
    return result
  }

  private func hint(for diagnostic: Diagnostic, in source: SourceText?) -> String? {
    if case .unknownEntity(_, known: [])? = diagnostic.facts as? CheckFacts { return noStore }
    let isSyntax = diagnostic.facts is PredicateSyntaxFacts || diagnostic.facts is StatementFacts
    guard isSyntax, source?.name == nil, let name = launch.arguments.keys.sorted().first,
      source?.bytes.contains(UInt8(ascii: "$")) == false
    else { return nil }
    return localized(
      "a shell has taken $\(name) out of the double quotes: put the statement in single ones")
  }

  /// Where no store was named, no entity is known.
  private var noStore: String? {
    guard launch.store == nil, launch.isScript else { return nil }
    let rest = launch.scripts.first.map { "-f \($0)" } ?? "'…'"
    return localized(
      "no store is open: kura STORE \(rest); or define one: entity Note { title: string }")
  }
}

/// A message with another way on.
struct HintedFacts: DiagnosticFacts {
  let facts: any DiagnosticFacts
  let help: String?

  var sentence: String { facts.sentence }
  var isIncomplete: Bool { facts.isIncomplete }
}
