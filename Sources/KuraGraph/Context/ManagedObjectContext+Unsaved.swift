import KuraModel

/// How much was changed since the last save.
package struct UnsavedChanges: Sendable, Equatable {
  package var objects: Int
  package var entities: Int
  package var requests = 0
}

extension ManagedObjectContext {
  package var unsaved: UnsavedChanges {
    let counts = netChange.counts
    return UnsavedChanges(
      objects: counts.inserted + counts.updated + counts.deleted,
      entities: changedEntities.count, requests: changedRequests.count)
  }

  /// Whether an entity was defined since the last save.
  package func isNew(entity: String) -> Bool {
    graph.model[entity] != nil && savedModel[entity] == nil
  }
}
