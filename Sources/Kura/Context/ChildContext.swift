import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore

/// The version of its parent that a child context started from.
final class ParentVersion {
  var number: Int

  init(_ number: Int) { self.number = number }
}

extension ManagedObjectContext {
  /// Returns a child context. Saving it adds its changes to this context; otherwise they are
  /// discarded.
  ///
  ///     let draft = context.makeChild()
  ///     try draft.insert("Item", ["title": "?"])
  ///     context.hasChanges   // false
  ///     try draft.save()     // one undo group of this context
  ///
  /// Creating a child takes constant time: it shares its data with the parent until one of them
  /// changes. It belongs to the same isolation.
  public func makeChild() -> ManagedObjectContext {
    let (graph, version) = storage.read { ($0.current.graph, $0.version) }
    return ManagedObjectContext(
      ContextStorage(graph, zone: storage.zone, storage.environment, of: storage.origin),
      home: .parent(self, ParentVersion(version)))
  }

  /// Discards the changes of a child context, which continues with its parent's current state. In a
  /// store's context, it does what `rollback` does. Constant time for a child.
  public func reset() {
    guard case .parent(let parent, let version) = home else { return rollback() }
    parent.storage.change { [inside = storage.context] in $0.current.abandon(inside) }
    begin(with: parent, version, Renumbering())
  }

  /// Saves a child: adds its changes to the parent as one undo group.
  ///
  /// If the parent has changed in the meantime, the changes are merged according to the child's
  /// policy.
  func commit(
    to parent: ManagedObjectContext, _ version: ParentVersion, _ name: String
  ) throws -> SaveResult {
    try storage.checkNoGroup()
    let inside = storage.context
    guard inside.hasChanges else { return SaveResult() }
    let result: SaveResult
    var renumbering = Renumbering()
    if parent.storage.read({ $0.version }) == version.number {
      parent.storage.change { $0.current.adopt(inside, name) }
      result = SaveResult(hasSaved: true)
    } else {
      let merged = try merge(inside, with: parent)
      parent.storage.change { $0.current.recover(merged, name) }
      renumbering = merged.renumbering
      result = SaveResult(merged, in: parent.model, parent.storage.zone)
    }
    begin(with: parent, version, renumbering)
    return result
  }

  private func merge(
    _ inside: GraphContext, with parent: ManagedObjectContext
  ) throws -> MergedChange {
    let outside = parent.storage.context.graph
    guard !inside.hasModelChanges, outside.model.entities == inside.savedModel.entities else {
      throw StoreError.modelConflict
    }
    let merged = try inside.merging(
      onto: outside, policy: mergePolicy, in: storage.evaluation)
    guard merged.conflicts.isEmpty else {
      throw StoreError.conflicts(
        merged.conflicts.map { MergeConflict($0, in: outside.model, storage.zone) })
    }
    return merged
  }

  private func begin(
    with parent: ManagedObjectContext, _ version: ParentVersion, _ renumbering: Renumbering
  ) {
    let (graph, number) = parent.storage.read { ($0.current.graph, $0.version) }
    version.number = number
    storage.change { state in
      let levels = state.current.history.levels
      state.current.open(graph)
      state.current.history.levels = levels
      if !renumbering.isEmpty { state.renumberings.append(renumbering) }
    }
  }
}
