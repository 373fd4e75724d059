import Foundation
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

// Keeping a history
extension Store {
  /// Begins a history of saves, or changes the number of saves to keep, at most a million. The
  /// newest remain.
  ///
  ///     try store.keepHistory()
  ///
  /// The history is a file next to the store, to which every program that saves adds its saves. No
  /// save depends on it. Linear in the saves that are kept. Throws ``StoreError/notKept`` for a
  /// store in memory, and ``StoreError/history(_:)``.
  public func keepHistory(_ saves: Int = 1000) throws {
    let keeper = try connection.writableKeeper()
    try StoreError.convertingHistoryErrors { try keeper.keepHistory(saves) }
  }

  /// Deletes the history and stops keeping one. Constant time. Throws ``StoreError/notKept`` for a
  /// store in memory, ``StoreError/readOnly(_:)`` and ``StoreError/history(_:)``.
  public func forgetHistory() throws {
    let keeper = try connection.writableKeeper()
    try StoreError.convertingHistoryErrors { try keeper.history.forget() }
  }

  /// Returns the saves after a save, of this and other programs, oldest first. Without a number,
  /// returns all saves in the history.
  ///
  ///     let last = try store.history().last?.id ?? 0
  ///     …
  ///     try store.history(since: last).map(\.author)   // ["花子"]
  ///
  /// Linear in the saves that are kept. Throws ``StoreError/history(_:)``, for example if the store
  /// keeps no history.
  public func history(since save: Int64 = 0) throws -> [HistoryTransaction] {
    let model = context.model
    return try connection.saveChain().saves.filter { $0.number > save }
      .map { HistoryTransaction($0, in: model) }
  }

  /// Returns the saves that concern one object, oldest first, with only the changes of this object.
  ///
  /// Linear in the saves that are kept. Throws as ``history(since:)``.
  public func history(of object: ObjectID) throws -> [HistoryTransaction] {
    let model = context.model
    let known = ObjectID(
      entity: object.entity, root: model.root(of: object.entity), number: object.number)
    return try connection.saveChain().saves.compactMap { save in
      guard let change = save.change?.alone(known, in: model), !change.isEmpty else { return nil }
      var save = save
      save.change = change
      return HistoryTransaction(save, in: model)
    }
  }
}

// Between two saves
extension Store {
  /// Returns the net change of each object after a save, up to another save or the last one.
  ///
  ///     try store.changes(since: last).map(\.object.description)   // ["Item/3"]
  ///
  /// Objects that were inserted and deleted again are left out. Linear in the saves that are kept.
  /// Throws ``StoreError/history(_:)``, for example if one of the saves changed the model.
  public func changes(since save: Int64, upTo end: Int64? = nil) throws -> [HistoryChange] {
    let (chain, model) = (try connection.saveChain(), context.model)
    guard let end = end ?? chain.saves.last?.number else { return [] }
    return try StoreError.convertingHistoryErrors {
      HistoryChange.all(try chain.change(save, end, in: model), in: model)
    }
  }

  /// Returns the objects as they were after a save. For save 0, returns them as they were before
  /// the first one.
  ///
  ///     try store.snapshot(asOf: 3).count(FetchRequest("Item", where: "done == NO"))
  ///
  /// Linear in the saves that are kept. Throws ``StoreError/history(_:)``, for example if a later
  /// save changed the model, or if others have saved and `refresh` has not yet merged it.
  public func snapshot(asOf save: Int64) throws -> Snapshot {
    let chain = try connection.saveChain()
    let now = context.storage.savedGraph
    let graph = try StoreError.convertingHistoryErrors { try chain.graph(after: save, from: now) }
    return Snapshot(context.storage.reader(of: GraphSnapshot(graph)))
  }

  /// Reverts the changes of one save, as an undo group that the next save writes. Returns the
  /// objects that it changes.
  ///
  ///     try store.revert(3)
  ///     try store.context.save()
  ///
  /// Linear in the saves that are kept. Throws ``StoreError/notReverted(_:_:)`` if later changes
  /// conflict with it, and ``StoreError/history(_:)``; nothing is changed in those cases.
  @discardableResult public func revert(_ save: Int64) throws -> ObjectChanges {
    let chain = try connection.saveChain()
    let change = try StoreError.convertingHistoryErrors {
      try chain.change(of: save, in: context.model)
    }
    return try context.storage.revert(change, save)
  }
}

extension ContextStorage {
  /// The graph of the last save, even if groups are open.
  fileprivate var savedGraph: Graph { read { ($0.around.first ?? $0.current).savedGraph } }

  fileprivate func revert(_ change: ChangeSet, _ number: Int64) throws -> ObjectChanges {
    let (evaluation, zone, name) = (evaluation, zone, "revert \(number)")
    return try self.change { state in
      let graph = state.current.graph
      let given = AssignedNumbers(
        before: graph.assignedNumbers, next: graph.assignedNumbers, objects: [])
      let merged = try graph.merging(
        change.inverted, of: graph, policy: .error, given: given, in: evaluation)
      guard merged.conflicts.isEmpty else {
        throw StoreError.notReverted(
          number,
          merged.conflicts.map {
            MergeConflict($0, ofReversal: true, in: graph.model, zone)
          })
      }
      state.current.recover(merged, name)
      return ObjectChanges(
        .objects(merged.change), kind: .performed, actionName: name, in: graph.model)
    }
  }
}

// The same calls for tasks
extension ContextActor {
  /// Returns the saves after a save, of this and other programs, as ``Store/history(since:)`` does,
  /// with the same cost.
  public func history(since save: Int64 = 0) throws -> [HistoryTransaction] {
    try store.history(since: save)
  }

  /// Returns the net change of each object after a save, as ``Store/changes(since:upTo:)`` does,
  /// with the same cost.
  public func changes(since save: Int64, upTo end: Int64? = nil) throws -> [HistoryChange] {
    try store.changes(since: save, upTo: end)
  }

  /// Returns the objects as they were after a save, as ``Store/snapshot(asOf:)`` does, with the
  /// same cost.
  public func snapshot(asOf save: Int64) throws -> Snapshot { try store.snapshot(asOf: save) }
}

extension StoreConnection {
  /// Returns the saves of the history; throws if the store keeps none.
  func saveChain() throws -> SaveChain {
    guard let keeper else { throw StoreError.notKept }
    guard let contents = try StoreError.convertingHistoryErrors({ try keeper.history.read() })
    else {
      throw StoreError.history(.notKept)
    }
    return SaveChain(contents, now: keeper.state)
  }

  /// Returns the keeper of the store; throws if this program cannot write to it.
  func writableKeeper() throws -> StoreKeeper {
    guard let keeper else { throw StoreError.notKept }
    if let readOnlyReason { throw StoreError.readOnly(readOnlyReason) }
    return keeper
  }

  /// Returns a history entry for a save, still without its change.
  func entry(_ actions: [String], by author: String?) -> SaveEntry {
    SaveEntry(
      time: .now, author: author ?? NSUserName(), program: Self.program, actions: actions)
  }

  static let program =
    CommandLine.arguments.first
    .map { URL(filePath: $0).lastPathComponent } ?? ""
}
