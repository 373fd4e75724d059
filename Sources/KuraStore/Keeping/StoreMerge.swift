import KuraBytes
import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

/// What others have saved, and what becomes of the changes of a context on top of it.
package struct StoreMerge: Sendable {
  package var merged: MergedChange
  package var fresh: StoreContents

  /// What is to be saved.
  package var change: StoreSaveRequest {
    var contents = fresh
    contents.graph = merged.graph
    return StoreSaveRequest(contents, merged.change)
  }
}

/// Why the changes of a context do not come together with what others have saved.
package enum MergeRefusal: Error, Sendable {
  /// The model was changed here or in the store, or in both.
  case model
  /// Both changed the same; the model is that of the store.
  case conflicts([ChangeConflict], Model)
  /// Each keeps the rules, and both together do not.
  case broken([ValidationFailure], MergedChange)
}

/// How changes of a context are to meet those of others.
package struct MergeSettings {
  package var policy: MergePolicy
  /// Objects of which something outside the graph speaks, variables say.
  package var named: [ObjectID]
  /// What does not keep the rules is not saved; a refresh takes it in, so that it can be mended.
  package var checksRules: Bool

  package init(policy: MergePolicy, named: [ObjectID] = [], checksRules: Bool) {
    (self.policy, self.named, self.checksRules) = (policy, named, checksRules)
  }
}

extension StoreMerge {
  /// Puts the unsaved changes of a context on what others have saved; the context stays as it is.
  ///
  /// Throws a `MergeRefusal`, `Stopped`, or a diagnostic where derived values cannot be computed.
  package init(
    _ context: ManagedObjectContext, onto fresh: StoreContents, _ settings: MergeSettings,
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
  /// Saves the unsaved changes of a context, on top of what others have saved meanwhile.
  ///
  /// `merging` puts them there; what it gave last is what was saved, nil where nobody else had. The history
  /// gets `entry` with what was saved.
  /// Throws what `merging` and `save` throw.
  package func save(
    _ context: ManagedObjectContext, in contents: StoreContents, noting entry: SaveEntry,
    merging: (StoreContents) throws -> StoreMerge
  ) throws -> (result: StoreSaveResult, merge: StoreMerge?) {
    let net = context.hasModelChanges ? nil : context.netChange(keeper.options.cancel)
    try keeper.options.cancel.check()
    let change = StoreSaveRequest(contents, net)
    var merge: StoreMerge?
    let result = try save(change, noting: entry) { fresh in
      let next = try merging(fresh)
      merge = next
      return next.change
    }
    return (result, merge)
  }
}
