package import KuraDiagnostics
package import KuraGraph
import KuraModel
package import KuraScript
import KuraSentences
package import KuraValues

/// A statement `alter entity`, which results in a new model and a migration of the graph.
package struct Alteration {
  let name: Name
  let graph: Graph
  let zone: ZoneRules
  /// The new model.
  var model: Model
  var oldEntities: [String: String] = [:]
  var oldKeys: [EntityKey: String] = [:]
  var checked: [EntityKey] = []
  var places: [ModelPlace: SourceSpan] = [:]
  package var warnings: [Diagnostic] = []
  /// The changes, for the report.
  package var notes: [String] = []

  package init(_ name: Name, _ graph: Graph, _ zone: ZoneRules) {
    self.name = name
    self.graph = graph
    self.zone = zone
    model = graph.model
  }

  var entity: String { name.text }
}

extension Alteration {
  /// Changes the model; throws if the change is impossible for any objects.
  package mutating func make(_ change: AlterStatement.Change) throws {
    switch change {
    case .add(let property): try add(property)
    case .addIndex(let index): try add(index)
    case .drop(let key): try drop(key)
    case .dropIndex(let index): try drop(index)
    case .rename(let key, let new): try rename(key, to: new)
    case .renameEntity(let new): try rename(to: new)
    case .change(let property): try self.change(property)
    }
  }

  /// The contradictions in the new model.
  package var problems: [Diagnostic] {
    ModelCheck(model).contradictions.map {
      Diagnostic($0.facts, at: places[$0.place] ?? name.span)
    }
  }

  package var migration: Migration {
    var migration = Migration(graph, to: model)
    migration.oldEntities = oldEntities
    migration.oldKeys = oldKeys
    migration.checked = checked
    return migration
  }

  /// Returns a key that the entity declares itself.
  func ownProperty(_ key: Name) throws(Diagnostic) -> Property {
    guard let owned = graph.model.ownedProperty(named: key.text, of: entity) else {
      let known = graph.model.keys(of: entity)
      throw Diagnostic(
        ChangeProblem.unknownKey(key.text, entity: entity, known: known), at: key.span)
    }
    guard owned.owner == entity else {
      throw Diagnostic(
        AlterProblem.inherited(key.text, entity: entity, owner: owned.owner), at: key.span)
    }
    return owned.property
  }

  func checkNew(_ key: Name) throws(Diagnostic) {
    if model.property(named: key.text, of: entity) != nil {
      throw Diagnostic(AlterProblem.keyExists(key.text, entity: entity), at: key.span)
    }
  }

  /// Returns the property that a declaration describes, and whether it is unique by itself.
  mutating func read(
    _ declaration: PropertyDeclaration
  ) throws(Diagnostic) -> (property: Property, isUnique: Bool) {
    var whole = EntityDeclaration(name: name)
    whole.properties = [declaration]
    var definition = EntityDefinition(whole, model: model, zone: zone)
    let entity = try definition.entity()
    places.merge(definition.places) { _, new in new }
    warnings += definition.warnings
    let attribute = entity.attributes.first.map(Property.attribute)
    let relationship = entity.relationships.first.map(Property.relationship)
    guard let property = attribute ?? relationship else {
      throw Diagnostic(AlterProblem.otherKind(declaration.name.text), at: declaration.name.span)
    }
    return (property, !entity.uniquenessConstraints.isEmpty)
  }

  /// Performs `add index (category, date desc)`; the check of the model verifies its keys.
  mutating func add(_ declaration: IndexDeclaration) throws(Diagnostic) {
    guard var changed = model[entity] else { return }
    changed.indexes.append(FetchIndex(declaration))
    places[.entityRule(entity, .indexes)] = declaration.span
    model.define(changed)
    notes.append(AlterReport.added(FetchIndex(declaration).declaration))
  }

  /// Performs `drop index date`.
  mutating func drop(_ declaration: IndexDeclaration) throws(Diagnostic) {
    let index = FetchIndex(declaration)
    guard var changed = model[entity], changed.indexes.contains(index) else {
      let owner = model.allIndexes(of: entity).first { $0.index == index }?.owner
      let known = model[entity]?.indexDeclarations ?? []
      throw Diagnostic(
        AlterProblem.noIndex(index.declaration, entity: entity, owner: owner, known: known),
        at: declaration.span)
    }
    changed.indexes.removeAll { $0 == index }
    model.define(changed)
    notes.append(AlterReport.dropped(index.declaration))
  }

  /// Performs `rename title to name`.
  mutating func rename(_ key: Name, to new: Name) throws {
    _ = try ownProperty(key)
    if key.text == new.text { return notes.append(AlterReport.renamed(key.text, new.text)) }
    try checkNew(new)
    places[.attribute(new.text, entity: entity)] = new.span
    places[.relationship(new.text, entity: entity)] = new.span
    let renamed = try rename(.key(key.text, owner: entity), to: new)
    model.rename(key: key.text, of: entity, to: new.text)
    oldKeys[EntityKey(entity, new.text)] = key.text
    notes = [AlterReport.renamed(key.text, new.text)] + AlterReport.also(in: renamed)
  }

  /// Performs `rename to Task`.
  mutating func rename(to new: Name) throws {
    if new.text == entity { return notes.append(AlterReport.renamed(to: new.text)) }
    guard model[new.text] == nil else {
      throw Diagnostic(DefinitionProblem.entityExists(new.text, isUnsaved: false), at: new.span)
    }
    places[.entity(new.text)] = new.span
    let renamed = try rename(.entity(entity), to: new)
    model.rename(entity: entity, to: new.text)
    oldEntities[new.text] = entity
    notes = [AlterReport.renamed(to: new.text)] + AlterReport.also(in: renamed)
  }

  /// Renames in rules and saved requests; returns those that changed. If the meaning of a word in
  /// them is uncertain, nothing is renamed.
  private mutating func rename(
    _ name: NameMentions.Name, to new: Name
  ) throws(Diagnostic) -> [String] {
    let old = model
    let rules = model.renameInRules(name, to: new.text)
    var unclear = rules.unclear
    var changed = rules.changed
    for i in model.requests.indices {
      let request = model.requests[i]
      guard let mentions = request.mentions(name, in: old), !mentions.isEmpty else { continue }
      if mentions.isUnclear {
        unclear.append(AlterReport.request(request.name))
      } else {
        changed.append(AlterReport.request(request.name))
        model.requests[i] = request.replacing(mentions, with: new.text)
      }
    }
    guard unclear.isEmpty else {
      throw Diagnostic(AlterProblem.unclear(name.word, in: unclear), at: new.span)
    }
    return changed
  }
}

extension NameMentions.Name {
  fileprivate var word: String {
    switch self {
    case .key(let key, _): key
    case .entity(let entity): entity
    }
  }
}

extension SavedRequest {
  /// Returns where its statement mentions a name; nil if it cannot be parsed any more.
  func mentions(_ name: NameMentions.Name, in model: Model) -> NameMentions? {
    guard let request = try? RequestStatement.reading(SourceText(statement)) else { return nil }
    var mentions = NameMentions(of: name, in: model)
    mentions.visit(request.fetch)
    return mentions
  }

  func replacing(_ mentions: NameMentions, with new: String) -> SavedRequest {
    let head = "request \(StatementText.name(name))".utf8.count
    let replaced = mentions.replaced(in: statement, with: new).utf8.dropFirst(head)
    return SavedRequest(name: name, text: String(decoding: replaced, as: UTF8.self))
  }
}

extension Alteration {
  /// Performs `add note: string?`: objects get the default value, otherwise null.
  mutating func add(_ declaration: PropertyDeclaration) throws {
    try checkNew(declaration.name)
    let (property, isUnique) = try read(declaration)
    try checkValue(property, declaration.name)
    set(property, isUnique)
    notes.append(AlterReport.added(property.name))
  }

  /// Throws if a mandatory attribute without a default would leave existing objects without a
  /// value.
  private func checkValue(_ property: Property, _ key: Name) throws(Diagnostic) {
    guard case .attribute(let attribute) = property, !attribute.isOptional,
      !attribute.hasDefault, attribute.derivation == nil
    else { return }
    let objects = graph.objectIDs(of: entity)
    guard objects.isEmpty else {
      throw Diagnostic(AlterProblem.withoutValue(key.text, objects: objects), at: key.span)
    }
  }

  /// Performs `change due: date?`: the property becomes exactly what the statement declares.
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
      throw Diagnostic(AlterProblem.otherKind(property.name), at: declaration.name.span)
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
  /// Makes the relationship the inverse of its own inverse, if that relationship has no inverse
  /// yet.
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

  /// Removes the inverse of the former inverse, if the relationship gets another inverse or none.
  private mutating func release(_ relationship: Relationship, to new: String?) {
    guard let inverse = model.inverse(of: relationship.name, in: entity),
      inverse.relationship.name != new || inverse.owner == entity && new == relationship.name,
      inverse.relationship.name != relationship.name
    else { return }
    model.setInverse(nil, of: inverse.relationship.name, in: inverse.owner)
    notes.append(AlterReport.released("\(inverse.owner).\(inverse.relationship.name)"))
  }

  /// Performs `drop note`: a relationship is dropped with its inverse, which has the same links.
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

  /// Throws if rules and saved requests read the key.
  private func checkUnread(_ key: String, of owner: String, at place: Name) throws(Diagnostic) {
    let name = NameMentions.Name.key(key, owner: owner)
    let rules = model.rules(mentioning: name).map { "\($0.entity).\($0.key)" }
    let requests = model.requests.filter { $0.mentions(name, in: model)?.isEmpty == false }
    guard rules.isEmpty, requests.isEmpty else {
      let facts = AlterProblem.isRead(key, rules: rules, requests: requests.map(\.name))
      throw Diagnostic(facts, at: place.span)
    }
  }
}
