import KuraDiagnostics
import KuraJSON
import KuraPredicates
import KuraValues

extension ModelReader {
  /// `"title": {"type": "string", "default": "x", "check": "length(title) < 20"}`
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
        report(ModelFacts.missingKey("type", in: .attribute), at: member.keySpan)
      }
      return nil
    }
    guard let name = string(node, "type") else { return nil }
    if let type = AttributeType(rawValue: name) { return type }
    let near = nearNames(to: name, among: AttributeType.allCases.map(\.rawValue))
    report(ModelFacts.unknownType(name, near: near), at: node.span)
    return nil
  }

  /// A bound; of a type that has none it is an error, whatever it says.
  private mutating func value(
    _ node: JSONNode?, _ key: String, _ boundType: AttributeType?, in type: AttributeType?,
    _ rule: ModelRule
  ) -> Value? {
    guard let node, let type else { return nil }
    if type.hasBounds { return value(node, key, boundType) }
    report(ModelFacts.ruleNotForType(rule, type), at: node.span)
    return nil
  }

  /// A value of the attribute's type; a null is no value.
  private mutating func value(
    _ node: JSONNode?, _ key: String, _ type: AttributeType?
  ) -> Value? {
    guard let node, let type else { return nil }
    if case .null = node.kind { return nil }
    do {
      return try type.value(of: node, in: zone)
    } catch {
      report(ModelFacts.badValue(key, error), at: node.span)
      return nil
    }
  }

  /// The tree of a rule's text; an error in it stands at its place in the document.
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

  /// A diagnostic in a rule's text, carried over to the string in the document.
  private func moved(_ diagnostic: Diagnostic, from text: String, to node: JSONNode) -> Diagnostic {
    var moved = diagnostic
    moved.source = source
    moved.fixIts = []
    let span = diagnostic.span ?? SourceSpan(0, text.utf8.count)
    moved.span = node.span(ofText: span, in: source)
    return moved
  }
}
