package import KuraPredicates

/// The schema of a store: its entities with their attributes and relationships.
public struct Model: Sendable {
  /// The entities in the order of definition.
  public private(set) var entities: [Entity] {
    didSet { lookup = LazyLookup() }
  }
  /// The saved requests in the order of definition: `("Birthdays", "() = fetch MemoDate")`.
  public var requests: [SavedRequest]
  /// Arbitrary data that is stored but not interpreted: the JSON text of an object.
  public var userInfo: String?
  /// The facts of all entities, computed on first use.
  private(set) var lookup = LazyLookup()

  /// Creates a model. `ModelCheck` tests whether it is consistent.
  public init(
    entities: [Entity] = [], requests: [SavedRequest] = [], userInfo: String? = nil
  ) {
    self.entities = entities
    self.requests = requests
    self.userInfo = userInfo
  }
}

extension Model {
  /// The entity with a name; nil if there is none. Constant time except for the first lookup, as ``root(of:)``.
  public subscript(name: String) -> Entity? { index(of: name).map { entities[$0] } }

  /// Returns the index of an entity in `entities`; nil if there is none. Constant time except for
  /// the first lookup, as ``root(of:)``.
  public func index(of name: String) -> Int? { known(name)?.facts.index }

  /// Adds an entity, or replaces the one with the same name.
  ///
  /// Linear in the number of entities; the facts about them are not computed for this.
  public mutating func define(_ entity: Entity) {
    if let i = entities.firstIndex(where: { $0.name == entity.name }) {
      entities[i] = entity
    } else {
      entities.append(entity)
    }
  }

  /// Removes an entity. References to it remain, and `ModelCheck` reports them. Linear in the number of entities.
  public mutating func remove(_ name: String) {
    entities.removeAll { $0.name == name }
  }
}

extension String {
  /// Returns the name with the lowest number that makes it new: `owner`, otherwise `owner2`.
  package func unless(in taken: Set<String>) -> String {
    var (name, number) = (self, 2)
    while taken.contains(name) { (name, number) = ("\(self)\(number)", number + 1) }
    return name
  }
}

extension Model: Hashable {
  /// Returns whether entities, requests and user info are equal, including their order. Linear in the models.
  public static func == (a: Model, b: Model) -> Bool {
    a.entities == b.entities && a.requests == b.requests && a.userInfo == b.userInfo
  }

  /// Hashes entities and requests. Linear in the model.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(requests)
  }
}

/// A fetch with a name and parameters, saved in the model.
public struct SavedRequest: Sendable, Hashable {
  /// The name, such as `Birthdays`.
  public var name: String
  /// The parameters and the fetch, such as `() = fetch MemoDate where title CONTAINS "誕生日" sort date`.
  public var text: String

  /// Creates a saved request.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

extension Model {
  /// Adds a property to an entity, or replaces the one with the same name.
  ///
  /// `isUnique` determines whether the key is unique on its own; combinations of keys are
  /// unchanged. Linear in the model.
  public mutating func set(_ property: Property, of entity: String, isUnique: Bool) {
    guard var changed = self[entity] else { return }
    switch property {
    case .attribute(let attribute): changed.attributes.set(attribute) { $0.name == attribute.name }
    case .relationship(let relationship):
      changed.relationships.set(relationship) { $0.name == relationship.name }
    }
    let alone = [property.name]
    if !isUnique {
      changed.uniquenessConstraints.removeAll { $0 == alone }
    } else if !changed.uniquenessConstraints.contains(alone) {
      changed.uniquenessConstraints.append(alone)
    }
    define(changed)
  }

  /// Removes a property from the entity that declares it, with the uniqueness constraints and
  /// indexes that contain it. Inverses that name it remain. Linear in the model, once for the
  /// entity and once for each descendant.
  public mutating func remove(key: String, of owner: String) {
    for name in [owner] + descendants(of: owner) {
      guard var entity = self[name] else { continue }
      if name == owner {
        entity.attributes.removeAll { $0.name == key }
        entity.relationships.removeAll { $0.name == key }
      }
      entity.uniquenessConstraints.removeAll { $0.contains(key) }
      entity.indexes.removeAll { $0.keys.contains(key) }
      define(entity)
    }
  }

  /// Sets or removes the inverse of a relationship. Linear in the model.
  public mutating func setInverse(_ inverse: String?, of key: String, in owner: String) {
    guard var entity = self[owner] else { return }
    for i in entity.relationships.indices where entity.relationships[i].name == key {
      entity.relationships[i].inverse = inverse
    }
    define(entity)
  }
}

extension Array {
  /// Replaces the first matching element, or appends the element.
  fileprivate mutating func set(_ element: Element, where isAlike: (Element) -> Bool) {
    if let place = firstIndex(where: isAlike) {
      self[place] = element
    } else {
      append(element)
    }
  }
}

extension Model {
  /// Renames an entity, and references to it in parents and destinations.
  ///
  /// The texts of rules and saved requests are unchanged. Linear in the model.
  public mutating func rename(entity name: String, to newName: String) {
    replaceEntities { entity in
      if entity.name == name { entity.name = newName }
      if entity.parent == name { entity.parent = newName }
      for i in entity.relationships.indices where entity.relationships[i].destination == name {
        entity.relationships[i].destination = newName
      }
    }
  }

  /// Renames a key of the entity that declares it, with its inverse, and in uniqueness constraints
  /// and indexes of the entity and its descendants.
  ///
  /// The texts of rules and saved requests are unchanged. Linear in the model.
  public mutating func rename(key name: String, of owner: String, to newName: String) {
    let heirs = Set([owner] + descendants(of: owner))
    replaceEntities { entity in
      if entity.name == owner { entity.renameOwn(key: name, to: newName) }
      if heirs.contains(entity.name) { entity.renameInLists(key: name, to: newName) }
      for i in entity.relationships.indices
      where entity.relationships[i].inverse == name
        && heirs.contains(entity.relationships[i].destination)
      {
        entity.relationships[i].inverse = newName
      }
    }
  }

  private mutating func replaceEntities(_ change: (inout Entity) -> Void) {
    var changed = entities
    for i in changed.indices { change(&changed[i]) }
    self = Model(entities: changed, requests: requests, userInfo: userInfo)
  }
}

extension Entity {
  fileprivate mutating func renameOwn(key: String, to newName: String) {
    for i in attributes.indices where attributes[i].name == key { attributes[i].name = newName }
    for i in relationships.indices where relationships[i].name == key {
      relationships[i].name = newName
    }
  }

  fileprivate mutating func renameInLists(key: String, to newName: String) {
    uniquenessConstraints = uniquenessConstraints.map { $0.map { $0 == key ? newName : $0 } }
    for i in indexes.indices {
      for j in indexes[i].elements.indices where indexes[i].elements[j].key == key {
        indexes[i].elements[j].key = newName
      }
    }
  }
}

extension Model {
  /// Returns the root entity of an inheritance tree, in which the number of an object is unique.
  ///
  ///     model.root(of: "Task")   // "Item", where Task inherits from Item
  ///
  /// An entity without parent and an unknown name are their own root. Constant time, except for the
  /// first lookup after a change of the entities, which computes the facts for all lookups: linear
  /// in the entities and the keys of each.
  public func root(of entity: String) -> String { known(entity)?.facts.root ?? entity }

  /// Returns the parent, its parent and so on up to the root; empty for a root. Linear in them
  /// except for the first lookup, as ``root(of:)``.
  public func ancestors(of entity: String) -> [String] {
    known.ancestors(of: entity, in: entities).map { entities[$0].name }
  }

  /// Returns the direct and indirect descendants of an entity, in the order of the model; n log n
  /// in them except for the first lookup, as ``root(of:)``.
  public func descendants(of entity: String) -> [String] {
    known.descendants(of: entity, in: entities).map { entities[$0].name }
  }

  /// Returns whether an entity is another one or inherits from it. Constant time except for the
  /// first lookup, as ``root(of:)``.
  public func entity(_ name: String, isKindOf other: String) -> Bool {
    name == other || known.entity(name, isKindOf: other, in: entities)
  }

  func inheritsInCycle(_ entity: String) -> Bool { known(entity)?.facts.line.isEmpty == true }

  /// Returns the attributes including inherited ones, the root's first. Constant time except for
  /// the first lookup, as ``root(of:)``.
  public func allAttributes(of entity: String) -> [Attribute] {
    known(entity)?.facts.attributes ?? []
  }

  /// Returns the relationships including inherited ones, the root's first. Constant time except for
  /// the first lookup, as ``root(of:)``.
  public func allRelationships(of entity: String) -> [Relationship] {
    known(entity)?.facts.relationships ?? []
  }

  /// Returns the uniqueness constraints including inherited ones, each with the entity that
  /// declares it. Constant time except for the first lookup, as ``root(of:)``.
  public func allUniquenessConstraints(of entity: String) -> [UniquenessConstraint] {
    known(entity)?.facts.uniquenessConstraints ?? []
  }

  package var hasIndexes: Bool { entities.contains { !$0.indexes.isEmpty } }

  /// Returns the fetch indexes including inherited ones, each with the entity that declares it.
  package func allIndexes(of entity: String) -> [OwnedIndex] { known(entity)?.facts.indexes ?? [] }

  /// Returns the property of a key, own or inherited; nil if there is none. Constant time except
  /// for the first lookup, as ``root(of:)``.
  public func property(named key: String, of entity: String) -> Property? {
    ownedProperty(named: key, of: entity)?.property
  }

  /// Returns the attribute of a key, own or inherited; nil for other keys.
  package func attribute(named key: String, of entity: String) -> Attribute? {
    property(named: key, of: entity)?.attribute
  }

  /// Returns the relationship of a key, own or inherited; nil for other keys.
  package func relationship(named key: String, of entity: String) -> Relationship? {
    property(named: key, of: entity)?.relationship
  }

  /// Returns the properties on a path of keys: relationships, and an attribute at the end. It stops before the first
  /// step that is not a property.
  package func properties(along path: some Sequence<KeyComponent>, of entity: String) -> [Property]
  {
    var (entity, found) = (entity, [Property]())
    for key in path {
      guard key.kind == .key, let property = property(named: key.name, of: entity) else { break }
      found.append(property)
      guard case .relationship(let relationship) = property else { break }
      entity = relationship.destination
    }
    return found
  }

  /// Returns the property of a key, with the entity that declares it; nil if there is none.
  /// Constant time except for the first lookup, as ``root(of:)``.
  public func ownedProperty(named key: String, of entity: String) -> OwnedProperty? {
    known(entity)?.facts.property(key)
  }

  /// Returns the descendants that declare a key which the entity does not have, to suggest them in
  /// messages; n log n in the descendants except for the first lookup, as ``root(of:)``.
  public func descendants(of entity: String, withKey key: String) -> [String] {
    descendants(of: entity).filter { ownedProperty(named: key, of: $0)?.owner == $0 }
  }

  /// Returns all keys of an entity: attributes, then relationships, each with inherited ones first.
  /// Linear in them except for the first lookup, as ``root(of:)``.
  public func keys(of entity: String) -> [String] {
    guard let facts = known(entity)?.facts else { return [] }
    return facts.attributes.map(\.name) + facts.relationships.map(\.name)
  }
}

/// The side of a relationship that a document stores.
public enum WrittenSide: Sendable, Hashable {
  /// `Item.parentCategory`: the to-one side, or the only side if there is no inverse
  case here
  /// `Category.items`: the inverse is stored
  case there
  /// `a: [B] ordered` and `b: [A] ordered`: both sides, because each has its own order
  case both
  /// `friends: [Person] inverse friends`: stored with the object that has the lower objectID
  case lowerObjectID
}

extension Model {
  /// Returns which side of a relationship a document stores; nil if the entity does not have the relationship.
  ///
  /// The order of precedence is: an ordered side (both, if both are ordered), the to-one side, and
  /// the side with the `Entity.relationship` that comes first by Unicode scalars. That entity is
  /// the one that declares the relationship, so that the result is the same for all descendants.
  /// Constant time except for the first lookup, as ``root(of:)``.
  ///
  ///     model.writtenSide(of: "tags", in: "Item")   // .here: Item.tags is before Tag.items
  public func writtenSide(of relationship: String, in entity: String) -> WrittenSide? {
    guard let here = end(of: relationship, in: entity) else { return nil }
    guard let there = inverse(of: here) else { return .here }
    if here.relationship.isOrdered && there.relationship.isOrdered { return .both }
    if here.path == there.path { return .lowerObjectID }
    return here.isWritten(before: there) ? .here : .there
  }

  /// Returns the inverse of a relationship, and the entity that declares it.
  ///
  /// Nil if there is none, or if the two do not name each other. Constant time except for the first
  /// lookup, as ``root(of:)``.
  public func inverse(
    of relationship: String, in entity: String
  ) -> (owner: String, relationship: Relationship)? {
    guard let here = end(of: relationship, in: entity), let there = inverse(of: here) else {
      return nil
    }
    return (there.owner, there.relationship)
  }
}

/// A side of a relationship, with the entity that declares it.
struct RelationshipEnd {
  var owner: String
  var relationship: Relationship

  /// `Item.tags`
  var path: String { "\(owner).\(relationship.name)" }

  /// Returns whether this side is stored, if at most one of the two is ordered.
  func isWritten(before other: RelationshipEnd) -> Bool {
    if relationship.isOrdered != other.relationship.isOrdered { return relationship.isOrdered }
    if relationship.isToMany != other.relationship.isToMany { return !relationship.isToMany }
    return path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Returns whether this side's destination and inverse name the other side.
  func names(_ other: RelationshipEnd) -> Bool {
    relationship.destination == other.owner && relationship.inverse == other.relationship.name
  }
}

extension Model {
  func end(of relationship: String, in entity: String) -> RelationshipEnd? {
    guard let owned = ownedProperty(named: relationship, of: entity),
      case .relationship(let relationship) = owned.property
    else { return nil }
    return RelationshipEnd(owner: owned.owner, relationship: relationship)
  }

  /// Returns the other side, if the two name each other.
  func inverse(of here: RelationshipEnd) -> RelationshipEnd? {
    guard let key = here.relationship.inverse,
      let there = end(of: key, in: here.relationship.destination)
    else { return nil }
    return here.names(there) && there.names(here) ? there : nil
  }
}
