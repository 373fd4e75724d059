import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraStore
import KuraValues

extension Session {
  /// From now on the store is saved by this; nil: it is no store in a file.
  mutating func keep(_ keeper: StoreKeeper?) {
    state.store.keeper = keeper
    keeper?.waits = surroundings.lockWaiting
  }

  /// Saves what is changed; if others saved meanwhile, on top of that.
  mutating func save(by keeper: StoreKeeper) throws {
    let context = state.context
    let change = SavedChange(contents, context.hasModelChanges ? nil : context.netChange)
    var merge: StoreMerge?
    let kept = try keeper.save(change) { fresh in
      let next = try merged(fresh, isSaved: true)
      merge = next
      return next.change
    }
    if let merge { adopt(merge) }
    for warning in kept.warnings { report(warning) }
    didSave(keeper.path, tookInOthers: kept.tookInOthers)
  }

  /// What is changed here on top of what others have saved.
  ///
  /// Throws a failure with every conflict, and with every rule that is broken then.
  ///
  /// Rules are asked for a save; a refresh takes in what breaks them, so that it can be mended.
  private func merged(_ fresh: OpenedStore, isSaved: Bool) throws -> StoreMerge {
    guard !state.context.hasModelChanges,
      fresh.graph.model.entities == state.context.savedModel.entities
    else {
      guard !state.context.hasChanges else { throw Diagnostic(ChangeFacts.modelConflict) }
      return StoreMerge(merged: MergedChange(graph: fresh.graph), fresh: fresh)
    }
    let evaluation = evaluation
    let merged = try state.context.merging(
      onto: fresh.graph, policy: state.mergePolicy, named: namedObjects, in: evaluation)
    try checkConflicts(merged.conflicts, fresh.graph, isSave: isSaved)
    let broken =
      isSaved ? merged.graph.validationFailures(after: merged.change, in: evaluation) : []
    try surroundings.cancel.check()
    guard broken.isEmpty else {
      throw Failure(
        trace(behind: merged).placed(broken, in: merged.graph)
          + [Diagnostic(ShellFacts.brokenTogether, severity: .note)])
    }
    return StoreMerge(merged: merged, fresh: fresh)
  }

  /// New objects of which variables and `_` speak, be they there or not.
  private var namedObjects: [ObjectID] {
    let numbers = state.context.savedNumbers
    let spoken = state.variables.values.flatMap(\.objectIDs)
    let found = state.lastFetch?.objects(in: state.context.graph.model, from: numbers) ?? []
    return spoken.filter { $0.number >= numbers[$0.root] ?? 1 } + found
  }

  /// By their old numbers objects that got others would be found at the wrong statements.
  private func trace(behind merged: MergedChange) -> ChangeTrace {
    merged.renumbering.isEmpty ? state.trace : ChangeTrace()
  }

  private func checkConflicts(
    _ conflicts: [ChangeConflict], _ graph: Graph, isSave: Bool
  ) throws(Failure) {
    guard !conflicts.isEmpty else { return }
    throw Failure(
      conflicts.map { Diagnostic($0.facts(in: graph.model, state.zone)) }
        + [
          Diagnostic(
            ShellFacts.notMerged(count: conflicts.count, isSave: isSave), severity: .note)
        ])
  }

  /// The store as it is now, with what is changed here.
  private mutating func adopt(_ merge: StoreMerge) {
    for conflict in merge.merged.settled {
      let facts = conflict.facts(in: merge.fresh.graph.model, state.zone)
      report(Report.settled(facts.sentence, state.mergePolicy, conflict.kind))
    }
    let isOtherModel = merge.fresh.graph.model.entities != state.context.savedModel.entities
    if state.context.merge(merge.merged, onto: merge.fresh.graph) {
      report(isOtherModel ? Report.historyEnds : Report.historyEndsAtModel)
    }
    state.trace.removeAll()
    state.store.timeZoneID = merge.fresh.timeZoneID
    state.store.userInfo = merge.fresh.userInfo
    let renumbering = merge.merged.renumbering
    guard !renumbering.isEmpty else { return }
    // Of what was undone, or is only spoken of, nobody sees the number.
    for (old, new) in renumbering.objects where merge.merged.graph.find(new) != nil {
      report(Report.renumbered(old, new))
    }
    state.variables = state.variables.mapValues { live.renumbered($0, renumbering) }
    state.lastFetch = state.lastFetch?.renumbered(renumbering, in: merge.fresh.graph.model)
  }
}

/// What others have saved, and what becomes of the changes here on top of it.
private struct StoreMerge {
  var merged: MergedChange
  var fresh: OpenedStore

  var change: SavedChange {
    var contents = fresh
    contents.graph = merged.graph
    return SavedChange(contents, merged.change)
  }
}

extension Session {
  /// `.refresh`: what others have saved comes in under what is changed here.
  mutating func refresh() throws {
    try checkNoScratch(".refresh")
    guard let keeper = state.store.keeper else { throw Failure(ShellFacts.notKept) }
    var merge: StoreMerge?
    let isNew = try keeper.refresh { fresh in
      merge = try merged(fresh, isSaved: false)
    }
    guard isNew, let merge else { return report(Report.nothingNew) }
    adopt(merge)
    report(Report.refreshed)
  }

  /// `.fold`: writes the document anew and takes the journal away.
  mutating func fold() throws {
    guard let keeper = state.store.keeper else { throw Failure(ShellFacts.notKept) }
    guard !state.store.isReadOnly else { throw Failure(ShellFacts.readOnly) }
    if state.isDryRun {
      return report(keeper.hasJournal ? Report.wouldFold : Report.nothingToFold)
    }
    switch try keeper.fold(contents(of: outermost.savedGraph)) {
    case .folded: report(Report.folded)
    case .nothingToFold: report(Report.nothingToFold)
    case .othersSaved: throw Failure(ShellFacts.othersSaved)
    case .busy, .leftToOwner: report(Report.nothingToFold)
    }
  }

  /// A clean end of a small store leaves one file; who has only read leaves all as it is.
  mutating func closeStore() {
    guard let keeper = state.store.keeper, state.store.hasSaved, keeper.readOnly == nil,
      keeper.hasJournal
    else { return }
    for warning in keeper.close(contents(of: outermost.savedGraph)) {
      report(warning)
    }
    state.store.keeper = nil
  }

  /// The context around all scratch contexts.
  private var outermost: ManagedObjectContext { state.scratches.first?.parent ?? state.context }
}
