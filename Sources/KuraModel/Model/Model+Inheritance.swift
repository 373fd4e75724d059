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
