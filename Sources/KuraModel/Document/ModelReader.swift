import KuraBytes
import KuraDiagnostics
import KuraJSON
import KuraPredicates
import KuraValues

/// Reads a model from JSON, and continues after problems in order to report all of them.
struct ModelReader {
  let source: SourceText
  let zone: ZoneRules
  /// A flag that ends the reading early, with an unusable result.
  let cancel: CancelFlag
  private(set) var problems: [Diagnostic] = []

  init(source: SourceText, zone: ZoneRules, _ cancel: CancelFlag) {
    self.source = source
    self.zone = zone
    self.cancel = cancel
  }
}

extension ModelReader {
  /// Records a problem at a place.
  mutating func report(_ facts: any DiagnosticFacts, at span: Range<Int>) {
    report(Diagnostic(facts, at: SourceSpan(span.lowerBound, span.upperBound), in: source))
  }

  mutating func report(_ diagnostic: Diagnostic) { problems.append(diagnostic) }

  mutating func reportKind(_ key: String, _ node: JSONNode, wanted: JSONKind) {
    report(ModelProblemKind.wrongKind(key, wanted: wanted, found: node.jsonKind), at: node.span)
  }

  /// Returns the values of an object by key, and reports keys that `Key` does not have.
  mutating func fields<Key>(
    _ node: JSONNode, _ name: String, of part: ModelPart, _: Key.Type
  ) -> [Key: JSONNode] where Key: RawRepresentable<String> & CaseIterable & Hashable {
    var fields: [Key: JSONNode] = [:]
    for member in members(node, name) {
      if let key = Key(rawValue: member.key) {
        fields[key] = member.value
      } else {
        let near = nearNames(to: member.key, among: Key.allCases.map(\.rawValue))
        report(ModelProblemKind.unknownKey(member.key, in: part, near: near), at: member.keySpan)
      }
    }
    return fields
  }

  mutating func members(_ node: JSONNode?, _ key: String) -> [JSONMember] {
    guard let node else { return [] }
    if case .object(let members) = node.kind { return members }
    reportKind(key, node, wanted: .object)
    return []
  }

  mutating func elements(_ node: JSONNode?, _ key: String) -> [JSONNode] {
    guard let node else { return [] }
    if case .array(let elements) = node.kind { return elements }
    reportKind(key, node, wanted: .array)
    return []
  }

  mutating func string(_ node: JSONNode?, _ key: String) -> String? {
    guard let node else { return nil }
    if case .string(let text) = node.kind { return text }
    reportKind(key, node, wanted: .string)
    return nil
  }

  mutating func boolean(_ node: JSONNode?, _ key: String) -> Bool? {
    guard let node else { return nil }
    if case .boolean(let value) = node.kind { return value }
    reportKind(key, node, wanted: .boolean)
    return nil
  }

  /// Returns a count of a to-many relationship.
  mutating func count(_ node: JSONNode?, _ key: String) -> Int? {
    guard let node else { return nil }
    guard case .number(let digits) = node.kind else {
      reportKind(key, node, wanted: .number)
      return nil
    }
    if let count = UInt32(digits) { return Int(count) }
    report(ModelProblemKind.badCount(key), at: node.span)
    return nil
  }

  /// Returns the text of a user info object.
  mutating func userInfo(_ node: JSONNode?) -> String? {
    guard let node else { return nil }
    if case .object = node.kind { return node.text }
    reportKind("userInfo", node, wanted: .object)
    return nil
  }

  /// Reads `{"entities": {…}, "requests": {…}}`.
  mutating func model(_ node: JSONNode) -> Model {
    let fields = fields(node, "model", of: .model, ModelKey.self)
    let entities = members(fields[.entities], "entities").map { entity($0) }
    if let name = ModelLimit.firstBeyond(entities) {
      report(ModelProblemKind.tooManyKeys(entity: name), at: node.span)
      return Model(entities: [])
    }
    return Model(
      entities: entities,
      requests: members(fields[.requests], "requests").map { request($0) },
      userInfo: userInfo(fields[.userInfo]))
  }

  /// Reads `"Birthdays": "() = fetch MemoDate"`.
  private mutating func request(_ member: JSONMember) -> SavedRequest {
    SavedRequest(name: member.key, text: string(member.value, member.key) ?? "")
  }

  /// Reads `"Item": {"parent": "Base", "attributes": {…}}`.
  private mutating func entity(_ member: JSONMember) -> Entity {
    if cancel.isRequested { return Entity(name: member.key) }
    let fields = fields(member.value, member.key, of: .entity, EntityKey.self)
    return Entity(
      name: member.key,
      parent: string(fields[.parent], "parent"),
      isAbstract: boolean(fields[.abstract], "abstract") ?? false,
      attributes: members(fields[.attributes], "attributes").compactMap {
        cancel.isRequested ? nil : attribute($0)
      },
      relationships: members(fields[.relationships], "relationships").map { relationship($0) },
      uniquenessConstraints: elements(fields[.unique], "unique").map { constraint($0) },
      indexes: elements(fields[.indexes], "indexes").map { index($0) },
      userInfo: userInfo(fields[.userInfo]))
  }

  /// Reads `["title", "parentCategory"]`.
  private mutating func constraint(_ node: JSONNode) -> [String] {
    elements(node, "unique").compactMap { string($0, "unique") }
  }

  /// Reads `["category", {"desc": "date"}]`.
  private mutating func index(_ node: JSONNode) -> FetchIndex {
    FetchIndex(elements(node, "indexes").compactMap { indexElement($0) })
  }

  private mutating func indexElement(_ node: JSONNode) -> FetchIndex.Element? {
    guard case .object = node.kind else {
      return string(node, "indexes").map { FetchIndex.Element($0) }
    }
    let fields = fields(node, "indexes", of: .index, IndexKey.self)
    if fields[.desc] == nil {
      report(ModelProblemKind.missingKey("desc", in: .index), at: node.span)
    }
    return string(fields[.desc], "desc").map { FetchIndex.Element($0, isAscending: false) }
  }

  /// Reads `"items": {"destination": "Item", "toMany": true, "inverse": "parentCategory"}`.
  mutating func relationship(_ member: JSONMember) -> Relationship {
    let fields = fields(member.value, member.key, of: .relationship, RelationshipKey.self)
    return Relationship(
      name: member.key,
      destination: destination(fields[.destination], member),
      isToMany: boolean(fields[.toMany], "toMany") ?? false,
      isOptional: boolean(fields[.optional], "optional") ?? true,
      isOrdered: boolean(fields[.ordered], "ordered") ?? false,
      inverse: string(fields[.inverse], "inverse"),
      deleteRule: deleteRule(fields[.deleteRule]),
      minimumCount: count(fields[.minCount], "minCount"),
      maximumCount: count(fields[.maxCount], "maxCount"),
      userInfo: userInfo(fields[.userInfo]))
  }

  private mutating func destination(_ node: JSONNode?, _ member: JSONMember) -> String {
    if node == nil, case .object = member.value.kind {
      report(ModelProblemKind.missingKey("destination", in: .relationship), at: member.keySpan)
    }
    return string(node, "destination") ?? ""
  }

  private mutating func deleteRule(_ node: JSONNode?) -> DeleteRule {
    guard let node, let name = string(node, "deleteRule") else { return .nullify }
    if let rule = DeleteRule(rawValue: name) { return rule }
    let near = nearNames(to: name, among: DeleteRule.allCases.map(\.rawValue))
    report(ModelProblemKind.unknownDeleteRule(name, near: near), at: node.span)
    return .nullify
  }

  /// Reads `"title": {"type": "string", "default": "x", "check": "length(title) < 20"}`.
  mutating func attribute(_ member: JSONMember) -> Attribute {
    let fields = fields(member.value, member.key, of: .attribute, AttributeKey.self)
    let type = type(fields[.type], member)
    return Attribute(
      name: member.key, type: type ?? .string,
      isOptional: boolean(fields[.optional], "optional") ?? false,
      defaultValue: value(fields[.defaultValue], "default", type),
      defaultExpression: rule(
        fields[.defaultExpression], AttributeKey.defaultExpression.rawValue, RuleText.expression),
      minimum: value(fields[.min], "min", type?.boundType, in: type, .min),
      maximum: value(fields[.max], "max", type?.boundType, in: type, .max),
      pattern: string(fields[.matches], "matches"),
      check: rule(fields[.check], "check", RuleText.predicate),
      derivation: rule(fields[.derived], "derived", RuleText.expression),
      isTransient: boolean(fields[.transient], "transient") ?? false,
      userInfo: userInfo(fields[.userInfo]))
  }

  private mutating func type(_ node: JSONNode?, _ member: JSONMember) -> AttributeType? {
    guard let node else {
      if case .object = member.value.kind {
        report(ModelProblemKind.missingKey("type", in: .attribute), at: member.keySpan)
      }
      return nil
    }
    guard let name = string(node, "type") else { return nil }
    if let type = AttributeType(rawValue: name) { return type }
    let near = nearNames(to: name, among: AttributeType.allCases.map(\.rawValue))
    report(ModelProblemKind.unknownType(name, near: near), at: node.span)
    return nil
  }

  /// Reads a bound. For a type without bounds, any value is an error.
  private mutating func value(
    _ node: JSONNode?, _ key: String, _ boundType: AttributeType?, in type: AttributeType?,
    _ rule: ModelRule
  ) -> Value? {
    guard let node, let type else { return nil }
    if type.hasBounds { return value(node, key, boundType) }
    report(ModelProblemKind.ruleNotForType(rule, type), at: node.span)
    return nil
  }

  /// Reads a value of the attribute's type; a null means no value.
  private mutating func value(
    _ node: JSONNode?, _ key: String, _ type: AttributeType?
  ) -> Value? {
    guard let node, let type else { return nil }
    if case .null = node.kind { return nil }
    do {
      return try type.value(of: node, in: zone)
    } catch {
      report(ModelProblemKind.badValue(key, error), at: node.span)
      return nil
    }
  }

  /// Parses the text of a rule. An error has its place in the document.
  private mutating func rule<Tree>(
    _ node: JSONNode?, _ key: String, _ parse: (String) throws(Diagnostic) -> Tree
  ) -> Tree? {
    guard let node, let text = string(node, key) else { return nil }
    do {
      return try parse(text)
    } catch {
      report(moved(error, from: text, to: node))
      return nil
    }
  }

  /// Returns a diagnostic in a rule's text with its place in the document.
  private func moved(_ diagnostic: Diagnostic, from text: String, to node: JSONNode) -> Diagnostic {
    var moved = diagnostic
    moved.source = source
    moved.fixIts = []
    let span = diagnostic.span ?? SourceSpan(0, text.utf8.count)
    moved.span = node.span(ofText: span, in: source)
    return moved
  }
}
