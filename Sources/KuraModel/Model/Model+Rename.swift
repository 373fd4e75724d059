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
  /// the uniqueness constraints of the entity and its descendants.
  ///
  /// Texts of rules and saved requests are left as they are. Linear in the model.
  public mutating func rename(key name: String, of owner: String, to newName: String) {
    let heirs = Set([owner] + descendants(of: owner))
    replaceEntities { entity in
      if entity.name == owner { entity.renameOwn(key: name, to: newName) }
      if heirs.contains(entity.name) { entity.renameUnique(key: name, to: newName) }
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

  fileprivate mutating func renameUnique(key: String, to newName: String) {
    uniquenessConstraints = uniquenessConstraints.map { $0.map { $0 == key ? newName : $0 } }
  }
}
