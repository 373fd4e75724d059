package import KuraDiagnostics
import KuraPredicates

/// A path from the objects of an entity to elements: objects of a to-many relationship, or values of lists in JSON.
///
///     ElementPath(entity: "Category", keys: ["items"])     // fetch Category.items
package struct ElementPath: Sendable, Hashable {
  package let entity: String
  package let keys: [String]

  package init(entity: String, keys: [String]) { (self.entity, self.keys) = (entity, keys) }

  /// The name of the entity of the elements: `Category.items`
  package var elementEntity: String { ([entity] + keys).joined(separator: ".") }
}

extension ElementPath {
  /// A resolved path: relationships, then an attribute of JSON with the keys in it.
  package struct Steps: Sendable {
    package var relationships: [(entity: String, relationship: Relationship)] = []
    /// The last entity of the relationships.
    package var destination: String
    package var attribute: String?
    package var keysInJSON: [String] = []
  }

  /// A reason why a path leads to no elements.
  package enum Problem: Error {
    case unknownEntity
    /// The entity at a key does not have it.
    case unknownKey(Int, entity: String)
    /// The path ends at a single value.
    case singleValue
  }

  /// Returns the steps of the path. Throws if it leads to no elements.
  package func steps(in model: Model) throws(Problem) -> Steps {
    let steps = try prefix(in: model)
    guard steps.attribute != nil || steps.relationships.contains(where: \.relationship.isToMany)
    else { throw .singleValue }
    return steps
  }

  /// Returns the steps of the beginning of a path, which may continue.
  package func prefix(in model: Model) throws(Problem) -> Steps {
    guard model[entity] != nil else { throw .unknownEntity }
    var steps = Steps(destination: entity)
    for (place, key) in keys.enumerated() {
      switch model.property(named: key, of: steps.destination) {
      case .relationship(let relationship)?:
        steps.relationships.append((steps.destination, relationship))
        steps.destination = relationship.destination
      case .attribute(let attribute)? where attribute.type == .json:
        steps.attribute = key
        steps.keysInJSON = Array(keys[(place + 1)...])
        return steps
      case .attribute?: throw .singleValue
      case nil: throw .unknownKey(place, entity: steps.destination)
      }
    }
    return steps
  }
}

extension SourceSpan {
  /// Returns the span of the entity at its start: `Item` in `Item.tags`.
  package func first(_ entity: String) -> SourceSpan {
    self == .none ? self : SourceSpan(start, start + entity.writtenName.utf8.count)
  }
}
