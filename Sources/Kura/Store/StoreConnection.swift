import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraStore
import KuraValues

/// The file of a store, and the parts of its document other than objects.
///
/// It belongs to the isolation of its context.
final class StoreConnection {
  var keeper: StoreKeeper?
  private(set) var path: String?
  var timeZoneID: String?
  private var userInfo: String?
  private let options: StoreOptions
  private var hasSaved = false
  private var isClosed = false

  init(_ contents: StoreContents, _ keeper: StoreKeeper?, path: String?, _ options: StoreOptions) {
    (self.keeper, self.path, self.options) = (keeper, path, options)
    (timeZoneID, userInfo) = (contents.timeZoneID, contents.userInfo)
  }

  /// The reason why the store cannot be saved; nil if it can.
  var readOnlyReason: String? {
    if options.isReadOnly { return "the store was opened read-only" }
    return keeper?.readOnly.map { reason in
      let facts = ProgramProblem(facts: KeepingMessage(.readOnly(reason), path: path ?? ""))
      return [facts.sentence, facts.help].compactMap(\.self).joined(separator: "; ")
    }
  }

  func prepareToSave() { keeper?.prepareToSave() }

  func contents(_ graph: Graph) -> StoreContents {
    StoreContents(graph: graph, isStore: true, timeZoneID: timeZoneID, userInfo: userInfo)
  }
}

// Saving
extension StoreConnection {
  /// Saves the unsaved changes, merged with the saves of other sessions in the meantime.
  func save(
    _ storage: ContextStorage, _ policy: MergePolicy, author: String?
  ) throws -> SaveResult {
    try storage.checkNoGroup()
    if isClosed { throw StoreError.closed }
    guard let keeper else { return try saveInMemory(storage) }
    if let readOnlyReason { throw StoreError.readOnly(readOnlyReason) }
    guard storage.context.hasChanges else {
      let warning = try StoreError.convertingErrors {
        try keeper.restoreJournal(contents(storage.context.graph))
      }
      return SaveResult(notes: [warning].compactMap { $0?.facts.sentence })
    }
    try prepare(storage)
    let (context, actions) = (storage.context, storage.context.unsavedActions)
    let saved = try StoreError.convertingErrors {
      try keeper.save(
        context, in: contents(context.graph), recording: entry(actions, by: author)
      ) { fresh in
        try merged(context, fresh, MergeSettings(policy: policy, checksRules: true), storage)
      }
    }
    var result = saved.merge.map { adopt($0, storage) } ?? SaveResult()
    (result.hasSaved, result.tookInOthers) = (true, saved.result.tookInOthers)
    result.notes = saved.result.warnings.map(\.facts.sentence)
    didSave(storage)
    if let refusal = saved.result.historyRefusal {
      result.notes.append("saved, but not recorded in the history: \(refusal.reason)")
    }
    return result
  }

  /// Validates a store in memory like one in a file, and marks its changes as saved.
  private func saveInMemory(_ storage: ContextStorage) throws -> SaveResult {
    guard path == nil else { throw StoreError.notKept }
    guard storage.context.hasChanges else { return SaveResult() }
    try prepare(storage)
    didSave(storage)
    return SaveResult(hasSaved: true)
  }

  /// Computes the values that derive at a save, and validates the rules.
  func prepare(_ storage: ContextStorage) throws {
    let evaluation = storage.evaluation
    try storage.change { state throws(Diagnostic) in
      try state.current.deriveAtSave(in: evaluation)
    }
    try storage.model.check()
    let failures = storage.context.validationFailures(in: evaluation)
    if !failures.isEmpty { throw StoreError.invalid(failures) }
  }

  func didSave(_ storage: ContextStorage) {
    storage.change { $0.current.didSave() }
    hasSaved = true
  }

  private func merged(
    _ context: GraphContext, _ fresh: StoreContents, _ settings: MergeSettings,
    _ storage: ContextStorage
  ) throws -> StoreMerge {
    do { return try StoreMerge(context, onto: fresh, settings, in: storage.evaluation) } catch let
      refusal as MergeRefusal
    {
      switch refusal {
      case .model: throw StoreError.modelConflict
      case .conflicts(let conflicts, let model):
        throw StoreError.conflicts(
          conflicts.map { MergeConflict($0, in: model, storage.zone) })
      case .broken(let failures, let merged):
        throw StoreError.invalidTogether(merged.renumbering.known(failures))
      }
    }
  }

  private func adopt(_ merge: StoreMerge, _ storage: ContextStorage) -> SaveResult {
    var result = SaveResult(merge.merged, in: merge.fresh.graph.model, storage.zone)
    result.endedHistory = storage.change { state in
      if !merge.merged.renumbering.isEmpty {
        state.renumberings.append(merge.merged.renumbering)
      }
      return state.current.merge(merge.merged, onto: merge.fresh.graph)
    }
    (timeZoneID, userInfo) = (merge.fresh.timeZoneID, merge.fresh.userInfo)
    return result
  }

  /// Merges what others have saved; returns nil if there is nothing new.
  func refresh(_ storage: ContextStorage, _ policy: MergePolicy) throws -> SaveResult? {
    try storage.checkNoGroup()
    if isClosed { throw StoreError.closed }
    guard let keeper else { return nil }
    let context = storage.context
    var merge: StoreMerge?
    let isNew = try StoreError.convertingErrors {
      try keeper.refresh(from: context.storedGraph.map(contents)) { fresh in
        merge = try merged(
          context, fresh, MergeSettings(policy: policy, checksRules: false), storage)
      }
    }
    guard isNew, let merge else { return nil }
    var result = adopt(merge, storage)
    (result.hasSaved, result.tookInOthers) = (false, true)
    return result
  }

  /// Saves everything to another file, which becomes the file of this store.
  func save(_ storage: ContextStorage, as path: String, replaces: Bool) throws {
    try storage.checkNoGroup()
    if options.isReadOnly, let own = self.path, StorePlace.isFile(path, ofStoreAt: own) {
      throw StoreError.readOnly(readOnlyReason ?? "")
    }
    try prepare(storage)
    keeper = try Store.make(contents(storage.context.graph), path, replaces: replaces, options)
    isClosed = false
    self.path = path
    didSave(storage)
  }

  /// Closes the store, and folds the journal of a small store into its file.
  func close(_ storage: ContextStorage) -> [String] {
    defer { (keeper, isClosed) = (nil, true) }
    guard let keeper, hasSaved, readOnlyReason == nil, keeper.hasJournal else { return [] }
    return keeper.close(contents(storage.context.savedGraph)).map(\.facts.sentence)
  }
}

extension SaveResult {
  init(_ merged: MergedChange, in model: Model, _ zone: ZoneRules) {
    hasSaved = true
    renumbered = Dictionary(
      merged.renumbering.objects.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    settledConflicts = merged.settled.map { MergeConflict($0, in: model, zone) }
  }
}
