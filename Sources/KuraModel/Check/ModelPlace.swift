/// A part of a model that a problem is about.
package enum ModelPlace: Sendable, Hashable {
  /// The entity's name.
  case entity(String)
  /// `parent`, or the list of uniqueness constraints
  case entityRule(String, EntityAspect)
  /// The key of an attribute.
  case attribute(String, entity: String)
  /// `default`, `min`, …
  case attributeRule(String, entity: String, AttributeAspect)
  /// The key of a relationship.
  case relationship(String, entity: String)
  /// `inverse`, `destination`, …
  case relationshipRule(String, entity: String, RelationshipAspect)
  /// The name of a saved request.
  case request(String)

  /// What an entity says of itself.
  package enum EntityAspect: String, Sendable { case parent, unique }

  /// What an attribute says of itself.
  package enum AttributeAspect: String, Sendable {
    case type
    case defaultValue = "default"
    case min, max, matches, check, derived
  }

  /// What a relationship says of itself.
  package enum RelationshipAspect: String, Sendable {
    case destination, ordered, inverse, minCount, maxCount
  }
}

extension ModelPlace {
  /// The keys that lead to it in a document's model.
  package var path: [String] {
    switch self {
    case .entity(let entity): ["entities", entity]
    case .entityRule(let entity, let aspect): ["entities", entity, aspect.rawValue]
    case .attribute(let key, let entity): ["entities", entity, "attributes", key]
    case .attributeRule(let key, let entity, let aspect):
      ["entities", entity, "attributes", key, aspect.rawValue]
    case .relationship(let key, let entity): ["entities", entity, "relationships", key]
    case .relationshipRule(let key, let entity, let aspect):
      ["entities", entity, "relationships", key, aspect.rawValue]
    case .request(let name): ["requests", name]
    }
  }

  /// Whether it is a name, and not the value that stands behind it.
  package var isName: Bool {
    switch self {
    case .entity, .attribute, .relationship, .request: true
    case .entityRule, .attributeRule, .relationshipRule: false
    }
  }
}
