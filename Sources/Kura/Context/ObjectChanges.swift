import KuraGraph
import KuraModel
public import KuraValues

/// What one act changed in a context, by identities, to be read from anywhere.
///
///     for await change in context.changes { print(change.kind, change.inserted) }
public struct ObjectChanges: Sendable, Equatable {
  /// The acts that change objects.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects were inserted, updated or deleted.
    case performed
    /// A group was taken back.
    case undone
    /// A group was done again.
    case redone
    /// Everything since the last save was taken back.
    case rolledBack
    /// What others have saved came in.
    case merged
    /// A group of changes, or those of a child context, came in.
    case committed
    /// The model is another one.
    case changedModel
    /// What is derived at a save was computed.
    case derived
    /// Not an act: everything since the last save.
    case unsaved
  }

  /// What was done.
  public var kind: Kind
  /// How the history calls it: `insert Item`; empty where it has no name.
  public var actionName: String
  /// Objects that came, entity by entity.
  public var inserted: [ObjectID] = []
  /// Objects of which values were changed, with the keys that were.
  public var updated: [ObjectID: Set<String>] = [:]
  /// Objects that went.
  public var deleted: [ObjectID] = []
  /// Whether the model was changed, or so much was taken in that all objects may be others.
  public var affectsAllObjects = false

  /// Whether there is nothing in it.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !affectsAllObjects
  }
}

extension ObjectChanges {
  init(
    _ change: GraphChange, kind: Kind, actionName: String, in model: Model, isOfModel: Bool = false
  ) {
    (self.kind, self.actionName) = (kind, actionName)
    guard case .objects(let objects) = change, !isOfModel else {
      affectsAllObjects = true
      return
    }
    inserted = objects.inserted.flatMap { $0.objectIDs(in: model) }
    deleted = objects.deleted.flatMap { $0.objectIDs(in: model) }
    for batch in objects.updated {
      let keys = Set(batch.columns.map(\.key))
      let root = model.root(of: batch.entity)
      for number in batch.numbers {
        let id = ObjectID(entity: batch.entity, root: root, number: number)
        updated[id, default: []].formUnion(keys)
      }
    }
  }
}

extension ObjectBatch {
  fileprivate func objectIDs(in model: Model) -> [ObjectID] {
    let root = model.root(of: entity)
    return numbers.map { ObjectID(entity: entity, root: root, number: $0) }
  }
}

extension ManagedObjectContext {
  /// Each change from now on, in its order, as long as somebody listens; a group is one.
  ///
  ///     let changes = context.changes
  ///     try context.insert("Item", ["title": "掃除"])
  ///     for await change in changes { … }   // performed, "insert Item", [Item/1]
  ///
  /// Changes that nobody has taken yet are kept. They end when nobody has the context any more. Linear in
  /// each change.
  public var changes: AsyncStream<ObjectChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ObjectChanges.self)
    let storage = storage
    let observer = storage.withOutermost { context in
      context.observe { change, graph in
        continuation.yield(
          ObjectChanges(
            change.change, kind: .init(change.act), actionName: change.name, in: graph.model))
      }
    }
    let number = storage.listeners.add { continuation.finish() }
    continuation.onTermination = { _ in
      storage.listeners.remove(number)
      storage.withOutermost { $0.removeObserver(observer) }
    }
    return stream
  }
}

extension ObjectChanges.Kind {
  fileprivate init(_ act: KuraGraph.ContextChange.Act) {
    switch act {
    case .performed: self = .performed
    case .undone: self = .undone
    case .redone: self = .redone
    case .rolledBack: self = .rolledBack
    case .merged, .opened: self = .merged
    case .committed: self = .committed
    case .changedModel: self = .changedModel
    case .derived: self = .derived
    case .reset: self = .rolledBack
    }
  }
}
