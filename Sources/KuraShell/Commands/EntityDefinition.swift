import KuraDiagnostics
import KuraModel
import KuraScript
import KuraValues

/// Makes an entity of the model from its declaration, and remembers where each part of it stands.
struct EntityDefinition {
  let declaration: EntityDeclaration
  let model: Model
  let zone: ZoneRules
  var places: [ModelPlace: SourceSpan] = [:]

  init(_ declaration: EntityDeclaration, model: Model, zone: ZoneRules) {
    self.declaration = declaration
    self.model = model
    self.zone = zone
  }

  var name: String { declaration.name.text }
}

extension EntityDefinition {
  /// The entity; `ModelCheck` is to be asked whether it fits the others.
  mutating func entity() throws(Diagnostic) -> Entity {
    var entity = Entity(
      name: name, parent: declaration.parent?.text, isAbstract: declaration.isAbstract)
    places[.entity(name)] = declaration.name.span
    places[.entityRule(name, .parent)] = declaration.parent?.span
    places[.entityRule(name, .unique)] = declaration.uniquenessConstraints.first?.first?.span
    for property in declaration.properties { try add(property, to: &entity) }
    entity.uniquenessConstraints += declaration.uniquenessConstraints.map { $0.map(\.text) }
    return entity
  }

  private mutating func add(
    _ property: PropertyDeclaration, to entity: inout Entity
  ) throws(Diagnostic) {
    if !property.isToMany, let type = AttributeType(rawValue: property.type.text) {
      entity.attributes.append(try attribute(property, type))
    } else {
      try checkType(property.type)
      entity.relationships.append(try relationship(property))
    }
    if property.isUnique { entity.uniquenessConstraints.append([property.name.text]) }
  }

  /// A small word that is nearly a type is no entity that comes later.
  private func checkType(_ type: Name) throws(Diagnostic) {
    guard type.text.first?.isLowercase == true, model[type.text] == nil, type.text != name else {
      return
    }
    let near = nearNames(to: type.text, among: AttributeType.allCases.map(\.rawValue))
    guard !near.isEmpty else { return }
    throw Diagnostic(ShellFacts.unknownType(type.text, near: near), at: type.span)
  }

  /// A problem of the model at the place in the declaration that it is about.
  func diagnostic(_ problem: ModelProblem) -> Diagnostic {
    Diagnostic(problem.facts, at: places[problem.place] ?? declaration.name.span)
  }
}

extension PropertyDeclaration {
  fileprivate var isUnique: Bool {
    clauses.contains { if case .unique = $0 { true } else { false } }
  }
}
