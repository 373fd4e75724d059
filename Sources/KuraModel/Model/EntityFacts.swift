/// All that is known of an entity together with its ancestors.
struct EntityFacts: Sendable {
  /// Its place in the model.
  var index: Int
  /// The place of its parent, if there is one of that name.
  var parent: Int?
  /// The root of its tree.
  var root: String
  /// Where it and those that inherit from it stand in the line of all; empty within a circle.
  var line = 0..<0
  /// The root's attributes first, its own last.
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []
  var uniquenessConstraints: [UniquenessConstraint] = []
  /// By key; where a model is wrong and has a key twice, the ancestor's.
  var properties: [String: OwnedProperty] = [:]
}

extension EntityFacts {
  /// Adds what an entity declares; called from the root down.
  mutating func add(_ entity: Entity) {
    attributes += entity.attributes
    relationships += entity.relationships
    uniquenessConstraints += entity.uniquenessConstraints.map {
      UniquenessConstraint(owner: entity.name, keys: $0)
    }
    for attribute in entity.attributes { add(.attribute(attribute), of: entity) }
    for relationship in entity.relationships { add(.relationship(relationship), of: entity) }
  }

  private mutating func add(_ property: Property, of entity: Entity) {
    if properties[property.name] == nil {
      properties[property.name] = OwnedProperty(owner: entity.name, property: property)
    }
  }
}
