package import KuraDiagnostics
package import KuraFetch
package import KuraPredicates
import KuraSentences
package import KuraValues

/// An object that only one of two fetches finds, and the leaves that decide it.
package struct Witness: Sendable {
  package let object: Value
  package let isInFirst: Bool
  /// The leaf that decides the result of the first fetch; nil if no single leaf does.
  package let first: Decision?
  package let second: Decision?

  /// A leaf with its answer and the values that it found.
  package struct Decision: Sendable {
    package let text: String
    package let answer: TracedAnswer
    package let values: String
  }
}

extension FetchComparison {
  /// Returns the first object that differs.
  package func witness(_ first: PartTexts, _ second: PartTexts) throws(Diagnostic) -> Witness? {
    guard let row = difference.firstRows(1).first else { return nil }
    // For equal predicates the limits differ.
    if self.first.predicate == self.second.predicate { return nil }
    return Witness(
      object: .object(ObjectReference(self.first.object(atRow: row))),
      isInFirst: onlyFirst[row: row],
      first: try self.first.predicate.flatMap { predicate throws(Diagnostic) in
        try self.first.trace(predicate, row).decision(first)
      },
      second: try self.second.predicate.flatMap { predicate throws(Diagnostic) in
        try self.second.trace(predicate, row).decision(second)
      })
  }
}

extension BoundRequest {
  /// Returns the leaf that decides whether the object at a row matches; nil if no single leaf does.
  package func decision(
    atRow row: Int, _ texts: PartTexts
  ) throws(Diagnostic) -> Witness.Decision? {
    guard let predicate else { return nil }
    return try trace(predicate, row).decision(texts)
  }
}

extension PredicateTrace {
  /// Returns the part that decided the answer, if a single part did.
  fileprivate func decision(_ texts: PartTexts) -> Witness.Decision? {
    var (node, shown) = (self, self)
    for place in decisionPath where !node.isLeaf {
      let isNegation = if case .not = node.predicate.kind { true } else { false }
      node = node.parts[place]
      if !isNegation { shown = node }
    }
    guard node.isLeaf else { return nil }
    return Witness.Decision(
      text: texts.whole(shown.predicate), answer: shown.answer,
      values: TraceValues(texts, listsElements: false).text(of: node))
  }
}

extension Witness {
  /// Returns `Task/2 is in the second, because NOT … is YES (dueDate is nil), but not in the first,
  /// because …`.
  package func sentence(_ texts: PartTexts) -> String {
    let (inside, outside) = isInFirst ? (first, second) : (second, first)
    let object = texts.text(of: object)
    let (here, there) = (inside?.clause ?? "", outside?.clause.trimmingCommas ?? "")
    return isInFirst
      ? localized("\(object) is in the first\(here) but not in the second\(there)")
      : localized("\(object) is in the second\(here) but not in the first\(there)")
  }
}

extension Witness.Decision {
  /// `, because done == NO is YES (done is NO),`
  fileprivate var clause: String {
    let values = values.isEmpty ? "" : " (\(values))"
    return localized(", because \(text) is \(answer.words)\(values),")
  }
}

extension String {
  fileprivate var trimmingCommas: String { hasSuffix(",") ? String(dropLast()) : self }
}
