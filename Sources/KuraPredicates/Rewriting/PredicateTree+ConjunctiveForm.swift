public import KuraDiagnostics

/// Why a tree could not be rewritten, as facts.
package enum RewritingFacts: DiagnosticFacts, Hashable {
  /// A conjunctive form of more parts than its limit
  case tooManyParts(limit: Int)
}

extension RewritingFacts {
  package var sentence: String {
    switch self {
    case .tooManyParts(let limit): "the conjunctive form has more than \(limit) comparisons"
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
  /// be exponentially larger: throws a diagnostic, without having built it, if it has more
  /// comparisons than the limit.
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
