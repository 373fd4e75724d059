import KuraChecking
package import KuraDiagnostics
package import KuraFetch
import KuraGraph
package import KuraModel
package import KuraPredicates
import KuraSentences
import KuraValues

/// A fetch as it was written, with the type of each literal and the property of each key; the source
/// of its form in other languages.
package struct AnnotatedFetch: Sendable {
  package let fetch: FetchTree
  /// The entity of the fetched objects.
  package let entity: String
  package let model: Model
  package let texts: PartTexts
}

extension AnnotatedFetch {
  /// Inserts the literals and keys of a bound request into the original tree.
  package init(_ fetch: FetchTree, _ bound: BoundRequest, _ texts: PartTexts) {
    let checked = CheckedParts(bound)
    self.fetch = fetch.mapClauses(
      predicate: { $0.replacing(checked.typed) }, expression: { $0.replacing(checked.typed) })
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

/// The constants and paths of a bound request, for the places in the text from which they were made.
private struct CheckedParts {
  private var constants: [SourceSpan: ExpressionTree] = [:]
  private var paths: [SourceSpan: [KeyComponent]] = [:]
  /// Paths of the fetched object. A path in a group's key has the same keys in a column.
  private var ownPaths: [[KeyComponent]: [KeyComponent]] = [:]

  init(_ bound: BoundRequest) {
    for tree in bound.trees.flatMap(\.allNodes).expressions {
      switch tree.kind {
      case .constant where tree.span != .none: constants[tree.span] = tree
      case .keyPath(let path):
        paths[tree.span] = path.components
        if path.base == nil { ownPaths[path.components] = path.components }
      default: break
      }
    }
  }

  /// Returns a constant or a path as it was checked; nil for other written expressions.
  func typed(_ written: ExpressionTree) -> ExpressionTree? {
    guard case .keyPath(var path) = written.kind else {
      return constants[written.span]?.inPlace(of: written)
    }
    if path.base == nil, let known = ownPaths[path.components] {
      path.components = known
    } else if let known = paths[written.span], known == path.components {
      path.components = known
    }
    path.base = path.base?.replacing(typed)
    return ExpressionTree(.keyPath(path), span: written.span)
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
