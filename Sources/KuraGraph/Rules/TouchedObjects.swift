import KuraModel
package import KuraValues

extension ChangeSet {
  /// The objects that a change concerns: its own, and those at the other ends of changed links,
  /// which they had before or have now. Deleted ones are among them.
  package func touched(in graph: Graph) -> Set<ObjectID> {
    var touched = TouchedObjects(graph)
    for batch in deleted { touched.addThoseLeft(by: batch) }
    for batch in inserted + deleted {
      touched.add(batch.entity, batch.numbers)
      for column in batch.columns { touched.add(column.key, of: batch.entity, column.values) }
    }
    for batch in updated {
      touched.add(batch.entity, batch.numbers)
      for column in batch.columns {
        touched.add(column.key, of: batch.entity, column.old)
        touched.add(column.key, of: batch.entity, column.new)
      }
    }
    return touched.objects
  }
}

private struct TouchedObjects {
  let graph: Graph
  var objects: Set<ObjectID> = []

  init(_ graph: Graph) { self.graph = graph }

  mutating func add(_ entity: String, _ numbers: [Int64]) {
    let root = graph.model.root(of: entity)
    for number in numbers {
      objects.insert(ObjectID(entity: entity, root: root, number: number))
    }
  }

  /// The objects that still lead to deleted ones.
  mutating func addThoseLeft(by batch: ObjectBatch) {
    guard graph.mayDangle, let place = graph.place(of: batch.entity) else { return }
    let columns = graph.linkColumns(to: place.table)
    for row in batch.numbers.compactMap(graph.tables[place.table].identifiers.row(of:)) {
      for column in columns {
        let sources = graph.inverse(source: column.table, column: column.column)[row]
        objects.formUnion(sources.map { graph.tables[column.table].objectID(Int($0)) })
      }
    }
  }

  /// The objects that a relationship's values name, each by its own entity if it is there.
  mutating func add(_ key: String, of entity: String, _ values: [ChangeValue]) {
    guard case .relationship(let relationship)? = graph.model.property(named: key, of: entity)
    else { return }
    let root = graph.model.root(of: relationship.destination)
    for value in values {
      for number in value.numbers {
        let id = ObjectID(entity: relationship.destination, root: root, number: number)
        objects.insert(graph.ownIdentity(id))
      }
    }
  }
}

extension Graph {
  /// An object's identity by its own entity: `Task/5` for `Item/5`; as it is, if there is none.
  package func ownIdentity(_ id: ObjectID) -> ObjectID {
    find(id).map { tables[$0.table].objectID($0.row) } ?? id
  }
}
