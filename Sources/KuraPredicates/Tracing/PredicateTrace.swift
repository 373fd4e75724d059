package import KuraDiagnostics
package import KuraValues

/// The evaluation of a predicate for one object, with the result and values of every node.
package struct PredicateTrace: Sendable {
  package let predicate: PredicateTree
  package let answer: TracedAnswer
  /// The traces of the parts of AND, OR and NOT, in order.
  package var parts: [PredicateTrace] = []
  /// The values of a comparison's sides; nil if it was not evaluated.
  package var sides: TracedSides?
  /// The elements of the collection that a comparison tests or visits.
  package var elements: [TracedElement] = []

  init(_ predicate: PredicateTree, _ answer: TracedAnswer) {
    self.predicate = predicate
    self.answer = answer
  }
}

/// The result of a node.
package enum TracedAnswer: String, Sendable, Hashable {
  case yes = "YES"
  case no = "NO"
  /// NO, because a required value is nil.
  case null = "nil"
  /// Not evaluated, because the result was already decided.
  case unasked

  package var isYes: Bool { self == .yes }

  init(_ answer: Bool) { self = answer ? .yes : .no }
}

/// The values of a comparison's sides.
package struct TracedSides: Sendable {
  package let left: Value
  package let right: Value
}

/// An element of a to-many relationship, or of another collection, that a comparison visits.
package struct TracedElement: Sendable {
  /// The object that the value belongs to: `Item/3` for `items.price`; nil if the value itself is
  /// an object.
  package let owner: Value?
  package let value: Value
  /// The result for the element; nil if elements are not tested one by one, as in
  /// `items.@sum.price`.
  package let answer: TracedAnswer?
  /// The trace of a SUBQUERY's predicate for the element.
  package var trace: PredicateTrace?
}

extension PredicateTree {
  /// Returns the trace of each node for a value, by the reference evaluator.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated.
  package func trace(
    on root: Value, in context: EvaluationContext
  ) throws(Diagnostic) -> PredicateTrace {
    try PredicateTracer(evaluator: Evaluator(root: root, context: context)).trace(self)
  }
}

extension PredicateTrace {
  /// The path from here to the node that decided the result, as indexes of parts.
  ///
  /// It ends at a node whose result depends on all parts: an AND that is YES, or an OR that is NO.
  package var decisionPath: [Int] {
    guard let place = decidingPart else { return [] }
    return predicate.descending { [place] + parts[place].decisionPath }
  }

  private var decidingPart: Int? {
    switch predicate.kind {
    case .not: 0
    case .and: answer.isYes ? only : parts.lastIndex { $0.answer != .yes && $0.answer != .unasked }
    case .or: answer.isYes ? parts.firstIndex(where: \.answer.isYes) : only
    case .comparison, .constant, .truth: nil
    }
  }

  private var only: Int? { parts.count == 1 ? 0 : nil }
}

extension PredicateTree {
  /// Whether it is a NONE: a NOT that is written as one word with its ANY.
  package var isNone: Bool {
    guard case .not(let inner) = kind, case .comparison = inner.kind else { return false }
    return span != .none && inner.span == span
  }

  /// The comparisons and constants that AND, OR and NOT combine, in the order of the text.
  package var leaves: [PredicateTree] {
    if isNone { return [self] }
    switch kind {
    case .not(let inner): return descending { inner.leaves }
    case .and(let parts), .or(let parts): return descending { parts.flatMap(\.leaves) }
    case .comparison, .constant, .truth: return [self]
    }
  }
}
