import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraSentences
import KuraStore
import KuraValues

extension Session {
  /// Sets the keeper that saves the store; nil if it is not a store in a file.
  func keep(_ keeper: StoreKeeper?) {
    store.keeper = keeper
    keeper?.waits = services.lockWaiting
  }

  /// Saves the changes, merged with what other processes have saved meanwhile.
  func save(by keeper: StoreKeeper) throws {
    let entry = SaveEntry(
      time: services.now(), author: launch.author ?? services.userName(),
      program: "kura " + Version.current, actions: context.unsavedActions)
    let saved = try keeper.save(context, in: contents, recording: entry) {
      try merged($0, isSaved: true)
    }
    if let merge = saved.merge { adopt(merge) }
    for warning in saved.result.warnings { report(warning) }
    didSave(keeper.path, tookInOthers: saved.result.tookInOthers)
    if let refusal = saved.result.historyRefusal {
      report(Diagnostic(HistoryCommandProblem.notNoted(refusal.reason), severity: .warning))
    }
  }

  /// Merges the changes with what other processes have saved.
  ///
  /// Throws a failure with every conflict, and with every rule that is broken.
  private func merged(_ fresh: StoreContents, isSaved: Bool) throws -> StoreMerge {
    let settings = MergeSettings(
      policy: settings.mergePolicy, named: namedObjects, checksRules: isSaved)
    do {
      return try StoreMerge(context, onto: fresh, settings, in: evaluation)
    } catch let refusal as MergeRefusal {
      throw failure(refusal, isSave: isSaved)
    }
  }

  private func failure(_ refusal: MergeRefusal, isSave: Bool) -> Failure {
    switch refusal {
    case .model: Failure(ChangeProblem.modelConflict)
    case .conflicts(let conflicts, let model):
      Failure(
        conflicts.map { Diagnostic($0.facts(in: model, zone)) }
          + [
            Diagnostic(
              StoreFileProblem.notMerged(count: conflicts.count, isSave: isSave), severity: .note)
          ])
    case .broken(let failures, let merged):
      Failure(
        trace(after: merged).placed(failures, in: merged.graph)
          + [Diagnostic(StoreFileProblem.brokenTogether, severity: .note)])
    }
  }

  /// New objects to which variables and `_` refer, whether or not they still exist.
  private var namedObjects: [ObjectID] {
    let numbers = context.savedNumbers
    let spoken = variables.values.values.flatMap(\.objectIDs)
    let found = variables.lastFetch?.objects(in: context.graph.model, from: numbers) ?? []
    return spoken.filter { $0.number >= numbers[$0.root] ?? 1 } + found
  }

  /// Returns the trace for a merged change. With renumbered objects it would name the wrong
  /// statements, so it is dropped.
  private func trace(after merged: MergedChange) -> ChangeTrace {
    merged.renumbering.isEmpty ? trace : ChangeTrace()
  }

  /// Makes a merge the current state.
  private func adopt(_ merge: StoreMerge) {
    for conflict in merge.merged.settled {
      let facts = conflict.facts(in: merge.fresh.graph.model, zone)
      report(Report.settled(facts.sentence, settings.mergePolicy, conflict.kind))
    }
    let isOtherModel = merge.fresh.graph.model.entities != context.savedModel.entities
    if context.merge(merge.merged, onto: merge.fresh.graph) {
      report(
        isOtherModel
          ? localized(
            "another session has changed the model: earlier steps can no longer be undone")
          : localized(
            "another session has saved: your model change and all earlier steps can no longer be undone"
          ))
    }
    trace.removeAll()
    store.timeZoneID = merge.fresh.timeZoneID
    store.userInfo = merge.fresh.userInfo
    let renumbering = merge.merged.renumbering
    guard !renumbering.isEmpty else { return }
    // The user does not see the numbers of objects that were undone or exist only in variables.
    for (old, new) in renumbering.objects where merge.merged.graph.find(new) != nil {
      report(localized("\(old) is now \(new)"))
    }
    variables.renumber(renumbering, in: merge.fresh.graph.model)
  }

  /// `.refresh`: merges what other processes have saved into the open store.
  func refresh() throws {
    try checkNoScratch(".refresh")
    report(
      try mergeOtherSaves()
        ? localized("the saves of other sessions were merged")
        : localized("there are no newer saves"))
  }

  /// Merges what other processes have saved; returns false if none did.
  func mergeOtherSaves() throws -> Bool {
    guard let keeper = store.keeper else { throw Failure(StoreFileProblem.notKept) }
    var merge: StoreMerge?
    let saved = scratches.isEmpty ? context.storedGraph.map { contents(of: $0) } : nil
    let isNew = try keeper.refresh(from: saved) { fresh in
      merge = try merged(fresh, isSaved: false)
    }
    guard isNew, let merge else { return false }
    adopt(merge)
    return true
  }

  /// `.fold`: rewrites the document and removes the journal.
  func fold() throws {
    guard let keeper = store.keeper else { throw Failure(StoreFileProblem.notKept) }
    guard !store.isReadOnly else { throw Failure(SaveProblem.readOnly) }
    if launch.isDryRun {
      return report(
        keeper.hasJournal
          ? localized("dry run: the journal would be folded into the document")
          : Report.nothingToFold)
    }
    switch try keeper.fold(contents(of: outermost.savedGraph)) {
    case .folded: report(Report.folded)
    case .nothingToFold: report(Report.nothingToFold)
    case .othersSaved: throw Failure(StoreFileProblem.othersSaved)
    case .busy, .leftToOwner: report(Report.nothingToFold)
    }
  }

  /// Ends the session with a small store as a single file; a session that only read changes
  /// nothing.
  func closeStore() {
    leaveLesson()
    keepCache()
    guard let keeper = store.keeper, store.hasSaved, keeper.readOnly == nil,
      keeper.hasJournal
    else { return }
    // An earlier request to cancel belonged to an earlier statement.
    services.cancel.reset()
    for warning in keeper.close(contents(of: outermost.savedGraph)) {
      report(warning)
    }
    store.keeper = nil
  }
}

/// The reasons why saves of other processes cannot be merged with the changes of this session.
enum StoreFileProblem: DiagnosticFacts {
  /// `.fold`, `.refresh` in memory
  case notKept
  /// `.fold` after another process saved
  case othersSaved
  /// `save` or `.refresh` of values that others have changed too
  case notMerged(count: Int, isSave: Bool)
  /// `save` of changes that break a rule only together with the saves of others
  case brokenTogether

  var sentence: String {
    switch self {
    case .notKept: localized("no store file is open")
    case .othersSaved: localized("another session has saved since")
    case .notMerged(let count, let isSave):
      isSave
        ? localized(
          "nothing was saved: \(counted(count, "change conflicts with", "changes conflict with")) another save"
        )
        : localized(
          "nothing was read: \(counted(count, "change conflicts with", "changes conflict with")) another save"
        )
    case .brokenTogether:
      localized(
        "nothing was saved: together with the saves of other sessions, the changes break the rules")
    }
  }

  var help: String? {
    switch self {
    case .notKept: nil
    case .othersSaved: localized(".refresh reads those saves")
    case .notMerged(_, isSave: true):
      localized(
        ".merge store keeps the saved values, .merge memory keeps yours; then save again; or undo your changes: undo, rollback"
      )
    case .notMerged(_, isSave: false):
      localized(
        ".merge store keeps the saved values, .merge memory keeps yours; then .refresh again; or undo your changes: undo, rollback"
      )
    case .brokenTogether:
      localized("run .refresh, fix the objects listed above, then save again")
    }
  }
}

extension Report {
  /// Returns what happened to a change that conflicted with another process's change.
  static func settled(
    _ sentence: String, _ policy: MergePolicy, _ kind: ChangeConflict.Kind
  ) -> String {
    let outcome =
      switch (policy, kind) {
      case (.memory, .value), (.memory, .changed), (.memory, .beside), (.memory, .leads):
        localized("your version was kept")
      case (_, .destination): localized("the reference was removed")
      default: localized("the saved version was kept")
      }
    return localized("\(sentence): \(outcome)")
  }

  static var folded: String { localized("the journal was folded into the document") }
  static var nothingToFold: String { localized("there is no journal to fold") }
}
