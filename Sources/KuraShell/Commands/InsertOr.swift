import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// The objects of an `insert`, and what it changed.
struct Inserted {
  /// The new objects and those that were found, in the order of the statement.
  var objects: [ObjectID]
  var change: ChangeSet
  /// The objects that already existed.
  private let found: [ObjectID]
  /// The relationships that were set in these.
  private let assigned: AssignedLinks

  init(
    _ done: Performed<[ObjectID]>, found: [ObjectID] = [], assigned: AssignedLinks = AssignedLinks()
  ) {
    (objects, change) = (done.result, done.change)
    (self.found, self.assigned) = (found, assigned)
  }

  /// Returns `1 inserted: Tag/3`, `1 found: Tag/1`.
  func report(in graph: Graph) -> String {
    let changes = Report.changed(change, in: graph, assigned: assigned)
    if found.isEmpty { return changes }
    let updated = Set(ReportedUpdates(change, graph, assigned).objects)
    let names = NameList(found.filter { !updated.contains($0) })
    guard let text = names.text({ localized("\($0) found: \($1)") }) else { return changes }
    return change.isEmpty ? text : [changes, text].clauses
  }
}

// `insert or fetch`, `insert or update`
extension InsertStatement {
  /// Inserts the objects whose values of a unique key are new, and finds or updates the others.
  func insert(
    _ objects: [NewObject], or existing: Existing, at place: StatementPlace, in session: Session,
    _ source: SourceText
  ) throws -> Inserted {
    let matches = try session.read(source) { snapshot, environment in
      try UniqueMatches(of: objects, at: entity.span, snapshot, environment)
    }
    let name = actionName?.text ?? "insert or \(existing.rawValue) \(entity.text)"
    let done = try session.change(name, at: place) { editor in
      try editor.insert(matches, updating: existing == .update)
    }
    let keys = existing == .update ? objects.flatMap(\.values).map(\.key) : []
    let assigned = AssignedLinks(keys, of: entity.text, in: session.context.graph.model) {
      matches.stored
    }
    return Inserted(done, found: matches.stored, assigned: assigned)
  }
}
