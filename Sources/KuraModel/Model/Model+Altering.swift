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
