import KuraChecking
package import KuraDiagnostics
package import KuraFetch
import KuraGraph
package import KuraModel
package import KuraPredicates
import KuraSentences
import KuraValues

/// A fetch as it was written, with the type of each literal; the source of its form in other
/// languages.
package struct AnnotatedFetch: Sendable {
  package let fetch: FetchTree
  /// The entity of the fetched objects.
  package let entity: String
  package let model: Model
  package let texts: PartTexts
}

extension AnnotatedFetch {
  /// Inserts the typed literals of a bound request into the original tree.
  package init(_ fetch: FetchTree, _ bound: BoundRequest, _ texts: PartTexts) {
    var constants: [SourceSpan: ExpressionTree] = [:]
    let columns = (bound.selection?.columns ?? []).map { TreeNode.expression($0.tree) }
    let parts = (bound.predicate?.allNodes ?? []) + columns.flatMap(\.allNodes)
    for tree in parts.expressions where tree.span != .none {
      if case .constant = tree.kind { constants[tree.span] = tree }
    }
    var typed = fetch
    typed.predicate = fetch.predicate?.replacing { constants[$0.span]?.inPlace(of: $0) }
    for place in (typed.selection ?? []).indices {
      let written = typed.selection?[place].expression
      if let tree = written?.replacing({ constants[$0.span]?.inPlace(of: $0) }) {
        typed.selection?[place].expression = tree
      }
    }
    self.fetch = typed
    entity = bound.entity
    model = bound.snapshot.graph.model
    self.texts = texts
  }

  /// Returns the number of a limit or an offset: `5`; for `$n` the variable's name.
  func count(_ tree: ExpressionTree?) -> String? {
    switch tree?.kind {
    case .constant(let constant)?: texts.text(of: constant.value)
    case .variable(let name)?: name
    default: nil
    }
  }
}

extension ExpressionTree {
  /// Returns the typed constant for a written one; nil if the written expression is not a constant.
  fileprivate func inPlace(of written: ExpressionTree) -> ExpressionTree? {
    if case .objectOrQuotient = written.kind { return self }
    guard written.isFixed, !written.isLiteralNull else { return .none }
    // A number keeps the digits that were typed.
    if case .constant(let mine) = kind, case .constant(let theirs) = written.kind,
      mine.value.kind == theirs.value.kind
    {
      return written
    }
    return self
  }
}

/// A construct for which another language has no counterpart.
package struct NoCounterpart: DiagnosticFacts, Hashable {
  package let language: String
  package let what: String
  package var advice: String?

  package var sentence: String { localized("\(language.localized) has no \(what.localized)") }
  package var help: String? { advice }
}

/// The error with all constructs of a fetch that another language lacks.
package struct Untranslatable: Error {
  package let problems: [Diagnostic]
}

/// Collects constructs without a counterpart while a fetch is written.
final class CounterpartList {
  let language: String
  private(set) var problems: [Diagnostic] = []

  init(_ language: String) { self.language = language }
}

extension CounterpartList {
  /// Records a construct without a counterpart, and returns a placeholder; the result is then
  /// discarded.
  func missing(_ what: String, at span: SourceSpan, _ advice: String? = nil) -> String {
    let facts = NoCounterpart(language: language, what: what, advice: advice)
    if !problems.contains(where: { $0.span == span && $0.facts as? NoCounterpart == facts }) {
      problems.append(Diagnostic(facts, at: span == .none ? nil : span))
    }
    return "?"
  }

  /// Records that it has a limit per value of a key.
  func noteLimitKeys(of fetch: FetchTree) {
    for key in fetch.limitKeys {
      _ = missing(localized("limit for each value of a key"), at: key.span)
    }
  }

  /// Throws if anything was recorded.
  func check() throws(Untranslatable) {
    if !problems.isEmpty { throw Untranslatable(problems: problems) }
  }
}
