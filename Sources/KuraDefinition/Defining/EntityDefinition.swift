package import KuraDiagnostics
package import KuraModel
import KuraPredicates
package import KuraScript
import KuraSentences
package import KuraValues

/// Creates an entity of the model from its declaration, and records the span of each part.
package struct EntityDefinition {
  let declaration: EntityDeclaration
  /// Whether an entity of a name exists.
  private let isEntity: (String) -> Bool
  let zone: ZoneRules
  package var places: [ModelPlace: SourceSpan] = [:]
  /// Warnings about texts that were probably not intended.
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
  /// Returns the entity; `ModelCheck` verifies that it fits the others.
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
        throw Diagnostic(DefinitionProblem.listOfValues(property.type.text), at: property.type.span)
      }
      try checkType(property.type)
      entity.relationships.append(try relationship(property))
    }
    if property.isUnique { entity.uniquenessConstraints.append([property.name.text]) }
  }

  /// Throws for a lowercase word that is nearly a type; a capitalized one may be an entity that is
  /// defined later.
  private mutating func checkType(_ type: Name) throws(Diagnostic) {
    guard !isEntity(type.text), type.text != name else { return }
    let near = AttributeType.names(near: type.text)
    guard !near.isEmpty else { return }
    if type.text.first?.isLowercase == true {
      throw Diagnostic(
        DefinitionProblem.unknownType(type.text, near: near), at: type.span,
        fixIt: FixIt(type.span, near[0]))
    }
    warnings.append(
      Diagnostic(
        DefinitionProblem.typeOrEntity(type.text, near: near), at: type.span,
        fixIt: FixIt(type.span, near[0]), severity: .warning))
  }

  /// Returns a problem of the model at its place in the declaration.
  package func diagnostic(_ problem: ModelProblem) -> Diagnostic {
    Diagnostic(problem.facts, at: places[problem.place] ?? declaration.name.span)
  }
}

extension FetchIndex {
  /// Creates the declared index.
  package init(_ declaration: IndexDeclaration) {
    self.init(declaration.elements.map { Element($0.key.text, isAscending: $0.isAscending) })
  }
}

extension PropertyDeclaration {
  fileprivate var isUnique: Bool {
    clauses.contains { if case .unique = $0 { true } else { false } }
  }
}

extension EntityDefinition {
  /// Reads `title: string = "x" min 1`.
  mutating func attribute(
    _ property: PropertyDeclaration, _ type: AttributeType
  ) throws(Diagnostic) -> Attribute {
    let key = property.name.text
    var attribute = Attribute(name: key, type: type, isOptional: property.isOptional)
    places[.attribute(key, entity: name)] = property.name.span
    places[.attributeRule(key, entity: name, .type)] = property.type.span
    for clause in property.clauses { try read(clause, of: &attribute) }
    return attribute
  }

  private mutating func read(
    _ clause: PropertyDeclaration.Clause, of attribute: inout Attribute
  ) throws(Diagnostic) {
    let type = attribute.type
    switch clause {
    case .defaultValue(let tree):
      note(.defaultValue, attribute, tree.span)
      note(.defaultExpression, attribute, tree.span)
      try readDefault(tree, of: &attribute)
    case .minimum(let tree):
      note(.min, attribute, tree.span)
      attribute.minimum = try literal(tree, as: type.boundType)
    case .maximum(let tree):
      note(.max, attribute, tree.span)
      attribute.maximum = try literal(tree, as: type.boundType)
    case .matches(let pattern):
      note(.matches, attribute, pattern.span)
      attribute.pattern = pattern.text
    case .check(let predicate):
      note(.check, attribute, predicate.span)
      attribute.check = predicate
    case .derived(let expression):
      note(.derived, attribute, expression.span)
      attribute.derivation = expression
    case .transient: attribute.isTransient = true
    case .unique: break
    case .ordered(let span): throw misplaced("ordered", attribute, span)
    case .inverse(let other): throw misplaced("inverse", attribute, other.span)
    case .delete(let rule): throw misplaced("delete", attribute, rule.span)
    }
  }

  /// Reads `= 3`, or `= now()`, which is computed for each object.
  private func readDefault(
    _ tree: ExpressionTree, of attribute: inout Attribute
  ) throws(Diagnostic) {
    switch tree.kind {
    case .constant, .aggregate:
      // Null is not a default value.
      let value = try literal(tree, as: attribute.type)
      if !value.isNull { attribute.defaultValue = value }
    case .keyPath: throw notALiteral(tree)
    default: attribute.defaultExpression = tree
    }
  }

  /// Returns the error of a bare word, which may be a function without its brackets.
  private func notALiteral(_ tree: ExpressionTree) -> Diagnostic {
    let word = tree.expressionFormat
    let function = FunctionCatalogue.signature(called: word).map { $0.names[0] + "()" }
    return Diagnostic(DefinitionProblem.notALiteral(near: function), at: tree.span)
  }

  private mutating func note(
    _ aspect: ModelPlace.AttributeAspect, _ attribute: Attribute, _ span: SourceSpan
  ) {
    places[.attributeRule(attribute.name, entity: name, aspect)] = span
  }

  private func misplaced(_ word: String, _ attribute: Attribute, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(DefinitionProblem.clauseOfRelationships(word, key: attribute.name), at: span)
  }

  /// Returns a literal as a type, with the digits that were typed.
  private func literal(
    _ tree: ExpressionTree, as type: AttributeType
  ) throws(Diagnostic) -> Value {
    let constant: Constant
    switch tree.kind {
    case .constant(let literal): constant = literal
    case .aggregate where type == .json: constant = Constant(try tree.evaluate([:]))
    default: throw notALiteral(tree)
    }
    do throws(ValueMismatch) {
      return try type.value(of: constant, in: zone)
    } catch {
      throw Diagnostic(error, at: tree.span)
    }
  }
}

// Relationships
extension EntityDefinition {
  /// Reads `items: [Item] ordered inverse parentCategory delete cascade`.
  ///
  /// A to-one relationship is optional if it has `?`, a to-many relationship unless it has `min`.
  mutating func relationship(_ property: PropertyDeclaration) throws(Diagnostic) -> Relationship {
    let key = property.name.text
    var relationship = Relationship(
      name: key, destination: property.type.text, isToMany: property.isToMany,
      isOptional: property.isOptional || property.isToMany)
    places[.relationship(key, entity: name)] = property.name.span
    note(.destination, relationship, property.type.span)
    for clause in property.clauses { try read(clause, of: &relationship) }
    if relationship.isToMany, let least = relationship.minimumCount, least > 0 {
      relationship.isOptional = false
    }
    return relationship
  }

  private mutating func read(
    _ clause: PropertyDeclaration.Clause, of relationship: inout Relationship
  ) throws(Diagnostic) {
    switch clause {
    case .minimum(let tree):
      note(.minCount, relationship, tree.span)
      relationship.minimumCount = try count(tree)
    case .maximum(let tree):
      note(.maxCount, relationship, tree.span)
      relationship.maximumCount = try count(tree)
    case .ordered(let span):
      note(.ordered, relationship, span)
      relationship.isOrdered = true
    case .inverse(let inverse):
      note(.inverse, relationship, inverse.span)
      relationship.inverse = inverse.text
    case .delete(let rule): relationship.deleteRule = DeleteRule(rawValue: rule.text) ?? .nullify
    case .unique: break
    case .defaultValue(let tree): throw misplaced("=", relationship, tree.span)
    case .matches(let pattern): throw misplaced("matches", relationship, pattern.span)
    case .check(let predicate): throw misplaced("check", relationship, predicate.span)
    case .transient(let span): throw misplaced("transient", relationship, span)
    case .derived(let tree): throw misplaced("derived", relationship, tree.span)
    }
  }

  private mutating func note(
    _ aspect: ModelPlace.RelationshipAspect, _ relationship: Relationship, _ span: SourceSpan
  ) {
    places[.relationshipRule(relationship.name, entity: name, aspect)] = span
  }

  private func misplaced(
    _ word: String, _ relationship: Relationship, _ span: SourceSpan
  ) -> Diagnostic {
    var problem = Diagnostic(
      DefinitionProblem.clauseOfAttributes(word, key: relationship.name), at: span)
    if let type = places[.relationshipRule(relationship.name, entity: name, .destination)] {
      problem.fixIts = AttributeType.names(near: relationship.destination).map { FixIt(type, $0) }
    }
    return problem
  }

  private func count(_ tree: ExpressionTree) throws(Diagnostic) -> Int {
    guard case .constant(let constant) = tree.kind, case .integer(let number) = constant.value,
      number >= 0, let count = Int(exactly: number)
    else { throw Diagnostic(DefinitionProblem.badCount, at: tree.span) }
    return count
  }
}

/// A problem with a definition, or with a property in it.
package enum DefinitionProblem: DiagnosticFacts {
  /// `entity Item { }` if the entity exists
  case entityExists(String, isUnsaved: Bool)
  /// `title: strng`
  case unknownType(String, near: [String])
  /// `tags: [string]`
  case listOfValues(String)
  /// `title: String`, if no entity has that name
  case typeOrEntity(String, near: [String])
  /// `title: string inverse items`
  case clauseOfRelationships(String, key: String)
  /// `items: [Item] matches "x"`
  case clauseOfAttributes(String, key: String)
  /// `title: string = name`
  case notALiteral(near: String?)
  /// `items: [Item] min -1`
  case badCount

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .entityExists(let name, _): localized("there is already an entity \(name)")
    case .unknownType(let name, _): localized("there is no type \"\(name)\"")
    case .listOfValues(let name):
      localized(
        "[\(name)] is not a type: brackets declare a to-many relationship to an entity")
    case .typeOrEntity(let name, _):
      localized(
        "\(name) is not a type: this declares a relationship to \(name), an undefined entity")
    case .clauseOfRelationships(let word, let key):
      localized("\(word) applies to relationships, but \"\(key)\" is an attribute")
    case .clauseOfAttributes(let word, let key):
      localized("\(word) applies to attributes, but \"\(key)\" is a relationship")
    case .notALiteral: localized("expected a literal, such as = \"x\" or = 3")
    case .badCount: localized("expected a whole number, 0 or more")
    }
  }

  package var help: String? {
    switch self {
    case .entityExists(_, isUnsaved: true):
      localized("choose another name, or discard all changes since the last save: rollback")
    case .entityExists(let name, isUnsaved: false):
      localized("choose another name, or change it: alter entity \(name) …")
    case .unknownType(_, let near): didYouMean(near)
    case .listOfValues: localized("use the type json for a list of values")
    case .typeOrEntity(_, let near):
      didYouMean(near).map { localized("\($0) rollback undoes the definition") }
    case .notALiteral(let function?):
      localized("for a value computed for each object, write \(function)")
    case .clauseOfRelationships, .clauseOfAttributes, .notALiteral(nil), .badCount: nil
    }
  }
}

extension AttributeType {
  /// Returns the types that a word of another language, or a misspelled one, may mean.
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
