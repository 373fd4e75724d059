import KuraModel

/// Where the values of an entity's objects stand that a change set has: found once for many objects.
struct StoredForm {
  let entity: String
  private let attributes: [(key: String, column: Int)]
  private let relationships: [(key: String, column: Int, destination: Int, isToMany: Bool)]
  private let table: Int

  init(_ graph: Graph, _ table: Int, code: Int) {
    let layout = graph.tables[table].layout
    let (slots, entity) = (layout.slots[code], layout.entities[code])
    (self.table, self.entity) = (table, entity)
    attributes = graph.model.allAttributes(of: entity).compactMap { attribute in
      slots[attribute.name]?.attributeColumn.map { (attribute.name, $0) }
    }
    relationships = graph.model.allRelationships(of: entity).compactMap { relationship in
      slots[relationship.name]?.linkColumn.map {
        (relationship.name, $0.0, $0.1, relationship.isToMany)
      }
    }
  }

  /// An object's values: attributes, and relationships kept on its side.
  func values(_ row: Int, of graph: Graph) -> [(key: String, value: ChangeValue)] {
    let columns = graph.tables[table].columns
    var result: [(key: String, value: ChangeValue)] = []
    result.reserveCapacity(attributes.count + relationships.count)
    for (key, column) in attributes {
      result.append((key, ChangeValue(columns[column].cell(row))))
    }
    for (key, column, destination, isToMany) in relationships {
      let numbers = columns[column].targets(row).map {
        graph.tables[destination].identifiers[Int($0)]
      }
      guard let first = numbers.first else { continue }
      result.append((key, isToMany ? .objects(numbers) : .object(first)))
    }
    return result
  }
}

extension Graph {
  /// An object's values as a change set has them: attributes, and relationships kept on its side.
  func storedValues(_ table: Int, _ row: Int) -> [(key: String, value: ChangeValue)] {
    StoredForm(self, table, code: tables[table].entityCode(row)).values(row, of: self)
  }
}
