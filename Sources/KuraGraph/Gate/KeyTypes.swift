package import KuraModel

/// The types of the keys that a change names, as they were when the change was made.
///
/// A value of a change set says nothing of its type: `7` is a number, a date or, in a relationship, an
/// object. A history or a recovery file keeps these types with a change, and compares them before the change is
/// read by another model.
package struct KeyTypes: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// `title: string`
    case attribute(AttributeType)
    /// `category: Category?`, by its destination
    case object(String)
    /// `tags: [Tag]`, by its destination
    case objects(String)
  }

  /// By entity and key.
  package var entities: [String: [String: Kind]]

  package init(_ entities: [String: [String: Kind]] = [:]) { self.entities = entities }

  /// The types of a change that was made for a model. Linear in its columns.
  package init(_ change: ChangeSet, in model: Model) {
    entities = [:]
    for batch in change.inserted + change.deleted {
      note(batch.entity, batch.columns.map(\.key), in: model)
    }
    for batch in change.updated { note(batch.entity, batch.columns.map(\.key), in: model) }
  }

  private mutating func note(_ entity: String, _ keys: [String], in model: Model) {
    for key in keys where entities[entity]?[key] == nil {
      if let kind = Kind(key, of: entity, in: model) { entities[entity, default: [:]][key] = kind }
    }
  }
}

extension KeyTypes.Kind {
  /// Nil if the entity has no such key.
  init?(_ key: String, of entity: String, in model: Model) {
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute)?: self = .attribute(attribute.type)
    case .relationship(let relationship)?:
      self =
        relationship.isToMany
        ? .objects(relationship.destination) : .object(relationship.destination)
    case nil: return nil
    }
  }
}

extension KeyTypes {
  /// The first key, by name, that a model does not have or has with another type.
  package func firstDifference(from model: Model) -> (entity: String, key: String)? {
    for (entity, keys) in entities.sorted(by: { $0.key < $1.key }) {
      for (key, kind) in keys.sorted(by: { $0.key < $1.key })
      where Kind(key, of: entity, in: model) != kind {
        return (entity, key)
      }
    }
    return nil
  }
}
