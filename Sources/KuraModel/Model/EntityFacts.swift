/// All that is known of an entity together with its ancestors.
struct EntityFacts: Sendable {
  /// Its place in the model.
  var index: Int
  /// Its parent, its parent's parent, up to the root; empty for a root.
  var ancestors: [String] = []
  /// Those that inherit from it, through others too, in the model's order.
  var descendants: [String] = []
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

extension EntityFacts {
  /// The facts of every entity; of a name that comes twice the first entity counts.
  ///
  /// Linear in the entities, times the depth of their inheritance.
  static func all(of entities: [Entity]) -> [String: EntityFacts] {
    let places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var facts = places.mapValues { EntityFacts(index: $0) }
    for (name, index) in places {
      let ancestors = ancestors(of: entities[index], entities, places)
      facts[name]?.ancestors = ancestors.map { entities[$0].name }
      for ancestor in ancestors.reversed() { facts[name]?.add(entities[ancestor]) }
      facts[name]?.add(entities[index])
    }
    for entity in entities where places[entity.name].map({ entities[$0] == entity }) == true {
      for ancestor in facts[entity.name]?.ancestors ?? [] {
        facts[ancestor]?.descendants.append(entity.name)
      }
    }
    return facts
  }

  /// The ancestors' places, the parent's first; a cycle ends before it repeats.
  private static func ancestors(
    of entity: Entity, _ entities: [Entity], _ places: [String: Int]
  ) -> [Int] {
    var ancestors: [Int] = []
    var seen: Set = [entity.name]
    var parent = entity.parent
    while let name = parent, seen.insert(name).inserted, let place = places[name] {
      ancestors.append(place)
      parent = entities[place].parent
    }
    return ancestors
  }
}
