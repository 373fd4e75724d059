package import KuraDiagnostics
package import KuraPredicates

/// A path from the objects of an entity to elements: objects of a to-many relationship, or values of lists in JSON.
///
///     ElementPath(entity: "Category", keys: [KeyComponent("items")])     // fetch Category.items
///
/// `@allValues` is each value of a JSON object, as in `fetch Lock.packages.@allValues.dependencies`. After an entity, it
/// is each JSON attribute of an object.
package struct ElementPath: Sendable, Hashable {
  package let entity: String
  package let keys: [KeyComponent]

  package init(entity: String, keys: [KeyComponent]) { (self.entity, self.keys) = (entity, keys) }

  /// The name of the entity of the elements: `Category.items`
  package var elementEntity: String { ([entity] + keys.map(\.written)).joined(separator: ".") }
}

extension ElementPath {
  /// A resolved path: relationships, then an attribute of JSON with the keys in it.
  package struct Steps: Sendable {
    package var relationships: [(entity: String, relationship: Relationship)] = []
    /// The last entity of the relationships.
    package var destination: String
    package var json: Start?
    /// The keys in the JSON; nil for each value of an object.
    package var keysInJSON: [String?] = []

    /// The JSON in which the path continues.
    package enum Start: Sendable, Hashable {
      case attribute(String)
      /// All JSON attributes of an object, as one JSON object.
      case attributes([String])
    }
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
    guard steps.json != nil || steps.relationships.contains(where: \.relationship.isToMany)
    else { throw .singleValue }
    return steps
  }

  /// Returns the steps of the beginning of a path, which may continue.
  package func prefix(in model: Model) throws(Problem) -> Steps {
    guard model[entity] != nil else { throw .unknownEntity }
    var steps = Steps(destination: entity)
    for (place, key) in keys.enumerated() {
      if key.isOfAllValues {
        try steps.enter(.attributes(model.jsonAttributes(of: steps.destination)), keys[place...])
        return steps
      }
      switch model.property(named: key.name, of: steps.destination) {
      case .relationship(let relationship)?:
        steps.relationships.append((steps.destination, relationship))
        steps.destination = relationship.destination
      case .attribute(let attribute)? where attribute.type == .json:
        try steps.enter(.attribute(key.name), keys[(place + 1)...])
        return steps
      case .attribute?: throw .singleValue
      case nil: throw .unknownKey(place, entity: steps.destination)
      }
    }
    return steps
  }
}

extension ElementPath.Steps {
  /// Sets the start in JSON, and the keys from there.
  fileprivate mutating func enter(
    _ start: Start, _ keys: ArraySlice<KeyComponent>
  ) throws(ElementPath.Problem) {
    if case .attributes([]) = start { throw .singleValue }
    json = start
    keysInJSON = keys.map { $0.isOfAllValues ? nil : $0.name }
  }
}

extension Model {
  fileprivate func jsonAttributes(of entity: String) -> [String] {
    allAttributes(of: entity).filter { $0.type == .json }.map(\.name)
  }
}

extension SourceSpan {
  /// Returns the span of the entity at its start: `Item` in `Item.tags`.
  package func first(_ entity: String) -> SourceSpan {
    self == .none ? self : SourceSpan(start, start + entity.writtenName.utf8.count)
  }
}
