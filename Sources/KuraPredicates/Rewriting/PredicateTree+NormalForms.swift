public import KuraDiagnostics
import KuraSentences

extension PredicateTree {
  /// The opposite: NOT around it, or the one there is taken away.
  ///
  ///     try PredicateTree(parsing: "NOT a == 1").negated   // a == 1
  ///
  /// True where this is false, false where this is true; an error where this is one. Constant time.
  public var negated: PredicateTree {
    switch kind {
    case .not(let inside): inside
    case .constant(let answer): PredicateTree(.constant(!answer), span: span)
    case .comparison, .and, .or, .truth: PredicateTree(.not(self), span: span)
    }
  }

  /// The tree with NOT only in front of single comparisons.
  ///
  ///     try PredicateTree(parsing: "NOT (a == 1 AND b < 2)").inNegationNormalForm
  ///     // a != 1 OR (NOT b < 2)
  ///
  /// `NOT b < 2` stays: it is true where b is nil, and `b >= 2` is not. Only `==` and `!=` are
  /// each other's opposite, and with them `ANY … ==` and `ALL … !=`. The parts are evaluated in the
  /// same order and as far as before, so that the result is the same, errors included. Linear.
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
    guard let opposite = operation.opposite else { return tree.negated }
    var comparison = self
    comparison.operation = opposite
    comparison.modifier = modifier.opposite
    return PredicateTree(.comparison(comparison), span: tree.span)
  }
}

extension ComparisonOperator {
  /// The operator that is true where this one is false, whatever stands beside it.
  fileprivate var opposite: ComparisonOperator? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like, .beginsWith, .endsWith,
      .contains, .in, .between, .selector, .unsupported:
      nil
    }
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

/// Why a tree could not be rewritten, as facts.
package enum RewritingFacts: DiagnosticFacts, Hashable {
  /// A conjunctive form of more parts than its limit
  case tooManyParts(limit: Int)
}

extension RewritingFacts {
  package var sentence: String {
    switch self {
    case .tooManyParts(let limit):
      localized("the conjunctive form has more than \(limit) comparisons")
    }
  }
}

extension PredicateTree {
  /// The tree as an AND of ORs of comparisons, each perhaps with NOT before it.
  ///
  ///     try PredicateTree(parsing: "a == 1 OR (b == 2 AND c == 3)").inConjunctiveForm()
  ///     // (a == 1 OR b == 2) AND (a == 1 OR c == 3)
  ///
  /// True for the same objects. Parts come several times, and some before the test that guarded
  /// them, so an error may come where there was none, and `random()` is asked again. The form can
  /// be exponentially larger, so that it costs what the limit allows: throws a diagnostic, without
  /// having built it, if it has more comparisons than that.
  public func inConjunctiveForm(limit: Int = 10_000) throws(Diagnostic) -> PredicateTree {
    let clauses = try inNegationNormalForm.clauses(limit: limit)
    let parts = clauses.map { $0.count == 1 ? $0[0] : PredicateTree(.or($0)) }
    return parts.count == 1 ? parts[0] : PredicateTree(.and(parts), span: span)
  }

  private typealias Clause = [PredicateTree]

  /// The ORs between the ANDs; no clause at all is true, an empty one false.
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

  /// The size of `(a OR c) AND (a OR d) AND (b OR c) AND (b OR d)` for `(a AND b) OR (c AND d)`.
  private static func size(ofProduct a: [Clause], _ b: [Clause]) -> Int {
    let (x, overflowX) = size(of: a).multipliedReportingOverflow(by: b.count)
    let (y, overflowY) = size(of: b).multipliedReportingOverflow(by: a.count)
    let (sum, overflow) = x.addingReportingOverflow(y)
    return overflowX || overflowY || overflow ? .max : sum
  }

  private static func size(of clauses: [Clause]) -> Int { clauses.reduce(0) { $0 + $1.count } }

  private static func check(_ count: Int, _ limit: Int) throws(Diagnostic) {
    if count > limit { throw Diagnostic(RewritingFacts.tooManyParts(limit: limit)) }
  }
}
