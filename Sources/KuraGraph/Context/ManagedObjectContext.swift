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

  package init(_ graph: Graph) { self.graph = graph }

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
  }
}
