package import KuraDiagnostics
import KuraModel
package import KuraPredicates
package import KuraValues

extension Graph {
  /// This state of the graph, which others have made, with a change that was made for another.
  ///
  /// New objects whose numbers are taken get others. Where both changed the same key of the same
  /// object the policy decides; of a to-many both may change the members. The change is done edit by
  /// edit, so that both ends of every relationship agree; what that reaches beside the change is a
  /// conflict too, as is a link that comes to an object of which `origin`, where the change was made,
  /// has only the deletion. Linear in the change, for each round in which a policy gives up a part of it.
  package func merging(
    _ change: ChangeSet, of origin: Graph, policy: MergePolicy, given: GivenNumbers,
    in context: EvaluationContext
  ) throws(Diagnostic) -> MergedChange {
    var merger = Merger(change, of: origin, onto: self, policy, given, context.cancel)
    var merged = try merger.merge()
    guard merged.conflicts.isEmpty else { return merged }
    let result = merged.change
    try merged.graph.admit(result, context.cancel)
    let derived = try merged.graph.derivation(after: result, in: context)
    try merged.graph.admit(derived, context.cancel)
    merged.change = ChangeSet.net(of: [result, derived], in: model, context.cancel)
    try context.checkCancel()
    return merged
  }

  /// A change without the deletions of objects that are gone already.
  func present(_ change: ChangeSet) -> ChangeSet {
    change.mapping(deletes: { has($0.entity, $0.number) }, in: self)
  }

  /// The numbers that come next, by root.
  package var givenNumbers: [String: Int64] {
    Dictionary(
      tables.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
  }

  /// Keys that are computed anew, and mean nothing in a merge.
  var derivedKeys: Set<String> { Set(layout.derivations.map(\.attribute.name)) }
}

extension ChangeSet {
  /// The change without updates of some keys, which are computed anew.
  func without(_ keys: Set<String>) -> ChangeSet {
    if keys.isEmpty { return self }
    var result = self
    result.updated = updated.compactMap { batch in
      var batch = batch
      batch.columns.removeAll { keys.contains($0.key) }
      return batch.columns.isEmpty ? nil : batch
    }
    return result
  }
}

extension ManagedObjectContext {
  /// What becomes of the unsaved changes on top of what others have saved.
  ///
  /// `named` are objects that something outside the graph still speaks of, variables say: they get
  /// other numbers too where the store has given theirs. Throws where derived values cannot be
  /// computed.
  package func merging(
    onto store: Graph, policy: MergePolicy, named: [ObjectID] = [], in context: EvaluationContext
  ) throws(Diagnostic) -> MergedChange {
    let given = GivenNumbers(
      before: savedNumbers, next: graph.givenNumbers,
      objects: history.insertedObjects(graph) + named)
    return try store.merging(netChange, of: graph, policy: policy, given: given, in: context)
  }
}

extension UndoHistory {
  /// The objects that steps have inserted, or would bring back.
  fileprivate func insertedObjects(_ graph: Graph) -> [ObjectID] {
    changes.flatMap { change -> [ObjectID] in
      guard case .objects(let objects) = change else { return [] }
      return objects.insertedObjects(in: graph) + objects.deletedObjects(in: graph)
    }
  }
}

/// What becomes of a change of one's own that meets another one by somebody else.
public enum MergePolicy: String, Sendable, CaseIterable {
  /// Nothing is saved, and every conflict is listed.
  case error
  /// What the store has stays.
  case store
  /// What was changed here takes its place.
  case memory
}

/// A change that was made for another state of the graph, and fits this one now.
package struct MergedChange: Sendable {
  /// What remains of it.
  package var change = ChangeSet()
  /// The graph with the change.
  package var graph: Graph
  package var renumbering = Renumbering()
  /// What could not be merged: nothing has been done then.
  package var conflicts: [ChangeConflict] = []
  /// What the policy has settled.
  package var settled: [ChangeConflict] = []
  /// What others did, where nothing was changed here and it is known; nil: the graphs are compared.
  package var others: ChangeSet?

  /// A graph with nothing changed.
  package init(graph: Graph) { self.graph = graph }
}
