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
    for _ in 0..<rows { closeRow(isSilent: true) }
  }

  fileprivate mutating func appendSingles(_ column: ColumnBuilder) {
    for chunk in column.sealed {
      guard case .integers(let values) = chunk.values else { continue }
      for row in values.indices {
        if values[row] > 0 { numbers.append(values[row]) }
        closeRow(isSilent: chunk.isNull(row))
      }
    }
  }

  fileprivate mutating func appendLists(_ column: ColumnBuilder) {
    for (chunk, pending) in zip(column.sealed, column.pendingLists) {
      let start = UInt32(truncatingIfNeeded: numbers.count)
      numbers += pending.numbers
      ends += pending.ends.map { $0 + start }
      isSilent += pending.ends.indices.map { chunk.isNull($0) }
    }
  }

  fileprivate func ordered(_ order: [Int]?) -> RawLinks {
    guard let order else { return self }
    var result = RawLinks(isToMany: isToMany)
    for row in order {
      result.numbers += numbers[range(row)]
      result.closeRow(isSilent: isSilent[row])
    }
    return result
  }
}
