import KuraGraph
import KuraModel

extension StoreAssembly {
  /// What the document says of each relationship that an entity of the tree declares.
  func rawLinks(
    _ layout: TableLayout, _ parts: [Int], _ order: [Int]?
  ) -> [RelationshipKey: RawLinks] {
    var result: [RelationshipKey: RawLinks] = [:]
    for entity in layout.entities {
      for relationship in model[entity]?.relationships ?? [] {
        var links = RawLinks(isToMany: relationship.isToMany)
        for part in parts { append(part, entity, relationship, to: &links) }
        result[RelationshipKey(entity: entity, key: relationship.name)] = links.ordered(order)
      }
    }
    return result
  }

  private func append(
    _ part: Int, _ entity: String, _ relationship: Relationship, to links: inout RawLinks
  ) {
    let builder = builders[part]
    let inherits = model.entity(builder.name, isKindOf: entity)
    let column = inherits ? builder.column(relationship.name) : nil
    guard let column else { return links.appendNothing(builder.rowCount) }
    if relationship.isToMany {
      links.appendLists(builder.columns[column])
    } else {
      links.appendSingles(builder.columns[column])
    }
  }
}

extension RawLinks {
  fileprivate mutating func appendNothing(_ rows: Int) {
    if isToMany {
      lists += Array(repeating: nil, count: rows)
    } else {
      single += Array(repeating: -1, count: rows)
    }
  }

  fileprivate mutating func appendSingles(_ column: ColumnBuilder) {
    for chunk in column.sealed {
      guard case .integers(let values) = chunk.values else { continue }
      let start = single.count
      single += values
      if let nulls = chunk.nulls { nulls.forEachSet { single[start + $0] = -1 } }
    }
  }

  fileprivate mutating func appendLists(_ column: ColumnBuilder) {
    for (chunk, pending) in zip(column.sealed, column.pendingLists) {
      var start = 0
      for (row, end) in pending.ends.enumerated() {
        lists.append(chunk.isNull(row) ? nil : Array(pending.numbers[start..<Int(end)]))
        start = Int(end)
      }
    }
  }

  fileprivate func ordered(_ order: [Int]?) -> RawLinks {
    guard let order else { return self }
    var result = self
    if isToMany {
      result.lists = order.map { lists[$0] }
    } else {
      result.single = order.map { single[$0] }
    }
    return result
  }
}
