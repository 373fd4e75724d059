package import KuraDiagnostics
package import KuraModel
package import KuraScript
package import KuraValues

/// Makes an entity of the model from its declaration, and remembers where each part of it stands.
package struct EntityDefinition {
  let declaration: EntityDeclaration
  /// Whether there is an entity of a name.
  private let isEntity: (String) -> Bool
  let zone: ZoneRules
  package var places: [ModelPlace: SourceSpan] = [:]
  /// What was defined and was perhaps not meant.
  package private(set) var warnings: [Diagnostic] = []

  package init(
    _ declaration: EntityDeclaration, zone: ZoneRules, isEntity: @escaping (String) -> Bool
  ) {
    self.declaration = declaration
    self.zone = zone
    self.isEntity = isEntity
  }

  package init(_ declaration: EntityDeclaration, model: Model, zone: ZoneRules) {
    self.init(declaration, zone: zone) { model[$0] != nil }
  }

  var name: String { declaration.name.text }
}

extension EntityDefinition {
  /// The entity; `ModelCheck` is to be asked whether it fits the others.
  package mutating func entity() throws(Diagnostic) -> Entity {
    var entity = Entity(
      name: name, parent: declaration.parent?.text, isAbstract: declaration.isAbstract)
    places[.entity(name)] = declaration.name.span
    places[.entityRule(name, .parent)] = declaration.parent?.span
    places[.entityRule(name, .unique)] = declaration.uniquenessConstraints.first?.first?.span
    places[.entityRule(name, .indexes)] = declaration.indexes.first?.span
    for property in declaration.properties { try add(property, to: &entity) }
    entity.uniquenessConstraints += declaration.uniquenessConstraints.map { $0.map(\.text) }
    entity.indexes = declaration.indexes.map(FetchIndex.init)
    return entity
  }

  private mutating func add(
    _ property: PropertyDeclaration, to entity: inout Entity
  ) throws(Diagnostic) {
    if !property.isToMany, let type = AttributeType(rawValue: property.type.text) {
      entity.attributes.append(try attribute(property, type))
    } else {
      if property.isToMany, AttributeType(rawValue: property.type.text) != nil,
        !isEntity(property.type.text)
      {
        throw Diagnostic(DefinitionFacts.listOfValues(property.type.text), at: property.type.span)
      }
      try checkType(property.type)
      entity.relationships.append(try relationship(property))
    }
    if property.isUnique { entity.uniquenessConstraints.append([property.name.text]) }
  }

  /// A small word that is nearly a type is no entity that comes later; a capital one may be.
  private mutating func checkType(_ type: Name) throws(Diagnostic) {
    guard !isEntity(type.text), type.text != name else { return }
    let near = AttributeType.names(near: type.text)
    guard !near.isEmpty else { return }
    if type.text.first?.isLowercase == true {
      throw Diagnostic(
        DefinitionFacts.unknownType(type.text, near: near), at: type.span,
        fixIt: FixIt(type.span, near[0]))
    }
    warnings.append(
      Diagnostic(
        DefinitionFacts.typeOrEntity(type.text, near: near), at: type.span,
        fixIt: FixIt(type.span, near[0]), severity: .warning))
  }

  /// A problem of the model at the place in the declaration that it is about.
  package func diagnostic(_ problem: ModelProblem) -> Diagnostic {
    Diagnostic(problem.facts, at: places[problem.place] ?? declaration.name.span)
  }
}

extension FetchIndex {
  /// The index that is declared.
  package init(_ declaration: IndexDeclaration) {
    self.init(declaration.elements.map { Element($0.key.text, isAscending: $0.isAscending) })
  }
}

extension PropertyDeclaration {
  fileprivate var isUnique: Bool {
    clauses.contains { if case .unique = $0 { true } else { false } }
  }
}
