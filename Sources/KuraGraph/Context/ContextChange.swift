import KuraValues

/// What one act did to the graph of a context.
///
///     context.observe { change, graph in
///       print(change.act, change.name)     // undone insert Category
///     }
package struct ContextChange: Sendable {
  package enum Act: Sendable, CaseIterable {
    /// A statement changed objects.
    case performed
    case undone
    case redone
    case rolledBack
    /// What others have saved came in below the unsaved changes.
    case merged
    /// The changes of a scratch context came in.
    case committed
    /// The model is another one, and with it what the objects hold.
    case changedModel
    /// What is derived from the moment of a save was computed.
    case derived
    /// Everything is as it was at an earlier time, history and all.
    case reset
    /// Another store is open.
    case opened
  }

  package var act: Act
  /// What the history calls it: `insert Category`; empty where that has no name for it.
  package var name: String
  /// All of it as one step: objects before and after, or two states of the graph where the models
  /// are two.
  package var change: GraphChange
}

/// Somebody who is told of the changes of a context.
package struct ContextObserver: Sendable {
  package typealias ID = Int
  package typealias Body = @Sendable (ContextChange, Graph) -> Void
  let id: ID
  let body: Body
}

extension GraphChange {
  /// Steps that ended in a graph, as one; nil where nothing came of them.
  static func net(of steps: [GraphChange], endingIn after: Graph) -> GraphChange? {
    guard let before = before(steps) else {
      let change = ChangeSet.net(of: steps.compactMap(\.objects), in: after.model)
      return change.isEmpty ? nil : .objects(change)
    }
    guard before.model == after.model else { return .model(before: before, after: after) }
    let change = before.difference(to: after)
    return change.isEmpty ? nil : .objects(change)
  }

  /// The graph before steps of which one changed the model.
  private static func before(_ steps: [GraphChange]) -> Graph? {
    for (i, step) in steps.enumerated() {
      guard case .model(var graph, _) = step else { continue }
      for step in steps[..<i].reversed() { graph.apply(step.inverted) }
      return graph
    }
    return nil
  }

  private var objects: ChangeSet? {
    switch self {
    case .objects(let change): change
    case .model: nil
    }
  }
}

extension Graph {
  /// What makes another graph of this one, which has the same model. Linear in both.
  package func difference(to other: Graph) -> ChangeSet {
    var (inserted, updated, deleted) = (BatchBuilder(), UpdateBuilder(), BatchBuilder())
    for table in tables.indices {
      for (row, id) in objects(table) {
        guard other.has(id.entity, id.number), let there = other.find(id)?.row else {
          deleted.add(id.entity, id.number, storedValues(table, row))
          continue
        }
        let values = storedValues(table, row).changes(to: other.storedValues(table, there))
        if !values.isEmpty { updated.add(id.entity, id.number, values) }
      }
      for (row, id) in other.objects(table) where !has(id.entity, id.number) {
        inserted.add(id.entity, id.number, other.storedValues(table, row))
      }
    }
    return ChangeSet(
      inserted: inserted.batches, updated: updated.batches, deleted: deleted.batches)
  }

  private func objects(_ table: Int) -> some Sequence<(row: Int, id: ObjectID)> {
    let table = tables[table]
    return (0..<table.count).lazy.filter(table.isLive).map { ($0, table.objectID($0)) }
  }
}

extension [(key: String, value: ChangeValue)] {
  /// The keys that have other values in another list; one that is left out is empty.
  fileprivate func changes(to other: Self) -> [(key: String, old: ChangeValue, new: ChangeValue)] {
    let new = Dictionary(other.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let known = Set(map(\.key))
    let kept = map { (key: $0.key, old: $0.value, new: new[$0.key] ?? .null) }
    let added = other.filter { !known.contains($0.key) }.map {
      (key: $0.key, old: ChangeValue.null, new: $0.value)
    }
    return (kept + added).filter { $0.old != $0.new }
  }
}
