import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `entity Item { title: string }`
///
/// A relationship may lead to an entity that is defined later: only `save` wants it.
extension EntityDeclaration: Command {
  /// What is wrong with its properties, whatever other entities there are.
  func problems(in context: CheckContext) -> [Diagnostic] {
    var definition = EntityDefinition(self, model: context.model, zone: context.evaluation.zone)
    do throws(Diagnostic) {
      _ = try definition.entity()
      return definition.warnings
    } catch { return definition.warnings + [error] }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    var model = session.context.graph.model
    guard model[name.text] == nil else {
      let isNew = session.context.isNew(entity: name.text)
      throw Failure(DefinitionFacts.entityExists(name.text, isUnsaved: isNew), at: name.span)
    }
    var definition = EntityDefinition(self, model: model, zone: session.zone)
    model.define(try definition.entity())
    let problems = ModelCheck(model).contradictions.map(definition.diagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    session.context.setModel(model, "entity \(name.text)")
    for warning in definition.warnings {
      session.report(session.mended(warning, in: source), in: source)
    }
    session.report(Report.defined(name.text))
  }
}

/// What is wrong with a definition by itself, or with a property in it.
enum DefinitionFacts: DiagnosticFacts {
  /// `entity Item { }` where there is one
  case entityExists(String, isUnsaved: Bool)
  /// `title: strng`
  case unknownType(String, near: [String])
  /// `tags: [string]`
  case listOfValues(String)
  /// `title: String`, where no entity is called so
  case typeOrEntity(String, near: [String])
  /// `title: string inverse items`
  case clauseOfRelationships(String, key: String)
  /// `items: [Item] matches "x"`
  case clauseOfAttributes(String, key: String)
  /// `title: string = name`
  case notALiteral(near: String?)
  /// `items: [Item] min -1`
  case badCount

  var sentence: String {
    switch self {
    case .entityExists(let name, _): localized("there is an entity \(name) already")
    case .unknownType(let name, _): localized("there is no type \"\(name)\"")
    case .listOfValues(let name):
      localized(
        "[\(name)] is no type: brackets stand for a relationship to many objects of an entity")
    case .typeOrEntity(let name, _):
      localized(
        "\(name) is no type: this is a relationship to an entity \(name), which is not defined yet")
    case .clauseOfRelationships(let word, let key):
      localized("\(word) is for relationships, and \"\(key)\" is an attribute")
    case .clauseOfAttributes(let word, let key):
      localized("\(word) is for attributes, and \"\(key)\" is a relationship")
    case .notALiteral: localized("expected a literal, as in = \"x\" or = 3")
    case .badCount: localized("expected a whole number from 0")
    }
  }

  var help: String? {
    switch self {
    case .entityExists(_, isUnsaved: true):
      localized("choose another name, or take back everything since the last save: rollback")
    case .entityExists(let name, isUnsaved: false):
      localized("choose another name, or change it: alter entity \(name) …")
    case .unknownType(_, let near): didYouMean(near)
    case .listOfValues: localized("a list of values is of the type json")
    case .typeOrEntity(_, let near):
      didYouMean(near).map { localized("\($0) rollback takes the definition back") }
    case .notALiteral(let function?):
      localized("or a value that is computed for each object: \(function)")
    case .clauseOfRelationships, .clauseOfAttributes, .notALiteral(nil), .badCount: nil
    }
  }
}

extension Report {
  static func defined(_ entity: String) -> String { localized("entity defined: \(entity)") }
}

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
        throw Diagnostic(DefinitionFacts.listOfValues(property.type.text), at: property.type.span)
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
  static func names(near word: String) -> [String] {
    let small = word.lowercased()
    if let type = AttributeType(rawValue: small) ?? foreignNames[small] { return [type.rawValue] }
    return nearNames(to: small, among: allCases.map(\.rawValue))
  }

  private static let foreignNames: [String: AttributeType] = [
    "int": .integer, "int16": .integer16, "int32": .integer32, "int64": .integer, "long": .integer,
    "short": .integer16, "number": .double, "real": .double, "bool": .boolean, "text": .string,
    "str": .string, "varchar": .string, "datetime": .date, "timestamp": .date, "data": .binary,
    "blob": .binary, "url": .uri, "float32": .float, "float64": .double, "char": .string,
    "nsstring": .string, "nsdate": .date, "nsnumber": .double, "cgfloat": .double,
    "money": .decimal,
    "numeric": .decimal, "bit": .boolean, "object": .json, "any": .json, "array": .json,
    "guid": .uuid,
    "文字列": .string, "文字": .string, "テキスト": .string, "整数": .integer, "数": .integer, "数値": .double,
    "実数": .double, "小数": .double, "金額": .decimal, "真偽": .boolean, "真偽値": .boolean, "論理値": .boolean,
    "ブール": .boolean, "日付": .date, "日時": .date, "日": .date, "時刻": .date, "データ": .binary,
  ]
}
