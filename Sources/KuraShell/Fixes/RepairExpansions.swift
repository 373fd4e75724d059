import KuraChecking
import KuraModel
import KuraPredicates

extension RepairText {
  /// Returns the replacement with names of the model: `<likely>` is an entity that has the keys of
  /// the match; `<textkey>`, `<numberkey>` and `<timekey>` are keys of the fetched entity;
  /// `<linkkey>` is a relationship from `<owner>` to `<value>`; `<closing>` is the missing bracket.
  func expansions(of replacement: String, _ match: RepairMatch) -> [String] {
    if replacement.contains("<likely>") {
      let keys = ["anykey", "severalkeys"].compactMap { match.captures[$0] }
        .flatMap { ($0.text ?? text($0.span)).split(separator: ",") }
        .map { $0.filter { !$0.isWhitespace } }
      return likelyEntities.filter { name in keys.allSatisfy { properties.has($0, name) } }
        .prefix(keys.isEmpty && model.entities.count > 1 && parts.count > 2 ? 40 : 3)
        .map { replacement.replacing("<likely>", with: $0.writtenName) }
    }
    let attributes = entity.map { model.allAttributes(of: $0) } ?? []
    let keys: [(place: String, has: (AttributeType) -> Bool)] = [
      ("<textkey>", { $0 == .string }), ("<numberkey>", \.isNumeric),
      ("<timekey>", { $0 == .date }),
    ]
    if let key = keys.first(where: { replacement.contains($0.place) }) {
      return attributes.filter { key.has($0.type) }
        .map { replacement.replacing(key.place, with: $0.name.writtenName) }
    }
    if replacement.contains("<linkkey>") {
      return links(from: match.captures["owner"], to: match.captures["value"])
        .map { replacement.replacing("<linkkey>", with: $0.writtenName) }
    }
    guard replacement.contains("<closing>") else { return [replacement] }
    guard case .symbol(let symbol) = parts[match.start].kind, let closing = symbol.closing else {
      return []
    }
    return [replacement.replacing("<closing>", with: closing.rawValue)]
  }

  /// Returns the to-many relationships from one object to another.
  private func links(from owner: RepairMatch.Capture?, to value: RepairMatch.Capture?) -> [String] {
    let entities = [owner, value].compactMap(\.self).compactMap { capture in
      let object = (capture.text ?? text(capture.span)).split(separator: "/")
      return object.count == 2 ? entity(called: String(object[0])) : nil
    }
    guard entities.count == 2 else { return [] }
    return model.allRelationships(of: entities[0])
      .filter { $0.isToMany && model.entity(entities[1], isKindOf: $0.destination) }.map(\.name)
  }
}
