import KuraBytes
import KuraDiagnostics

extension ModelReader {
  /// `"items": {"destination": "Item", "toMany": true, "inverse": "parentCategory"}`
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
      report(ModelFacts.missingKey("destination", in: .relationship), at: member.keySpan)
    }
    return string(node, "destination") ?? ""
  }

  private mutating func deleteRule(_ node: JSONNode?) -> DeleteRule {
    guard let node, let name = string(node, "deleteRule") else { return .nullify }
    if let rule = DeleteRule(rawValue: name) { return rule }
    let near = nearNames(to: name, among: DeleteRule.allCases.map(\.rawValue))
    report(ModelFacts.unknownDeleteRule(name, near: near), at: node.span)
    return .nullify
  }
}
