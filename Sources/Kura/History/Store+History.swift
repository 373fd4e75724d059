import Foundation
import KuraGraph
import KuraModel
import KuraStore
public import KuraValues

// What is kept
extension Store {
  /// Begins to remember saves, or remembers another number of them, the newest; a million at most.
  ///
  ///     try store.keepHistory()
  ///
  /// They stand in a file beside the store, and every program that saves into it adds its own. No save
  /// depends on it. Linear in what is kept. Throws ``StoreError/notKept`` in memory, and
  /// ``StoreError/history(_:)``.
  public func keepHistory(_ saves: Int = 1000) throws {
    let keeper = try connection.writableKeeper()
    try StoreError.sayingHistory { try keeper.keepHistory(saves) }
  }

  /// Takes the file away in which saves are remembered; none is, from now on. Constant time. Throws
  /// ``StoreError/notKept`` in memory, ``StoreError/readOnly(_:)`` and ``StoreError/history(_:)``.
  public func forgetHistory() throws {
    let keeper = try connection.writableKeeper()
    try StoreError.sayingHistory { try keeper.history.forget() }
  }

  /// The saves behind one, of this program and of others, the oldest first; without a number all
  /// that are kept.
  ///
  ///     let last = try store.history().last?.id ?? 0
  ///     …
  ///     try store.history(since: last).map(\.author)   // ["花子"]
  ///
  /// Linear in what is kept. Throws ``StoreError/history(_:)``, as where none is kept.
  public func history(since save: Int64 = 0) throws -> [HistoryTransaction] {
    let model = context.model
    return try connection.saveChain().saves.filter { $0.number > save }
      .map { HistoryTransaction($0, in: model) }
  }

  /// The life of one object: the saves that concern it, the oldest first, with nothing else in them.
  ///
  /// Linear in what is kept. Throws as ``history(since:)``.
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

// From one save to another
extension Store {
  /// What the saves behind one did to each object, taken together, up to another one or the last.
  ///
  ///     try store.changes(since: last).map(\.object.description)   // ["Item/3"]
  ///
  /// An object that came and went is not among them. Linear in what is kept. Throws
  /// ``StoreError/history(_:)``, as where one of the saves changed the model.
  public func changes(since save: Int64, upTo end: Int64? = nil) throws -> [HistoryChange] {
    let (chain, model) = (try connection.saveChain(), context.model)
    guard let end = end ?? chain.saves.last?.number else { return [] }
    return try StoreError.sayingHistory {
      HistoryChange.all(try chain.change(save, end, in: model), in: model)
    }
  }

  /// The store as it was behind a save, to be asked as it is now; behind save 0 where the first is kept.
  ///
  ///     try store.snapshot(asOf: 3).count(FetchRequest("Item", where: "done == NO"))
  ///
  /// Linear in what is kept. Throws ``StoreError/history(_:)``, as where one of the saves since
  /// changed the model, or others have saved what was not yet taken in with `refresh`.
  public func snapshot(asOf save: Int64) throws -> Snapshot {
    let chain = try connection.saveChain()
    let now = context.storage.savedGraph
    let graph = try StoreError.sayingHistory { try chain.graph(behind: save, from: now) }
    return Snapshot(
      GraphReader(
        snapshot: GraphSnapshot(graph), surroundings: context.storage.environment,
        origin: context.storage.origin))
  }

  /// Takes back what one save did, as an undo group of the context, which a save writes; gives the
  /// objects that it changes.
  ///
  ///     try store.revert(3)
  ///     try store.context.save()
  ///
  /// Linear in what is kept. Throws ``StoreError/notReverted(_:_:)`` where later changes meet
  /// it, and ``StoreError/history(_:)``; nothing is done then.
  @discardableResult public func revert(_ save: Int64) throws -> ObjectChanges {
    let chain = try connection.saveChain()
    let change = try StoreError.sayingHistory {
      try chain.change(of: save, in: context.model)
    }
    return try context.storage.revert(change, save)
  }
}

extension ContextStorage {
  /// The graph as it was saved last, whatever groups are open.
  fileprivate var savedGraph: Graph { read { ($0.around.first ?? $0.current).savedGraph } }

  fileprivate func revert(_ change: ChangeSet, _ number: Int64) throws -> ObjectChanges {
    let (evaluation, zone, name) = (evaluation, zone, "revert \(number)")
    return try self.change { state in
      let graph = state.current.graph
      let given = GivenNumbers(before: graph.givenNumbers, next: graph.givenNumbers, objects: [])
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

// For tasks
extension ContextActor {
  /// The saves behind one, of this program and of others, as ``Store/history(since:)`` has them,
  /// at its cost.
  public func history(since save: Int64 = 0) throws -> [HistoryTransaction] {
    try store.history(since: save)
  }

  /// What the saves behind one did to each object, as ``Store/changes(since:upTo:)`` has it, at its
  /// cost.
  public func changes(since save: Int64, upTo end: Int64? = nil) throws -> [HistoryChange] {
    try store.changes(since: save, upTo: end)
  }

  /// The store as it was behind a save, as ``Store/snapshot(asOf:)`` has it, at its cost.
  public func snapshot(asOf save: Int64) throws -> Snapshot { try store.snapshot(asOf: save) }
}
