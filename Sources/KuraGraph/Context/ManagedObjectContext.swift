package import KuraDiagnostics
package import KuraModel
package import KuraValues

/// The graph with its changes since it was last saved.
package struct ManagedObjectContext: Sendable {
  package private(set) var graph: Graph
  /// What was changed since the last save, in its order.
  package private(set) var changes: [ChangeSet] = []
  /// Whether the model was changed since the last save.
  package private(set) var hasModelChanges = false
  /// The graph as it was last saved, which shares with the present one what has not changed.
  private var saved: Graph

  package init(_ graph: Graph) {
    self.graph = graph
    saved = graph
  }

  package var hasChanges: Bool { hasModelChanges || !changes.isEmpty }

  /// The graph as it is now, for what reads it later.
  package var snapshot: GraphSnapshot { GraphSnapshot(graph) }
}

extension ManagedObjectContext {
  /// Inserts objects and returns their identities; all of them or, with an error, none.
  package mutating func insert(_ objects: [NewObject]) throws(Diagnostic) -> [ObjectID] {
    let change = try graph.insertion(of: objects)
    guard !change.isEmpty else { return [] }
    graph.apply(change)
    changes.append(change)
    return change.inserted.flatMap { batch in
      let root = graph.model.root(of: batch.entity)
      return batch.numbers.map { ObjectID(entity: batch.entity, root: root, number: $0) }
    }
  }

  /// Defines an entity; `ModelCheck` has been asked before.
  package mutating func setModel(_ model: Model) {
    graph.setModel(model)
    hasModelChanges = true
  }

  /// Everything has been saved.
  package mutating func didSave() {
    changes = []
    hasModelChanges = false
    saved = graph
  }

  /// Takes back everything since the last save.
  package mutating func rollback() { self = ManagedObjectContext(saved) }
}

/// How much was changed since the last save.
package struct UnsavedChanges: Sendable, Equatable {
  package var objects: Int
  package var entities: Int
}

extension ManagedObjectContext {
  package var unsaved: UnsavedChanges {
    UnsavedChanges(
      objects: changes.reduce(0) { $0 + $1.inserted.reduce(0) { $0 + $1.numbers.count } },
      entities: graph.model.entities.count - saved.model.entities.count)
  }

  /// Whether an entity was defined since the last save.
  package func isNew(entity: String) -> Bool {
    graph.model[entity] != nil && saved.model[entity] == nil
  }
}
