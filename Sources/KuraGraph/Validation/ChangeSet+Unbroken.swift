import KuraModel

extension ChangeSet {
  /// Returns the change without objects that evidently break no rule: their only rules are
  /// mandatory attributes, and none is null.
  func withoutUnbroken(in graph: Graph) -> ChangeSet {
    if graph.mayDangle { return self }
    var forms: [String: UnbrokenForm?] = [:]
    func isUnbroken(_ entity: String, _ numbers: [Int64], _ keys: [String]) -> Bool {
      let known = forms[entity] ?? UnbrokenForm(entity, in: graph)
      forms[entity] = .some(known)
      return known?.isUnbroken(numbers, keys, in: graph) ?? false
    }
    return ChangeSet(
      inserted: inserted.filter { !isUnbroken($0.entity, $0.numbers, $0.columns.map(\.key)) },
      updated: updated.filter { !isUnbroken($0.entity, $0.numbers, $0.columns.map(\.key)) },
      deleted: deleted.filter { !isUnbroken($0.entity, [], $0.columns.map(\.key)) })
  }
}

extension Graph {
  /// Returns whether the columns of a table prove that no object breaks a rule. Linear in the chunks.
  func isUnbroken(_ table: Table) -> Bool {
    if mayDangle { return false }
    return table.layout.entities.allSatisfy { entity in
      UnbrokenForm(entity, in: self)?.mandatory.isEmpty == true
    }
  }
}

/// An entity with no rules except mandatory attributes.
private struct UnbrokenForm {
  let table: Int
  /// The mandatory attributes with nulls in their columns.
  let mandatory: [Int]
  let relationships: Set<String>

  /// Returns nil if there are other rules, or if a value must be inspected.
  init?(_ entity: String, in graph: Graph) {
    let model = graph.model
    let (attributes, links) = (
      model.allAttributes(of: entity), model.allRelationships(of: entity)
    )
    guard let place = graph.place(of: entity), model.allUniquenessConstraints(of: entity).isEmpty,
      attributes.allSatisfy(\.canOnlyMiss),
      let slots = Optional(graph.tables[place.table].layout.slots[place.code]),
      links.allSatisfy({ $0.isFree(slots[$0.name]) })
    else { return nil }
    table = place.table
    relationships = Set(links.map(\.name))
    var mandatory: [Int] = []
    for attribute in attributes where !attribute.isOptional && !attribute.isTransient {
      guard let column = slots[attribute.name]?.attributeColumn else { return nil }
      if graph.tables[place.table].columns[column].mayHaveNulls { mandatory.append(column) }
    }
    self.mandatory = mandatory
  }

  /// Returns whether objects break no rule, and do not affect other objects.
  func isUnbroken(_ numbers: [Int64], _ keys: [String], in graph: Graph) -> Bool {
    guard !keys.contains(where: relationships.contains) else { return false }
    let table = graph.tables[table]
    return numbers.allSatisfy { number in
      guard let row = table.row(of: number) else { return false }
      return !mandatory.contains { table.columns[$0].isNull(row) }
    }
  }
}

extension Relationship {
  /// Returns whether it can be empty, and has no maximum count.
  fileprivate func isFree(_ slot: KeySlot?) -> Bool {
    guard leastCount == 0 else { return false }
    if isToMany { return greatestCount == nil }
    if case .toOne? = slot { return true }
    return false
  }
}

extension Attribute {
  /// Whether any value meets the rules, so that only a null can break them.
  var canOnlyMiss: Bool {
    guard minimum == nil, maximum == nil, pattern == nil, check == nil else { return false }
    return switch type {
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date, .string: true
    case .decimal, .uuid, .uri, .binary, .json: isOptional || isTransient
    }
  }
}
