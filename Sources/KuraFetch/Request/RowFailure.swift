package import KuraDiagnostics
import KuraPredicates
import KuraSentences
package import KuraValues

/// An error of the evaluation, with the object for which it happened.
package struct RowFailure: DiagnosticFacts {
  package let object: ObjectID?
  package let facts: any DiagnosticFacts

  package var sentence: String {
    guard let object, !isStop else { return facts.sentence }
    return localized("\(facts.sentence), in \(object)")
  }

  /// Whether a person stopped the fetch: then the object is none of their business.
  private var isStop: Bool { facts as? EvaluationFacts == .stopped }

  package var help: String? { facts.help }
  package var kind: Diagnostic.Kind { facts.kind }
}

extension Diagnostic {
  /// Whether somebody stopped what was asked, and nothing is wrong with it.
  package var isStop: Bool {
    let facts = (facts as? RowFailure)?.facts ?? facts
    return facts as? EvaluationFacts == .stopped
  }
}
