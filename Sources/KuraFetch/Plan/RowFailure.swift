package import KuraDiagnostics
package import KuraValues

/// An error of the evaluation, with the object for which it happened.
package struct RowFailure: DiagnosticFacts {
  package let object: ObjectID?
  package let facts: any DiagnosticFacts

  package var sentence: String {
    object.map { "\(facts.sentence), in \($0)" } ?? facts.sentence
  }

  package var help: String? { facts.help }
}
