import KuraBytes

extension ModelReader {
  /// `{"entities": {…}, "requests": {…}}`
  mutating func model(_ node: JSONNode) -> Model {
    let fields = fields(node, "model", of: .model, ModelKey.self)
    return Model(
      entities: members(fields[.entities], "entities").map { entity($0) },
      requests: members(fields[.requests], "requests").map { request($0) },
      userInfo: userInfo(fields[.userInfo]))
  }

  /// `"Birthdays": "() = fetch MemoDate"`
  private mutating func request(_ member: JSONMember) -> SavedRequest {
    SavedRequest(name: member.key, text: string(member.value, member.key) ?? "")
  }

  /// `"Item": {"parent": "Base", "attributes": {…}}`
  private mutating func entity(_ member: JSONMember) -> Entity {
    let fields = fields(member.value, member.key, of: .entity, EntityKey.self)
    return Entity(
      name: member.key,
      parent: string(fields[.parent], "parent"),
      isAbstract: boolean(fields[.abstract], "abstract") ?? false,
      attributes: members(fields[.attributes], "attributes").map { attribute($0) },
      relationships: members(fields[.relationships], "relationships").map { relationship($0) },
      uniquenessConstraints: elements(fields[.unique], "unique").map { constraint($0) },
      userInfo: userInfo(fields[.userInfo]))
  }

  /// `["title", "parentCategory"]`
  private mutating func constraint(_ node: JSONNode) -> [String] {
    elements(node, "unique").compactMap { string($0, "unique") }
  }
}
