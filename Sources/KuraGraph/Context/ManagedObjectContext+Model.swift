package import KuraModel
package import KuraPredicates

extension ManagedObjectContext {
  /// Gives the graph another model and other contents, as one undo group.
  package mutating func changeModel(_ name: String, to after: Graph) {
    let change = GraphChange.model(before: graph, after: after)
    self.change(.changedModel, name) { graph in
      graph.apply(change)
      return [change]
    }
    record(name, [change])
  }

  /// Gives the graph another model; objects keep what both models know.
  package mutating func setModel(_ model: Model, _ name: String) {
    var after = graph
    after.setModel(model)
    changeModel(name, to: after)
  }

  /// Takes an entity out of the model, and with it its objects and the links to them, as one undo
  /// group; what others derive from objects that a cascade reached is computed anew.
  ///
  /// No other entity leads to it or inherits from it.
  package mutating func drop(
    entity name: String, _ title: String, in context: EvaluationContext,
    accept: ([EntityCount]) throws -> Void = { _ in }
  ) throws {
    var model = graph.model
    model.remove(name)
    var without = ManagedObjectContext(graph)
    _ = try without.perform(title, in: context) { editor in
      try editor.delete(editor.graph.objectIDs(of: name))
      try accept(editor.deletedCounts)
    }
    var after = without.graph
    after.setModel(model)
    changeModel(title, to: after)
  }
}

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

/// An entity before and after changes of the model.
package struct ChangedEntity: Sendable {
  /// Nil: it was defined.
  package var old: Entity?
  /// Nil: it was dropped.
  package var new: Entity?
  /// Each key that it declares itself, as it was called and as it is called now.
  package var keys: [(old: String?, new: String?)]
}

extension ManagedObjectContext {
  /// The entities that were defined, altered or dropped since the last save; one that was renamed
  /// is the same. Linear in the model and its changes.
  package var changedEntities: [ChangedEntity] { ModelChanges(self).entities }

  /// Saved requests before and after, where they are not the same; one of the two may be missing.
  package var changedRequests: [(old: SavedRequest?, new: SavedRequest?)] {
    let (before, now) = (savedModel.requests, graph.model.requests)
    let present = now.map { new in (old: before.first { $0.name == new.name }, new: new) }
    let dropped = before.filter { old in !now.contains { $0.name == old.name } }
    return present.filter { $0.old != $0.new }.map { ($0.old, Optional($0.new)) }
      + dropped.map { (Optional($0), nil) }
  }
}

/// What became of the names of the saved model in the course of several changes.
private struct ModelChanges {
  let before: Model
  let now: Model
  let steps: [ModelRenaming]
  /// By an entity's present name the one it comes from.
  private var origins: [String: Entity] = [:]

  init(_ context: ManagedObjectContext) {
    before = context.savedModel
    now = context.graph.model
    steps = context.unsavedChanges.compactMap { change in
      guard case .model(let before, let after) = change else { return nil }
      return ModelRenaming(from: before.model, to: after.model)
    }
    for entity in before.entities {
      if let name = present(entity.name) { origins[name] = entity }
    }
    // One that was dropped and defined anew is the same entity to whoever compares.
    let kept = Set(origins.values.map(\.name))
    for entity in before.entities where !kept.contains(entity.name) {
      if now[entity.name] != nil, origins[entity.name] == nil { origins[entity.name] = entity }
    }
  }

  private func present(_ entity: String) -> String? {
    steps.reduce(entity) { name, step in name.flatMap(step.entity) }
  }

  private func present(_ key: String, of entity: String) -> String? {
    var names: (entity: String, key: String)? = (entity, key)
    for step in steps {
      guard let (entity, key) = names else { return nil }
      names = step.key(key, of: entity).flatMap { key in
        step.entity(entity).map { ($0, key) }
      }
    }
    return names?.key
  }
}

extension ModelChanges {
  var entities: [ChangedEntity] {
    let kept = Set(origins.values.map(\.name))
    let present = now.entities.filter { origins[$0.name] != $0 }.map { entity in
      ChangedEntity(old: origins[entity.name], new: entity, keys: keys(of: entity))
    }
    let dropped = before.entities.filter { !kept.contains($0.name) }
    return present + dropped.map { ChangedEntity(old: $0, new: nil, keys: []) }
  }

  private func keys(of entity: Entity) -> [(old: String?, new: String?)] {
    guard let old = origins[entity.name] else { return [] }
    var names: [String: String] = [:]
    for key in old.ownKeys {
      if let name = self.present(key, of: old.name) { names[name] = key }
    }
    let kept = Set(names.values)
    for key in old.ownKeys where !kept.contains(key) && names[key] == nil { names[key] = key }
    let own = Set(entity.ownKeys)
    let dropped = old.ownKeys.filter { key in !names.contains { own.contains($0) && $1 == key } }
    return entity.ownKeys.map { (names[$0], $0) } + dropped.map { ($0, nil) }
  }
}

extension Entity {
  fileprivate var ownKeys: [String] { attributes.map(\.name) + relationships.map(\.name) }
}
