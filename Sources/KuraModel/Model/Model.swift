/// What a store can hold: its entities, their attributes and relationships.
public struct Model: Sendable {
  /// In the order of their definition.
  public private(set) var entities: [Entity] {
    didSet { lookup = LazyLookup() }
  }
  /// Saved requests, in the order of their definition: `("Birthdays", "() = fetch MemoDate")`.
  public var requests: [SavedRequest]
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?
  /// What is known of each entity with its ancestors; made at the first question.
  private(set) var lookup = LazyLookup()

  /// Makes a model; `ModelCheck` says whether it holds together.
  public init(
    entities: [Entity] = [], requests: [SavedRequest] = [], userInfo: String? = nil
  ) {
    self.entities = entities
    self.requests = requests
    self.userInfo = userInfo
  }
}

extension Model {
  /// The entity of a name, or nil. Constant time but for the first question, as ``root(of:)``.
  public subscript(name: String) -> Entity? { index(of: name).map { entities[$0] } }

  /// The place of an entity in `entities`, or nil. Constant time but for the first question, as
  /// ``root(of:)``.
  public func index(of name: String) -> Int? { known(name)?.facts.index }
}

extension Model {
  /// Adds an entity, or puts it in the place of the one of its name.
  ///
  /// Linear in the number of entities: what is known of them is not made for this alone.
  public mutating func define(_ entity: Entity) {
    if let i = entities.firstIndex(where: { $0.name == entity.name }) {
      entities[i] = entity
    } else {
      entities.append(entity)
    }
  }

  /// Takes an entity out; what names it is left as it is, and `ModelCheck` finds it. Linear in the
  /// number of entities.
  public mutating func remove(_ name: String) {
    entities.removeAll { $0.name == name }
  }
}

extension Model: Hashable {
  /// Equal if entities, requests and user info are, in their order. Linear in the models.
  public static func == (a: Model, b: Model) -> Bool {
    a.entities == b.entities && a.requests == b.requests && a.userInfo == b.userInfo
  }

  /// Hashes entities and requests. Linear in the model.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entities)
    hasher.combine(requests)
  }
}

/// A fetch with a name and parameters, which belongs to the model.
public struct SavedRequest: Sendable, Hashable {
  /// `Birthdays`
  public var name: String
  /// `() = fetch MemoDate where title CONTAINS "誕生日" sort date`
  public var text: String

  /// Makes a saved request.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

extension Model {
  /// Adds a property to an entity, or puts it in the place of the one of its name.
  ///
  /// `isUnique` says whether the key is unique by itself; keys that are unique together stay so.
  /// Linear in the model.
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

  /// Takes a property out of the entity that declares it, and the uniqueness constraints and
  /// indexes that name it with it. Inverses that name it are left. Linear in the model, once for
  /// the entity and once for each that inherits from it.
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

  /// Gives a relationship an inverse, or takes it away. Linear in the model.
  public mutating func setInverse(_ inverse: String?, of key: String, in owner: String) {
    guard var entity = self[owner] else { return }
    for i in entity.relationships.indices where entity.relationships[i].name == key {
      entity.relationships[i].inverse = inverse
    }
    define(entity)
  }
}

extension Array {
  /// Puts an element in the place of the first that is alike, or at the end.
  fileprivate mutating func set(_ element: Element, where isAlike: (Element) -> Bool) {
    if let place = firstIndex(where: isAlike) {
      self[place] = element
    } else {
      append(element)
    }
  }
}

extension Model {
  /// Gives an entity another name, there and wherever a parent or a destination names it.
  ///
  /// Texts of rules and saved requests are left as they are. Linear in the model.
  public mutating func rename(entity name: String, to newName: String) {
    replaceEntities { entity in
      if entity.name == name { entity.name = newName }
      if entity.parent == name { entity.parent = newName }
      for i in entity.relationships.indices where entity.relationships[i].destination == name {
        entity.relationships[i].destination = newName
      }
    }
  }

  /// Gives a key that an entity declares another name, there, in the inverse that names it and in
  /// the uniqueness constraints and indexes of the entity and its descendants.
  ///
  /// Texts of rules and saved requests are left as they are. Linear in the model.
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
  /// The entity at the root of an inheritance tree, within which an object's number is unique.
  ///
  ///     model.root(of: "Task")   // "Item", where Task inherits from Item
  ///
  /// An entity without parent, and a name that nobody knows, is its own root. Constant time, but
  /// for the first question after a change of the entities: the answers to all questions are made
  /// together then, which is linear in the entities and the keys that each has.
  public func root(of entity: String) -> String { known(entity)?.facts.root ?? entity }

  /// The parent, its parent and so on up to the root; empty for a root. Linear in them but for the
  /// first question, as ``root(of:)``.
  public func ancestors(of entity: String) -> [String] {
    known.ancestors(of: entity, in: entities).map { entities[$0].name }
  }

  /// The entities that inherit from one, through others too, in the model's order; n log n in them
  /// but for the first question, as ``root(of:)``.
  public func descendants(of entity: String) -> [String] {
    known.descendants(of: entity, in: entities).map { entities[$0].name }
  }

  /// Whether objects of an entity are objects of another: it is that one or inherits from it.
  /// Constant time but for the first question, as ``root(of:)``.
  public func entity(_ name: String, isKindOf other: String) -> Bool {
    name == other || known.entity(name, isKindOf: other, in: entities)
  }

  /// Whether an entity's ancestors come back to themselves.
  func inheritsInCircle(_ entity: String) -> Bool { known(entity)?.facts.line.isEmpty == true }

  /// The attributes with the inherited ones: the root's first, its own last. Constant time but for
  /// the first question, as ``root(of:)``.
  public func allAttributes(of entity: String) -> [Attribute] {
    known(entity)?.facts.attributes ?? []
  }

  /// The relationships with the inherited ones: the root's first, its own last. Constant time but
  /// for the first question, as ``root(of:)``.
  public func allRelationships(of entity: String) -> [Relationship] {
    known(entity)?.facts.relationships ?? []
  }

  /// The uniqueness constraints with the inherited ones, each with the entity that declares it.
  /// Constant time but for the first question, as ``root(of:)``.
  public func allUniquenessConstraints(of entity: String) -> [UniquenessConstraint] {
    known(entity)?.facts.uniquenessConstraints ?? []
  }

  /// Whether an entity has a fetch index.
  package var hasIndexes: Bool { entities.contains { !$0.indexes.isEmpty } }

  /// The fetch indexes with the inherited ones, each with the entity that declares it.
  package func allIndexes(of entity: String) -> [OwnedIndex] { known(entity)?.facts.indexes ?? [] }
}

extension Model {
  /// What a key of an entity stands for, its own or inherited; nil if it has no such key. Constant
  /// time but for the first question, as ``root(of:)``.
  public func property(named key: String, of entity: String) -> Property? {
    ownedProperty(named: key, of: entity)?.property
  }

  /// What a key stands for, and which entity declares it. Constant time but for the first question,
  /// as ``root(of:)``.
  public func ownedProperty(named key: String, of entity: String) -> OwnedProperty? {
    known(entity)?.facts.property(key)
  }

  /// The descendants that declare a key which an entity has not: for a message that offers them; n
  /// log n in the descendants but for the first question, as ``root(of:)``.
  public func descendants(of entity: String, withKey key: String) -> [String] {
    descendants(of: entity).filter { ownedProperty(named: key, of: $0)?.owner == $0 }
  }

  /// All keys of an entity: attributes, then relationships, the inherited ones first. Linear in
  /// them but for the first question, as ``root(of:)``.
  public func keys(of entity: String) -> [String] {
    guard let facts = known(entity)?.facts else { return [] }
    return facts.attributes.map(\.name) + facts.relationships.map(\.name)
  }
}

/// Whether a document writes a relationship where one looks, or at its inverse.
public enum WrittenSide: Sendable, Hashable {
  /// `Item.parentCategory`: the to-one side; without an inverse, where it is declared
  case here
  /// `Category.items`: its inverse is written
  case there
  /// `a: [B] ordered` and `b: [A] ordered`: each side has an order of its own
  case both
  /// `friends: [Person] inverse friends`: on the object with the lower objectID
  case lowerObjectID
}

extension Model {
  /// Which side of a relationship the document writes; nil if the entity has no such one.
  ///
  /// On its ordered side (both, if both are ordered), else on the to-one side, else on the side
  /// whose `Entity.relationship` comes first by Unicode scalars. The entity in that name is the one
  /// that declares the relationship, so that all its descendants agree. Constant time but for the
  /// first question, as ``root(of:)``.
  ///
  ///     model.writtenSide(of: "tags", in: "Item")   // .here: Item.tags is before Tag.items
  public func writtenSide(of relationship: String, in entity: String) -> WrittenSide? {
    guard let here = end(of: relationship, in: entity) else { return nil }
    guard let there = inverse(of: here) else { return .here }
    if here.relationship.isOrdered && there.relationship.isOrdered { return .both }
    if here.path == there.path { return .lowerObjectID }
    return here.isWritten(before: there) ? .here : .there
  }

  /// The other end of a relationship: the entity that declares the inverse, and the inverse.
  ///
  /// Nil where there is none, and where the two do not name each other. Constant time but for the
  /// first question, as ``root(of:)``.
  public func inverse(
    of relationship: String, in entity: String
  ) -> (owner: String, relationship: Relationship)? {
    guard let here = end(of: relationship, in: entity), let there = inverse(of: here) else {
      return nil
    }
    return (there.owner, there.relationship)
  }
}

/// One side of a relationship, with the entity that declares it.
struct RelationshipEnd {
  var owner: String
  var relationship: Relationship

  /// `Item.tags`
  var path: String { "\(owner).\(relationship.name)" }

  /// Of two sides of which at most one is ordered, whether this one is written.
  func isWritten(before other: RelationshipEnd) -> Bool {
    if relationship.isOrdered != other.relationship.isOrdered { return relationship.isOrdered }
    if relationship.isToMany != other.relationship.isToMany { return !relationship.isToMany }
    return path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Whether this side's destination and inverse are the other side.
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

  /// The other side, if each of the two names the other.
  func inverse(of here: RelationshipEnd) -> RelationshipEnd? {
    guard let key = here.relationship.inverse,
      let there = end(of: key, in: here.relationship.destination)
    else { return nil }
    return here.names(there) && there.names(here) ? there : nil
  }
}
