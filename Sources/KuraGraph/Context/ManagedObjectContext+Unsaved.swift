import KuraModel

/// What became of an entity.
package enum EntityChange: String, Sendable {
  case defined = "entity defined"
  case altered = "entity altered"
  case dropped = "entity dropped"
}

/// How much was changed since the last save.
package struct UnsavedChanges: Sendable, Equatable {
  package var objects: Int
  package var entities: Int
}

extension ManagedObjectContext {
  package var unsaved: UnsavedChanges {
    let counts = netChange.counts
    let changed = graph.model.entities.filter { savedModel[$0.name] != $0 }.count
    let dropped = savedModel.entities.filter { graph.model[$0.name] == nil }.count
    return UnsavedChanges(
      objects: counts.inserted + counts.updated + counts.deleted, entities: changed + dropped)
  }

  /// The entities that were defined, altered or dropped since the last save.
  package var changedEntities: [(name: String, change: EntityChange)] {
    let present = graph.model.entities.compactMap { entity -> (String, EntityChange)? in
      guard let old = savedModel[entity.name] else { return (entity.name, .defined) }
      return old == entity ? nil : (entity.name, .altered)
    }
    let dropped = savedModel.entities.filter { graph.model[$0.name] == nil }
    return present + dropped.map { ($0.name, .dropped) }
  }

  /// Whether an entity was defined since the last save.
  package func isNew(entity: String) -> Bool {
    graph.model[entity] != nil && savedModel[entity] == nil
  }
}
