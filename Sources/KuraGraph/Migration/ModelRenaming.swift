package import KuraModel

/// The names that changed between two models, if a single statement derived one from the other.
///
/// A renamed entity or key keeps its position. No addition, removal or change results in both
/// another name and the same position.
package struct ModelRenaming {
  private let old: Model
  private let new: Model
  /// The new names of entities, by old name.
  package private(set) var entities: [String: String] = [:]

  package init(from old: Model, to new: Model) {
    self.old = old
    self.new = new
    guard old.entities.count == new.entities.count else { return }
    for (before, after) in zip(old.entities, new.entities) where before.name != after.name {
      entities[before.name] = after.name
    }
  }
}

extension ModelRenaming {
  /// Returns the present name of an entity; nil if it was removed.
  func entity(_ name: String) -> String? {
    let name = entities[name] ?? name
    return new[name] == nil ? nil : name
  }

  /// Returns the present name of an entity's key; nil if it was removed.
  func key(_ key: String, of entity: String) -> String? {
    guard let now = self.entity(entity), let owned = old.ownedProperty(named: key, of: entity),
      let owner = self.entity(owned.owner), let before = old[owned.owner], let after = new[owner]
    else { return nil }
    let name =
      renamed(key, before.attributes.map(\.name), after.attributes.map(\.name))
      ?? renamed(key, before.relationships.map(\.name), after.relationships.map(\.name)) ?? key
    return new.property(named: name, of: now) == nil ? nil : name
  }

  private func renamed(_ key: String, _ before: [String], _ after: [String]) -> String? {
    guard before.count == after.count, let place = before.firstIndex(of: key) else { return nil }
    return after[place]
  }
}

extension ChangeSet {
  /// Returns a change that preceded a change of the model, with the names of the new model and
  /// without its removed parts.
  func carried(from old: Model, to new: Model) -> ChangeSet {
    if old.entities == new.entities { return self }
    let names = ModelRenaming(from: old, to: new)
    return compactMap { $0.carried(names) }
  }
}

extension ObjectBatch {
  fileprivate func carried(_ names: ModelRenaming) -> ObjectBatch? {
    guard let name = names.entity(entity) else { return nil }
    let columns = columns.compactMap { column in
      names.key(column.key, of: entity).map {
        ChangeColumn(key: $0, old: column.old, new: column.new)
      }
    }
    return ObjectBatch(entity: name, numbers: numbers, columns: columns)
  }
}
