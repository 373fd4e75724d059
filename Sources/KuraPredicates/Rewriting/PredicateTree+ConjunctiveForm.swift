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
    switch kind {
    case .comparison, .not, .constant, .truth: return [[self]]
    case .and(let parts):
      var result: [Clause] = []
      for part in parts {
        result += try part.clauses(limit: limit)
        try Self.check(result.reduce(0) { $0 + $1.count }, limit)
      }
      return result.isEmpty ? [[PredicateTree(.constant(true))]] : result
    case .or(let parts):
      guard let first = parts.first else { return [[PredicateTree(.constant(false))]] }
      var result = try first.clauses(limit: limit)
      for part in parts.dropFirst() {
        result = try Self.product(result, try part.clauses(limit: limit), limit)
      }
      return result
    }
  }

  /// `(a AND b) OR (c AND d)` is `(a OR c) AND (a OR d) AND (b OR c) AND (b OR d)`.
  private static func product(
    _ a: [Clause], _ b: [Clause], _ limit: Int
  ) throws(Diagnostic) -> [Clause] {
    let (left, right) = (a.reduce(0) { $0 + $1.count }, b.reduce(0) { $0 + $1.count })
    // Both are within the limit, but the limit is the caller's.
    let (x, overflowX) = left.multipliedReportingOverflow(by: b.count)
    let (y, overflowY) = right.multipliedReportingOverflow(by: a.count)
    let (size, overflow) = x.addingReportingOverflow(y)
    try check(overflowX || overflowY || overflow ? .max : size, limit)
    return a.flatMap { clause in b.map { clause + $0 } }
  }

  private static func check(_ count: Int, _ limit: Int) throws(Diagnostic) {
    if count > limit { throw Diagnostic(RewritingFacts.tooManyParts(limit: limit)) }
  }
}
