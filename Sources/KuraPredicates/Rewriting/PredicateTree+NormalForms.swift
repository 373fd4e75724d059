public import KuraDiagnostics
import KuraSentences

extension PredicateTree {
  /// The negation: adds a NOT, or removes the existing one.
  ///
  ///     try PredicateTree(parsing: "NOT a == 1").negated   // a == 1
  ///
  /// It is true if this predicate is false, and false if this predicate is true. If this predicate
  /// fails, so does the negation. Constant time.
  public var negated: PredicateTree {
    switch kind {
    case .not(let inside): inside
    case .constant(let answer): PredicateTree(.constant(!answer), span: span)
    case .comparison, .and, .or, .truth: PredicateTree(.not(self), span: span)
    }
  }

  /// An equivalent tree with NOT only before single comparisons.
  ///
  ///     try PredicateTree(parsing: "NOT (a == 1 AND b < 2)").inNegationNormalForm
  ///     // a != 1 OR (NOT b < 2)
  ///
  /// `NOT b < 2` remains: it is true if b is nil, and `b >= 2` is not. Only `==` and `!=` are
  /// opposites, and so are `ANY … ==` and `ALL … !=`. Parts are evaluated in the same order and to
  /// the same extent as before, so the result is the same, including errors. Linear in the tree.
  public var inNegationNormalForm: PredicateTree { pushed(negating: false) }

  private func pushed(negating: Bool) -> PredicateTree {
    descending { pushedKind(negating: negating) }
  }

  private func pushedKind(negating: Bool) -> PredicateTree {
    switch kind {
    case .not(let inside): inside.pushed(negating: !negating)
    case .and(let parts), .or(let parts): connected(parts, isOr: isOr != negating, negating)
    case .constant(let answer): PredicateTree(.constant(answer != negating), span: span)
    case .comparison(let comparison):
      negating ? comparison.negated(at: self) : self
    case .truth: negating ? negated : self
    }
  }

  private var isOr: Bool { if case .or = kind { true } else { false } }

  private func connected(
    _ parts: [PredicateTree], isOr: Bool, _ negating: Bool
  ) -> PredicateTree {
    let parts = parts.map { $0.pushed(negating: negating) }
    return PredicateTree(isOr ? .or(parts) : .and(parts), span: span)
  }
}

extension Comparison {
  fileprivate func negated(at tree: PredicateTree) -> PredicateTree {
    guard let opposite = operation.negated else { return tree.negated }
    var comparison = self
    comparison.operation = opposite
    comparison.modifier = modifier.opposite
    return PredicateTree(.comparison(comparison), span: tree.span)
  }
}

extension ComparisonModifier {
  fileprivate var opposite: ComparisonModifier {
    switch self {
    case .direct: .direct
    case .any: .all
    case .all: .any
    }
  }
}

/// The reasons why a tree could not be rewritten.
package enum RewritingProblem: DiagnosticFacts, Hashable {
  /// The conjunctive form has more parts than the limit.
  case tooManyParts(limit: Int)

  package var sentence: String {
    switch self {
    case .tooManyParts(let limit):
      localized("the conjunctive normal form has more than \(limit) comparisons")
    }
  }
}

extension PredicateTree {
  /// Returns an equivalent tree in conjunctive normal form: an AND of ORs of comparisons, some with
  /// a NOT.
  ///
  ///     try PredicateTree(parsing: "a == 1 OR (b == 2 AND c == 3)").inConjunctiveForm()
  ///     // (a == 1 OR b == 2) AND (a == 1 OR c == 3)
  ///
  /// It is true for the same objects. Parts occur several times, and can precede the test that
  /// guarded them, so evaluation can fail where it did not before, and `random()` is called again.
  /// The form can be exponentially larger; the cost is bounded by the limit. Throws a diagnostic,
  /// without building the form, if it has more comparisons than the limit.
  public func inConjunctiveForm(limit: Int = 10_000) throws(Diagnostic) -> PredicateTree {
    let clauses = try inNegationNormalForm.clauses(limit: limit)
    let parts = clauses.map { $0.count == 1 ? $0[0] : PredicateTree(.or($0)) }
    return parts.count == 1 ? parts[0] : PredicateTree(.and(parts), span: span)
  }

  private typealias Clause = [PredicateTree]

  /// Returns the ORs of the AND. No clauses mean true; an empty clause means false.
  private func clauses(limit: Int) throws(Diagnostic) -> [Clause] {
    try descending { () throws(Diagnostic) in try clausesHere(limit: limit) }
  }

  private func clausesHere(limit: Int) throws(Diagnostic) -> [Clause] {
    switch kind {
    case .comparison, .not, .constant, .truth: return [[self]]
    case .and(let parts):
      var result: [Clause] = []
      var size = 0
      for part in parts {
        let clauses = try part.clauses(limit: limit)
        size += Self.size(of: clauses)
        try Self.check(size, limit)
        result += clauses
      }
      return result.isEmpty ? [[PredicateTree(.constant(true))]] : result
    case .or(let parts):
      guard let first = parts.first else { return [[PredicateTree(.constant(false))]] }
      var result = try first.clauses(limit: limit)
      for part in parts.dropFirst() {
        let clauses = try part.clauses(limit: limit)
        try Self.check(Self.size(ofProduct: result, clauses), limit)
        if clauses.count == 1 {
          // A long OR grows in place.
          for place in result.indices { result[place] += clauses[0] }
        } else {
          result = result.flatMap { clause in clauses.map { clause + $0 } }
        }
      }
      return result
    }
  }

  /// Returns the size of a product: `(a OR c) AND (a OR d) AND (b OR c) AND (b OR d)` for `(a AND
  /// b) OR (c AND d)`.
  private static func size(ofProduct a: [Clause], _ b: [Clause]) -> Int {
    let (x, overflowX) = size(of: a).multipliedReportingOverflow(by: b.count)
    let (y, overflowY) = size(of: b).multipliedReportingOverflow(by: a.count)
    let (sum, overflow) = x.addingReportingOverflow(y)
    return overflowX || overflowY || overflow ? .max : sum
  }

  private static func size(of clauses: [Clause]) -> Int { clauses.reduce(0) { $0 + $1.count } }

  private static func check(_ count: Int, _ limit: Int) throws(Diagnostic) {
    if count > limit { throw Diagnostic(RewritingProblem.tooManyParts(limit: limit)) }
  }
}
