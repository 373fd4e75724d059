package import KuraDiagnostics
package import KuraValues

/// What came of a predicate for one object: every node as it was written, with its values.
package struct PredicateTrace: Sendable {
  package let predicate: PredicateTree
  package let answer: TracedAnswer
  /// What came of the parts of AND, OR and NOT, in their order.
  package var parts: [PredicateTrace] = []
  /// What the sides of a comparison were; nil of what was not asked.
  package var sides: TracedSides?
  /// The elements of the collection that a comparison is about, or goes through.
  package var elements: [TracedElement] = []

  init(_ predicate: PredicateTree, _ answer: TracedAnswer) {
    self.predicate = predicate
    self.answer = answer
  }
}

/// What a node answered.
package enum TracedAnswer: String, Sendable, Hashable {
  case yes = "YES"
  case no = "NO"
  /// NO, because something that it needs is nil.
  case null = "nil"
  /// The answer was settled before.
  case unasked

  package var isYes: Bool { self == .yes }

  init(_ answer: Bool) { self = answer ? .yes : .no }
}

/// The values of a comparison's sides.
package struct TracedSides: Sendable {
  package let left: Value
  package let right: Value
}

/// An element of a to-many, or of another collection, that a comparison met.
package struct TracedElement: Sendable {
  /// The object whose value it is: `Item/3` of `items.price`; nil where it is itself one.
  package let owner: Value?
  package let value: Value
  /// What was answered of it; nil where nothing is asked of elements alone: `items.@sum.price`.
  package let answer: TracedAnswer?
  /// What came of the predicate of a SUBQUERY for it.
  package var trace: PredicateTrace?
}

extension PredicateTree {
  /// What came of each node for a value, by the reference evaluator.
  ///
  /// Throws a diagnostic at the node that cannot be evaluated.
  package func trace(
    on root: Value, in context: EvaluationContext
  ) throws(Diagnostic) -> PredicateTrace {
    try PredicateTracer(evaluator: Evaluator(root: root, context: context)).trace(self)
  }
}

extension PredicateTrace {
  /// The way from here to the one node that settled the answer, by the places of parts.
  ///
  /// It ends above a node of which every part counts: an AND that is YES, an OR that is NO.
  package var wayToDecision: [Int] {
    guard let place = decidingPart else { return [] }
    return predicate.descending { [place] + parts[place].wayToDecision }
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
  /// Whether it is NONE: a NOT that is written as one word with its ANY.
  package var isNone: Bool {
    guard case .not(let inner) = kind, case .comparison = inner.kind else { return false }
    return span != .none && inner.span == span
  }

  /// The comparisons and constants that AND, OR and NOT join, in the order of the text.
  package var leaves: [PredicateTree] {
    if isNone { return [self] }
    switch kind {
    case .not(let inner): return descending { inner.leaves }
    case .and(let parts), .or(let parts): return descending { parts.flatMap(\.leaves) }
    case .comparison, .constant, .truth: return [self]
    }
  }
}
