import KuraBytes
import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

/// The unsaved changes of a context, merged with what other processes have saved.
package struct StoreMerge: Sendable {
  package var merged: MergedChange
  package var fresh: StoreContents

  /// The request that saves the merged changes.
  package var change: StoreSaveRequest {
    var contents = fresh
    contents.graph = merged.graph
    return StoreSaveRequest(contents, merged.change)
  }
}

/// A reason why the changes of a context cannot be merged with the saves of other processes.
package enum MergeRefusal: Error, Sendable {
  /// The model was changed here or in the store, or in both.
  case model
  /// Both sides changed the same values or objects. The model is the store's.
  case conflicts([ChangeConflict], Model)
  /// Each side obeys the rules, but both together break them.
  case broken([ValidationFailure], MergedChange)
}

package struct MergeSettings {
  package var policy: MergePolicy
  /// Objects that are referred to from outside the graph, as by variables.
  package var named: [ObjectID]
  /// Whether changes that break the rules are refused, as in a save; a refresh accepts them, so
  /// that they can be corrected.
  package var checksRules: Bool

  package init(policy: MergePolicy, named: [ObjectID] = [], checksRules: Bool) {
    (self.policy, self.named, self.checksRules) = (policy, named, checksRules)
  }
}

extension StoreMerge {
  /// Applies the unsaved changes of a context to the saves of other processes; the context is unchanged.
  ///
  /// Throws a `MergeRefusal`, `Stopped`, or a diagnostic if derived values cannot be computed.
  package init(
    _ context: GraphContext, onto fresh: StoreContents, _ settings: MergeSettings,
    in evaluation: EvaluationContext
  ) throws {
    self.fresh = fresh
    guard !context.hasModelChanges,
      fresh.graph.model.entities == context.savedModel.entities
    else {
      guard !context.hasChanges else { throw MergeRefusal.model }
      merged = MergedChange(graph: fresh.graph)
      return
    }
    merged = try context.merging(
      onto: fresh.graph, policy: settings.policy, named: settings.named, in: evaluation)
    guard merged.conflicts.isEmpty else {
      throw MergeRefusal.conflicts(merged.conflicts, fresh.graph.model)
    }
    if settings.checksRules { try checkRules(in: evaluation) }
    if context.isUntouched {
      merged.others = fresh.news.map { ChangeSet.net(of: $0, in: fresh.graph.model) }
    }
  }

  private func checkRules(in evaluation: EvaluationContext) throws {
    let broken = merged.graph.validationFailures(after: merged.change, in: evaluation)
    try evaluation.cancel.check()
    guard broken.isEmpty else { throw MergeRefusal.broken(broken, merged) }
  }
}

extension StoreKeeper {
  /// Saves the unsaved changes of a context, on top of the saves of other processes.
  ///
  /// `merging` merges them; its last result is what was saved, nil if no other process had saved.
  /// The history gets `entry` with what was saved. Throws what `merging` and `save` throw.
  package func save(
    _ context: GraphContext, in contents: StoreContents, recording entry: SaveEntry,
    merging: (StoreContents) throws -> StoreMerge
  ) throws -> (result: StoreSaveResult, merge: StoreMerge?) {
    let net = context.hasModelChanges ? nil : context.netChange(keeper.options.cancel)
    try keeper.options.cancel.check()
    let change = StoreSaveRequest(contents, net)
    var merge: StoreMerge?
    let result = try save(change, recording: entry) { fresh in
      let next = try merging(fresh)
      merge = next
      return next.change
    }
    return (result, merge)
  }
}
