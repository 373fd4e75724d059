package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
import KuraSentences

/// Replaces a complete model, and migrates the objects.
///
///     var replacement = ModelReplacement(graph, by: model)
///     replacement.oldKeys[EntityKey("Item", "name")] = "title"
///     let replaced = try replacement.graph(in: context)   // the titles are now in name
///
/// Entities may be added, dropped with their objects, and get other names and properties; an
/// entity's parent stays the same.
package struct ModelReplacement {
  let graph: Graph
  let target: Model
  /// The old names of entities by their new names, if they differ.
  package var oldEntities: [String: String] = [:]
  /// The old keys by the new entity and key, if they differ.
  package var oldKeys: [EntityKey: String] = [:]

  package init(_ graph: Graph, by target: Model) {
    self.graph = graph
    self.target = target
  }

  private var old: Model { graph.model }
}

extension ModelReplacement {
  /// Returns the graph with the new model.
  ///
  /// Throws a diagnostic if the models do not fit together, and `MigrationProblems` with all
  /// objects that do not fit. Linear in the objects whose entities change.
  package func graph(in context: EvaluationContext) throws -> Graph {
    try checkNames()
    try checkInheritance()
    let widened = widened
    var migration = Migration(widened, to: narrowed(widened.model))
    migration.oldEntities = oldEntities
    migration.oldKeys = oldKeys
    migration.checked = target.entities.flatMap(changedKeys)
    var result = try withoutDropped(migration.graph(in: context), in: context)
    result.setModel(target)
    return result
  }

  /// Returns the name of an entity in the new model; nil if it is dropped.
  private func newName(_ name: String) -> String? {
    if let renamed = oldEntities.first(where: { $0.value == name }) { return renamed.key }
    return target[name] != nil && oldEntities[name] == nil ? name : nil
  }

  /// Returns the former name of an entity; nil if it is new.
  private func oldName(_ name: String) -> String? {
    let before = oldEntities[name] ?? name
    return old[before] != nil && newName(before) == name ? before : nil
  }

  private var dropped: [Entity] { old.entities.filter { newName($0.name) == nil } }
  private var added: [Entity] { target.entities.filter { oldName($0.name) == nil } }

  private func checkNames() throws(Diagnostic) {
    for (new, name) in oldEntities.sorted(by: { $0.key < $1.key }) {
      guard target[new] != nil, old[name] != nil else {
        throw Diagnostic(ReplacementProblem.badRenaming(name, new))
      }
    }
    for (place, key) in oldKeys.sorted(by: { $0.value < $1.value }) {
      let owner = oldName(place.entity).flatMap { old[$0] }
      guard owner?.declares(key) == true, target[place.entity]?.declares(place.key) == true else {
        throw Diagnostic(
          ReplacementProblem.badRenaming("\(place.entity).\(key)", "\(place.entity).\(place.key)"))
      }
    }
    let reused =
      added.map(\.name).filter { old[$0] != nil }
      + dropped.map(\.name).filter { target[$0] != nil }
    if let name = reused.first { throw Diagnostic(ReplacementProblem.nameTaken(name)) }
  }

  private func checkInheritance() throws(Diagnostic) {
    for entity in old.entities {
      guard let name = newName(entity.name), let parent = target[name]?.parent ?? entity.parent
      else { continue }
      guard entity.parent.flatMap(newName) == target[name]?.parent else {
        throw Diagnostic(ReplacementProblem.inheritance(entity: name, parent: parent))
      }
    }
  }

  /// The graph with the new entities, which are empty.
  private var widened: Graph {
    var model = old
    for entity in added {
      let parent = entity.parent.map { oldName($0) ?? $0 }
      model.define(Entity(name: entity.name, parent: parent, isAbstract: entity.isAbstract))
    }
    var result = graph
    result.setModel(model)
    return result
  }

  /// Returns the graph without the dropped objects. Their relationships were removed before, so
  /// that their delete rules do not delete other objects.
  private func withoutDropped(_ graph: Graph, in context: EvaluationContext) throws -> Graph {
    var without = GraphContext(graph)
    _ = try without.perform("", in: context) { editor in
      try editor.delete(dropped.flatMap { graph.objectIDs(of: $0.name) })
    }
    return without.graph
  }

  /// Returns the new model including the dropped entities, which are empty, in the order of `wide`.
  private func narrowed(_ wide: Model) -> Model {
    let entities = wide.entities.map { entity in
      target[newName(entity.name) ?? entity.name]
        ?? Entity(
          name: entity.name, parent: entity.parent.map { newName($0) ?? $0 },
          isAbstract: entity.isAbstract)
    }
    return Model(entities: entities, requests: target.requests, userInfo: target.userInfo)
  }

  /// Returns the keys of an entity whose rules may have changed.
  private func changedKeys(_ entity: Entity) -> [EntityKey] {
    guard let before = oldName(entity.name).flatMap({ old[$0] }) else { return [] }
    func oldKey(_ key: String) -> String { oldKeys[EntityKey(entity.name, key)] ?? key }
    let attributes = entity.attributes.filter { attribute in
      var attribute = attribute
      attribute.name = oldKey(attribute.name)
      return !before.attributes.contains(attribute)
    }
    let relationships = entity.relationships.filter { relationship in
      var relationship = relationship
      relationship.name = oldKey(relationship.name)
      return !before.relationships.contains(relationship)
    }
    let unique = entity.uniquenessConstraints.filter { keys in
      !before.uniquenessConstraints.contains(keys.map(oldKey))
    }
    return (attributes.map(\.name) + relationships.map(\.name) + unique.compactMap(\.first))
      .map { EntityKey(entity.name, $0) }
  }
}

extension Entity {
  fileprivate func declares(_ key: String) -> Bool {
    attributes.contains { $0.name == key } || relationships.contains { $0.name == key }
  }
}

/// The reasons why a model cannot replace another.
package enum ReplacementProblem: DiagnosticFacts {
  /// A renaming of something that does not exist.
  case badRenaming(String, String)
  /// An entity is dropped or renamed, and another one gets its name.
  case nameTaken(String)
  /// An entity would get another parent.
  case inheritance(entity: String, parent: String)

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .badRenaming(let old, let new):
      localized("\(old) cannot be renamed to \(new): one of the two does not exist")
    case .nameTaken(let name): localized("\(name) is another entity in the store's model")
    case .inheritance(let entity, let parent):
      localized("the new model changes whether \(entity) inherits from \(parent)")
    }
  }

  package var help: String? {
    switch self {
    case .badRenaming:
      localized("the old name must be in the store's model, the new name in the new model")
    case .nameTaken: localized("change the model in two steps")
    case .inheritance: localized("create an entity with another name, and insert the objects again")
    }
  }
}
