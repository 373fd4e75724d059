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
  /// What was defined and was perhaps not meant.
  private(set) var warnings: [Diagnostic] = []

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
      if property.isToMany, AttributeType(rawValue: property.type.text) != nil,
        model[property.type.text] == nil
      {
        throw Diagnostic(ShellFacts.listOfValues(property.type.text), at: property.type.span)
      }
      try checkType(property.type)
      entity.relationships.append(try relationship(property))
    }
    if property.isUnique { entity.uniquenessConstraints.append([property.name.text]) }
  }

  /// A small word that is nearly a type is no entity that comes later; a capital one may be.
  private mutating func checkType(_ type: Name) throws(Diagnostic) {
    guard model[type.text] == nil, type.text != name else { return }
    let near = AttributeType.names(near: type.text)
    guard !near.isEmpty else { return }
    if type.text.first?.isLowercase == true {
      throw Diagnostic(ShellFacts.unknownType(type.text, near: near), at: type.span)
    }
    warnings.append(
      Diagnostic(
        ShellFacts.typeOrEntity(type.text, near: near), at: type.span, severity: .warning))
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

extension AttributeType {
  /// The types that a word of another language, or a misspelt one, may mean.
  fileprivate static func names(near word: String) -> [String] {
    let small = word.lowercased()
    if let type = AttributeType(rawValue: small) ?? foreignNames[small] { return [type.rawValue] }
    return nearNames(to: small, among: allCases.map(\.rawValue))
  }

  private static let foreignNames: [String: AttributeType] = [
    "int": .integer, "int16": .integer16, "int32": .integer32, "int64": .integer, "long": .integer,
    "short": .integer16, "number": .double, "real": .double, "bool": .boolean, "text": .string,
    "str": .string, "varchar": .string, "datetime": .date, "timestamp": .date, "data": .binary,
    "blob": .binary, "url": .uri,
  ]
}
