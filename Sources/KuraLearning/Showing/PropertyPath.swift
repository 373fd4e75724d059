import KuraModel
import KuraPredicates

extension Model {
  /// Returns the properties on a path of keys: relationships, and an attribute at the end. It stops before the first
  /// step that is not a property.
  func properties(along path: some Sequence<KeyComponent>, of entity: String) -> [Property] {
    var (entity, found) = (entity, [Property]())
    for key in path {
      guard key.kind == .key, let property = property(named: key.name, of: entity) else { break }
      found.append(property)
      guard case .relationship(let relationship) = property else { break }
      entity = relationship.destination
    }
    return found
  }
}

extension Property {
  var isAttribute: Bool { if case .attribute = self { true } else { false } }

  /// Whether its value may be nil.
  var isOptional: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.isOptional
    }
  }

  var isToMany: Bool {
    if case .relationship(let relationship) = self { relationship.isToMany } else { false }
  }
}
