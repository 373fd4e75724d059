import KuraGraph
import KuraModel
public import KuraValues

/// The objects that one operation changed in a context, as identities that are readable from any
/// isolation.
///
///     for await change in context.changes { print(change.kind, change.inserted) }
public struct ObjectChanges: Sendable, Equatable {
  /// The operations that change objects.
  public enum Kind: String, Sendable, CaseIterable {
    /// Objects were inserted, updated or deleted.
    case performed
    /// A group was undone.
    case undone
    /// A group was redone.
    case redone
    /// All changes since the last save were discarded.
    case rolledBack
    /// Saves of others were merged.
    case merged
    /// A group of changes, or the changes of a child context, was added.
    case committed
    /// The model was replaced.
    case changedModel
    /// Derived attributes were computed at a save.
    case derived
    /// Not an operation: all changes since the last save.
    case unsaved
  }

  /// The operation.
  public var kind: Kind
  /// The operation's name in the undo history, such as `insert Item`; empty if it has none.
  public var actionName: String
  /// The inserted objects, grouped by entity.
  public var inserted: [ObjectID] = []
  /// The updated objects, each with the keys whose values changed.
  public var updated: [ObjectID: Set<String>] = [:]
  /// The deleted objects.
  public var deleted: [ObjectID] = []
  /// Whether any object may have changed, because the model changed or a large merge occurred.
  public var affectsAllObjects = false

  /// Whether it contains no changes.
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
      for id in batch.objectIDs(in: model) { updated[id, default: []].formUnion(keys) }
    }
  }
}

extension ManagedObjectContext {
  /// A stream of all changes from now on, in order; a group is one change.
  ///
  ///     let changes = context.changes
  ///     try context.insert("Item", ["title": "掃除"])
  ///     for await change in changes { … }   // performed, "insert Item", [Item/1]
  ///
  /// The stream buffers changes until they are read. It ends when the context is released. Linear
  /// in each change.
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
