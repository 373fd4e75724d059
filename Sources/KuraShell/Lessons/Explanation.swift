import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraScript
import KuraValues

/// Why an attempt is not right, by the first store on which it differs.
struct Explanation {
  /// What the lesson says of this very result.
  var comment: String?
  /// What can be seen of the attempt itself.
  var notes: [LessonSaying] = []
  var place: World.Place
  var difference: Difference
  /// The store in which the objects are that differ.
  var graph: Graph
  var zone: ZoneRules
  var keys: [String]
  /// Why the first of the objects is in the result of the attempt, or not, where one part settles it.
  var reason: Reason?
}

extension Explanation {
  /// What of an attempt's predicate settles whether an object is found.
  struct Reason {
    var object: ObjectID
    var isIn: Bool
    var decision: Witness.Decision
  }
}

extension Grader {
  /// Why the first object by which an attempt differs is in its result, or is not.
  func reason(
    for difference: Difference, of attempt: Attempt, in world: World
  ) -> Explanation.Reason? {
    guard case .objects(let missing, let extra) = difference, let object = (missing + extra).first,
      let decision = attempt.decision(for: object, in: world.trial)
    else { return nil }
    // Where the predicate agrees with the result, a limit or another object is what makes it.
    let isIn = missing.isEmpty
    guard (decision.answer == .yes) == isIn else { return nil }
    return Explanation.Reason(object: object, isIn: isIn, decision: decision)
  }
}

extension Attempt {
  /// The part of the last fetch's predicate that settles whether an object is found.
  func decision(for object: ObjectID, in trial: TrialStore) -> Witness.Decision? {
    guard let session = try? run(in: trial).session, let last = statements.last,
      let fetch = last.statement.tree as? FetchTree
    else { return nil }
    var decision: Witness.Decision?
    try? AskedFetch.fetch(fetch).look(in: session, last.source) { look in
      let request = try look.bound()
      decision = try request.row(of: object).flatMap { try request.decision(atRow: $0, look.texts) }
    }
    return decision
  }
}
