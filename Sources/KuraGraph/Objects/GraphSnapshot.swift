import KuraModel
package import KuraValues

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
