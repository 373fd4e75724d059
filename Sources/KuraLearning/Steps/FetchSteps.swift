package import KuraDiagnostics
package import KuraFetch
import KuraGraph
package import KuraPredicates

/// The number of rows that each part of a fetch leaves, in the order of the text.
package struct FetchSteps: Sendable {
  package let entity: String
  /// The number of objects of the source.
  package let objects: Int
  package let predicate: PredicateStep?
  /// The clauses after the predicate that remove rows or group them.
  package var clauses: [ClauseStep] = []
}

/// The number of objects that a part of a predicate leaves.
package struct PredicateStep: Sendable {
  package let predicate: PredicateTree
  /// The number of objects that reach it.
  package let asked: Int
  package let yes: Int
  /// The number of removed objects for which it fails because a value is nil.
  package let null: Int
  package var parts: [PredicateStep] = []

  package var no: Int { asked - yes - null }
}

/// `offset 2`, `group by done`
package struct ClauseStep: Sendable {
  package let text: String
  /// The number of objects or rows after it.
  package let left: Int
}

extension BoundRequest {
  /// Evaluates each part of the predicate in the order of the text, for the objects that reach it.
  ///
  /// Throws if a part fails for an object, as the fetch does.
  package func predicateSteps() throws(Diagnostic) -> (objects: Int, step: PredicateStep?) {
    let all = candidates
    guard let predicate else { return (all.popcount, nil) }
    return (all.popcount, try predicate.stepped(of: self, all).step)
  }
}

extension PredicateTree {
  /// Returns the step for some rows, and the rows that it leaves.
  fileprivate func stepped(
    of request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    try descending { () throws(Diagnostic) in
      switch kind {
      case .not(let inner) where !isNone:
        let (part, yes) = try inner.stepped(of: request, asked)
        return step(asked, asked.subtracting(yes), [part])
      case .and(let parts): return try all(parts, request, asked)
      case .or(let parts): return try any(parts, request, asked)
      case .not, .comparison, .constant, .truth:
        let kinds = request.otherKindsCount
        let yes = try request.passing(self, among: asked)
        let hasOtherKinds = kinds == nil || request.otherKindsCount != kinds
        let null = try request.nullRows(
          of: self, among: asked.subtracting(yes), hasOtherKinds: hasOtherKinds)
        return step(asked, yes, null: null.popcount)
      }
    }
  }

  private func all(
    _ parts: [PredicateTree], _ request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    var left = asked
    var steps: [PredicateStep] = []
    for part in parts {
      let (step, yes) = try part.stepped(of: request, left)
      steps.append(step)
      left = yes
    }
    return step(asked, left, steps)
  }

  private func any(
    _ parts: [PredicateTree], _ request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    var open = asked
    var steps: [PredicateStep] = []
    for part in parts {
      let (step, yes) = try part.stepped(of: request, open)
      steps.append(step)
      open = open.subtracting(yes)
    }
    return step(asked, asked.subtracting(open), steps)
  }

  private func step(
    _ asked: [Bitmap], _ yes: [Bitmap], _ parts: [PredicateStep] = [], null: Int = 0
  ) -> (step: PredicateStep, yes: [Bitmap]) {
    var step = PredicateStep(
      predicate: self, asked: asked.popcount, yes: yes.popcount, null: null)
    step.parts = parts
    return (step, yes)
  }
}
