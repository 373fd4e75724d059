import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

extension Alteration {
  /// `add note: string?`: objects get the default, else null.
  mutating func add(_ declaration: PropertyDeclaration) throws {
    try checkNew(declaration.name)
    let (property, isUnique) = try read(declaration)
    try checkValue(property, declaration.name)
    set(property, isUnique)
    notes.append(AlterReport.added(property.name))
  }

  /// A mandatory attribute without default leaves the objects that are there without a value.
  private func checkValue(_ property: Property, _ key: Name) throws(Diagnostic) {
    guard case .attribute(let attribute) = property, !attribute.isOptional,
      !attribute.hasDefault, attribute.derivation == nil
    else { return }
    let objects = graph.objectIDs(of: entity)
    guard objects.isEmpty else {
      throw Diagnostic(AlterFacts.withoutValue(key.text, objects: objects), at: key.span)
    }
  }

  /// `change due: date?`: the property is what the statement says of it, and nothing else.
  mutating func change(_ declaration: PropertyDeclaration) throws {
    let old = try ownProperty(declaration.name)
    var (property, isUnique) = try read(declaration)
    switch (old, property) {
    case (.attribute(let before), .attribute(var attribute)):
      attribute.userInfo = before.userInfo
      property = .attribute(attribute)
    case (.relationship(let before), .relationship(var relationship)):
      relationship.userInfo = before.userInfo
      property = .relationship(relationship)
      release(before, to: relationship.inverse)
    case (.attribute, .relationship), (.relationship, .attribute):
      throw Diagnostic(AlterFacts.otherKind(property.name), at: declaration.name.span)
    }
    notes.insert(AlterReport.changed(property.name), at: 0)
    set(property, isUnique)
    let readers = model.rules(mentioning: .key(property.name, owner: entity))
    checked += readers.map { EntityKey($0.entity, $0.key) }
  }

  private mutating func set(_ property: Property, _ isUnique: Bool) {
    model.set(property, of: entity, isUnique: isUnique)
    if case .relationship(let relationship) = property { join(relationship) }
    checked.append(EntityKey(entity, property.name))
  }
}

// Inverses
extension Alteration {
  /// The other end names this one back, where it has no inverse yet.
  private mutating func join(_ relationship: Relationship) {
    guard let key = relationship.inverse,
      let owned = model.ownedProperty(named: key, of: relationship.destination),
      case .relationship(let other) = owned.property, other.inverse == nil,
      other.destination == entity, owned.owner == relationship.destination
    else { return }
    model.setInverse(relationship.name, of: key, in: owned.owner)
    checked.append(EntityKey(owned.owner, key))
    notes.append(AlterReport.joined("\(owned.owner).\(key)"))
  }

  /// The other end is left without inverse, if this one is to have another or none.
  private mutating func release(_ relationship: Relationship, to new: String?) {
    guard let inverse = model.inverse(of: relationship.name, in: entity),
      inverse.relationship.name != new || inverse.owner == entity && new == relationship.name,
      inverse.relationship.name != relationship.name
    else { return }
    model.setInverse(nil, of: inverse.relationship.name, in: inverse.owner)
    notes.append(AlterReport.released("\(inverse.owner).\(inverse.relationship.name)"))
  }

  /// `drop note`: a relationship goes with its inverse, which is the other end of the same links.
  mutating func drop(_ key: Name) throws {
    let property = try ownProperty(key)
    var dropped = [(owner: entity, key: key.text)]
    if case .relationship = property,
      let inverse = model.inverse(of: key.text, in: entity),
      inverse.relationship.name != key.text || inverse.owner != entity
    {
      dropped.append((inverse.owner, inverse.relationship.name))
    }
    for (owner, name) in dropped { try checkUnread(name, of: owner, at: key) }
    notes.append(AlterReport.dropped(key.text))
    for (owner, name) in dropped {
      noteConstraints(name, of: owner)
      model.remove(key: name, of: owner)
    }
    notes += dropped.dropFirst().map { AlterReport.with("\($0.owner).\($0.key)") }
  }

  private mutating func noteConstraints(_ key: String, of owner: String) {
    for entity in [owner] + model.descendants(of: owner) {
      for keys in model[entity]?.uniquenessConstraints ?? []
      where keys.count > 1 && keys.contains(key) {
        notes.append(
          AlterReport.with(localized("unique (\(keys.joined(separator: ", "))) of \(entity)")))
      }
      for index in model[entity]?.indexes ?? [] where index.keys.contains(key) {
        notes.append(AlterReport.with(localized("the \(index.declaration) of \(entity)")))
      }
    }
  }

  /// Rules and saved requests that read the key would have nothing to read.
  private func checkUnread(_ key: String, of owner: String, at place: Name) throws(Diagnostic) {
    let name = NameMentions.Name.key(key, owner: owner)
    let rules = model.rules(mentioning: name).map { "\($0.entity).\($0.key)" }
    let requests = model.requests.filter { $0.mentions(name, in: model)?.isEmpty == false }
    guard rules.isEmpty, requests.isEmpty else {
      let facts = AlterFacts.isRead(key, rules: rules, requests: requests.map(\.name))
      throw Diagnostic(facts, at: place.span)
    }
  }
}
