import Synchronization

/// The facts of all entities, and a list in which each entity precedes its descendants.
final class KnownModel: Sendable {
  let facts: [String: KnownEntity]
  /// Indexes into the model's entities, depth first, so that each tree is contiguous.
  let line: [Int]

  /// Linear in the entities and the keys of each. If a name occurs twice, the first entity is used.
  init(_ entities: [Entity]) {
    var making = Making(entities)
    making.addTrees()
    making.addCircles()
    facts = making.facts.mapValues(KnownEntity.init)
    line = making.line
  }
}

extension KnownModel {
  /// Returns the indexes of the ancestors, the parent first; a cycle ends before it repeats.
  func ancestors(of name: String, in entities: [Entity]) -> [Int] {
    guard let start = facts[name]?.facts else { return [] }
    var ancestors: [Int] = []
    var seen: Set = [start.index]
    var next = start.parent
    while let place = next, !start.line.isEmpty || seen.insert(place).inserted {
      ancestors.append(place)
      next = facts[entities[place].name]?.facts.parent
    }
    return ancestors
  }

  /// Returns the indexes of the descendants of an entity, in the order of the model.
  func descendants(of name: String, in entities: [Entity]) -> [Int] {
    guard let known = facts[name]?.facts else { return [] }
    if !known.line.isEmpty { return line[known.line].dropFirst().sorted() }
    return entities.indices.filter { place in
      let other = facts[entities[place].name]?.facts
      return other?.index == place && other?.line.isEmpty == true
        && ancestors(of: entities[place].name, in: entities).contains(known.index)
    }
  }

  /// Returns whether an entity is another one or inherits from it.
  func entity(_ name: String, isKindOf other: String, in entities: [Entity]) -> Bool {
    if name == other { return true }
    guard let known = facts[name]?.facts, let other = facts[other]?.facts else { return false }
    if let place = known.line.first { return other.line.contains(place) }
    return ancestors(of: name, in: entities).contains(other.index)
  }
}

/// The facts under construction.
private struct Making {
  let entities: [Entity]
  let places: [String: Int]
  var facts: [String: EntityFacts] = [:]
  var line: [Int] = []
  private var children: [Int: [Int]] = [:]

  init(_ entities: [Entity]) {
    self.entities = entities
    places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (place, entity) in entities.enumerated() where places[entity.name] == place {
      guard let parent = entity.parent.flatMap({ places[$0] }) else { continue }
      children[parent, default: []].append(place)
    }
  }

  private func isRoot(_ place: Int) -> Bool {
    places[entities[place].name] == place
      && entities[place].parent.flatMap { places[$0] } == nil
  }

  /// Adds each root with its descendants; a child starts with the facts of its parent.
  mutating func addTrees() {
    for root in entities.indices where isRoot(root) {
      var open = [(place: root, isDone: false)]
      while let (place, isDone) = open.popLast() {
        let name = entities[place].name
        if isDone {
          if let own = facts[name] { facts[name]?.line = own.line.lowerBound..<line.count }
          continue
        }
        facts[name] = inherited(place, root)
        line.append(place)
        open.append((place, true))
        open += (children[place] ?? []).reversed().map { ($0, false) }
      }
    }
  }

  private func inherited(_ place: Int, _ root: Int) -> EntityFacts {
    let entity = entities[place]
    let parent = entity.parent.flatMap { places[$0] }
    let above = parent.flatMap { facts[entities[$0].name] }
    var own = above ?? EntityFacts(index: place, root: entities[root].name)
    (own.index, own.parent) = (place, parent)
    own.line = line.count..<line.count + 1
    own.add(entity)
    return own
  }

  /// Adds entities in inheritance cycles, and their descendants.
  mutating func addCircles() {
    for (place, entity) in entities.enumerated()
    where places[entity.name] == place && facts[entity.name] == nil {
      let ancestors = ancestors(of: place)
      var own = EntityFacts(index: place, root: entities[ancestors.last ?? place].name)
      own.parent = ancestors.first
      for ancestor in ancestors.reversed() { own.add(entities[ancestor]) }
      own.add(entity)
      facts[entity.name] = own
    }
  }

  private func ancestors(of place: Int) -> [Int] {
    var ancestors: [Int] = []
    var seen: Set<Int> = [place]
    var next = parent(of: place)
    while let above = next, seen.insert(above).inserted {
      ancestors.append(above)
      next = parent(of: above)
    }
    return ancestors
  }

  private func parent(of place: Int) -> Int? { entities[place].parent.flatMap { places[$0] } }
}

/// The facts about an entity, including its ancestors' properties.
struct EntityFacts: Sendable {
  /// The index in the model.
  var index: Int
  /// The index of the parent, if it exists.
  var parent: Int?
  /// The root of the inheritance tree.
  var root: String
  /// The range of the entity and its descendants in the list of all; empty in a cycle.
  var line = 0..<0
  /// All attributes, the root's first.
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []
  var uniquenessConstraints: [UniquenessConstraint] = []
  var indexes: [OwnedIndex] = []
  /// The entities that declare the properties.
  private var owners: [String] = []
  /// The places by key; if an invalid model has a key twice, the ancestor's place.
  private var places: [String: Place] = [:]

  private struct Place {
    var owner: Int32
    /// The index of an attribute; for a relationship, the complement of its index.
    var place: Int32
  }

  init(index: Int, root: String) { (self.index, self.root) = (index, root) }
}

extension EntityFacts {
  /// Adds the declarations of an entity; called from the root down.
  mutating func add(_ entity: Entity) {
    owners.append(entity.name)
    places.reserveCapacity(places.count + entity.attributes.count + entity.relationships.count)
    for (i, attribute) in entity.attributes.enumerated() {
      add(attribute.name, at: attributes.count + i)
    }
    for (i, relationship) in entity.relationships.enumerated() {
      add(relationship.name, at: ~(relationships.count + i))
    }
    // Without inherited attributes, the array is shared with the entity.
    attributes = attributes.isEmpty ? entity.attributes : attributes + entity.attributes
    relationships += entity.relationships
    uniquenessConstraints += entity.uniquenessConstraints.map {
      UniquenessConstraint(owner: entity.name, keys: $0)
    }
    indexes += entity.indexes.map { OwnedIndex(owner: entity.name, index: $0) }
  }

  private mutating func add(_ key: String, at place: Int) {
    guard places[key] == nil else { return }
    places[key] = Place(
      owner: Int32(truncatingIfNeeded: owners.count - 1), place: Int32(truncatingIfNeeded: place))
  }

  /// Returns the property of a key, with the entity that declares it.
  func property(_ key: String) -> OwnedProperty? {
    guard let known = places[key] else { return nil }
    let place = Int(known.place)
    return OwnedProperty(
      owner: owners[Int(known.owner)],
      property: place < 0
        ? .relationship(relationships[~place]) : .attribute(attributes[place]))
  }
}

/// The facts of a model's entities, computed on first use.
///
/// Copies of a model share this object; a change of the entities replaces it.
final class LazyLookup: Sendable {
  private let cached = Mutex<KnownModel?>(nil)

  func model(_ entities: [Entity]) -> KnownModel {
    cached.withLock { cached in
      if let cached { return cached }
      let known = KnownModel(entities)
      cached = known
      return known
    }
  }
}

/// A reference to facts, so that a lookup does not copy them.
final class KnownEntity: Sendable {
  let facts: EntityFacts

  init(_ facts: EntityFacts) { self.facts = facts }
}

extension Model {
  func known(_ name: String) -> KnownEntity? { known.facts[name] }

  var known: KnownModel { lookup.model(entities) }

  /// Returns whether the other model has the same entities because one is a copy of the other, in constant time.
  ///
  /// False does not mean that they differ.
  package func sharesEntities(with other: Model) -> Bool { lookup === other.lookup }
}
