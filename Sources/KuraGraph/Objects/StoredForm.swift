import KuraBytes
import KuraModel
package import KuraValues

/// The places of an entity's values in the form of a change set, looked up once for many objects.
struct StoredForm {
  typealias Values = [(key: String, value: StoredCell)]
  let entity: String
  private var attributes: [(key: String, column: Int)]
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

  /// Returns the values of an object: attributes, and relationships stored on its side.
  func values(_ row: Int, of graph: Graph) -> Values {
    let columns = graph.tables[table].columns
    var result: Values = []
    result.reserveCapacity(attributes.count + relationships.count)
    for (key, column) in attributes {
      result.append((key, columns[column].cell(row)))
    }
    for (key, column, destination, isToMany) in relationships {
      let links = graph.links(columns[column], row, to: destination, isToMany)
      if links != .null { result.append((key, links)) }
    }
    return result
  }
}

extension Graph {
  /// Returns the values of an object in the form of a change set: attributes, and relationships stored on its side.
  func storedValues(_ table: Int, _ row: Int) -> StoredForm.Values {
    StoredForm(self, table, code: tables[table].entityCode(row)).values(row, of: self)
  }

  /// Returns the links of an object in the form of a change set.
  func links(_ column: Column, _ row: Int, to table: Int, _ isToMany: Bool) -> StoredCell {
    let identifiers = tables[table].identifiers
    return StoredCell(links: column.targets(row).map { identifiers[Int($0)] }, isToMany)
  }
}

// Comparison of two graphs
extension StoredForm {
  /// Returns the attributes with columns that are unchanged in another graph, so that objects in
  /// the same row have the same values.
  func sharedKeys(_ graph: Graph, _ other: StoredForm, _ otherGraph: Graph) -> Set<String> {
    let there = Dictionary(other.attributes.map { ($0.key, $0.column) }) { first, _ in first }
    let shared = attributes.filter { key, column in
      guard let place = there[key] else { return false }
      return graph.tables[table].columns[column]
        .isSame(as: otherGraph.tables[other.table].columns[place])
    }
    return Set(shared.map(\.key))
  }

  func without(_ keys: Set<String>) -> StoredForm {
    var form = self
    form.attributes.removeAll { keys.contains($0.key) }
    return form
  }

  /// Whether objects have no values in this form.
  var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }

  /// Returns the deletion of objects in ascending rows; successive objects with the same non-empty relationships are one batch.
  func batches(
    _ rows: [UInt32], of graph: Graph, _ cancel: CancelFlag
  ) -> [ObjectBatch] {
    let columns = graph.tables[table].columns
    var batches: [ObjectBatch] = []
    var first = 0
    while first < rows.count, !cancel.isRequested {
      let linked = linkedKeys(rows[first], columns)
      var end = first + 1
      while end < rows.count, linkedKeys(rows[end], columns) == linked { end += 1 }
      batches.append(batch(Array(rows[first..<end]), linked, of: graph))
      first = end
    }
    return batches
  }

  /// Returns which relationships are not empty.
  private func linkedKeys(_ row: UInt32, _ columns: [Column]) -> [Bool] {
    relationships.map { columns[$0.column].targetCount(Int(row)) > 0 }
  }

  private func batch(_ rows: [UInt32], _ linked: [Bool], of graph: Graph) -> ObjectBatch {
    let table = graph.tables[table]
    var batch = ObjectBatch(
      entity: entity, numbers: rows.map { table.identifiers[Int($0)] },
      columns: attributes.map { key, column in
        ChangeColumn(key: key, old: ChangeValues(table.columns[column], rows))
      })
    for (link, _) in zip(relationships, linked).filter(\.1) {
      let values = rows.map { row in
        graph.links(table.columns[link.column], Int(row), to: link.destination, link.isToMany)
      }
      batch.columns.append(ChangeColumn(key: link.key, old: ChangeValues(values)))
    }
    return batch
  }
}

/// A state of the graph, shared by many objects.
package final class GraphSnapshot: Sendable {
  package let graph: Graph

  package init(_ graph: Graph) { self.graph = graph }

  package func object(table: Int, row: Int) -> GraphObject {
    GraphObject(snapshot: self, table: table, row: row)
  }
}

/// An object of the graph as predicates read it: one row of a table.
package struct GraphObject: Sendable {
  package let snapshot: GraphSnapshot
  package let table: Int
  package let row: Int
}

extension GraphObject: RelationshipListing {
  package var objectID: ObjectID? { snapshot.graph.tables[table].objectID(row) }

  /// Returns the value of a key; null if the object's entity does not have it.
  ///
  /// Keys were checked against the model when the request was bound. The key of a subentity is null
  /// for objects of other entities.
  package func value(forKey key: String) throws -> Value {
    let source = snapshot.graph.tables[table]
    if let slot = source.layout.slots[source.entityCode(row)][key] { return value(slot) }
    switch key {
    case objectNumberKey: return .integer(source.identifiers[row])
    case "objectID": return .object(ObjectReference(self))
    case "entity": return .dictionary(ValueDictionary([("name", .string(entityName))]))
    default: return .null
    }
  }

  package func isLink(_ key: String) -> Bool {
    let source = snapshot.graph.tables[table]
    return source.layout.slots[source.entityCode(row)][key]?.attributeColumn == nil
  }

  package var entityName: String {
    let source = snapshot.graph.tables[table]
    return source.layout.entities[source.entityCode(row)]
  }

  package func value(_ slot: KeySlot) -> Value {
    let graph = snapshot.graph
    if case .attribute(let column, _) = slot {
      return graph.tables[table].columns[column].value(row)
    }
    guard let destination = graph.destination(slot) else {
      return slot.isToMany ? .set(ValueSet(distinct: [])) : .null
    }
    let objects = graph.rows(slot, table, row).map {
      Value.object(ObjectReference(snapshot.object(table: destination, row: $0)))
    }
    guard slot.isToMany else { return objects.first ?? .null }
    if case .toMany(_, _, true) = slot { return .list(objects) }
    return .set(ValueSet(distinct: objects))
  }
}
