package import KuraBytes
import KuraModel
package import KuraValues

extension ChangeSet {
  /// Returns the objects that a change affects: its own, and the old and new objects at the other
  /// ends of changed links, including deleted ones.
  ///
  /// Incomplete if cancelled.
  package func touched(in graph: Graph, _ cancel: CancelFlag = CancelFlag()) -> Set<ObjectID> {
    var touched = TouchedObjects(graph, cancel)
    for batch in deleted { touched.addThoseLeft(by: batch) }
    for batch in batches {
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
  let cancel: CancelFlag
  var objects: Set<ObjectID> = []

  init(_ graph: Graph, _ cancel: CancelFlag) { (self.graph, self.cancel) = (graph, cancel) }

  mutating func add(_ entity: String, _ numbers: [Int64]) {
    let root = graph.model.root(of: entity)
    for number in numbers where !cancel.isRequested {
      objects.insert(ObjectID(entity: entity, root: root, number: number))
    }
  }

  /// Adds the objects that still lead to deleted ones.
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

  /// Adds the objects in values of a relationship, each with its own entity if it exists.
  mutating func add(_ key: String, of entity: String, _ values: ChangeValues) {
    guard let relationship = graph.model.relationship(named: key, of: entity) else { return }
    let root = graph.model.root(of: relationship.destination)
    for value in values where !cancel.isRequested {
      for number in value.numbers {
        let id = ObjectID(entity: relationship.destination, root: root, number: number)
        objects.insert(graph.ownIdentity(id))
      }
    }
  }
}

extension Graph {
  /// Returns an object's identity with its own entity, `Task/5` for `Item/5`; unchanged if the object does not exist.
  package func ownIdentity(_ id: ObjectID) -> ObjectID {
    find(id).map { tables[$0.table].objectID($0.row) } ?? id
  }

  /// Returns the objects with a possibly changed derived attribute.
  func concerned(
    by places: [(entity: String, place: GraphPlace)], _ derivation: Derivation
  ) -> Set<GraphPlace> {
    if derivation.isBoundless { return allPlaces(of: derivation.entity) }
    var result: Set<GraphPlace> = []
    for (entity, place) in places where model.entity(entity, isKindOf: derivation.entity) {
      result.insert(place)
    }
    for route in derivation.routes where !route.isEmpty {
      result.formUnion(owners(of: places.map(\.place), along: route, from: derivation.entity))
    }
    return result
  }

  private func allPlaces(of entity: String) -> Set<GraphPlace> {
    guard let (table, rows) = rows(of: entity) else { return [] }
    return Set(rows.map { GraphPlace(table: table, row: $0) })
  }

  /// Returns the objects from which a route leads through given places, at any step.
  private func owners(
    of places: [GraphPlace], along route: [String], from entity: String
  ) -> Set<GraphPlace> {
    var steps: [(slot: KeySlot, table: Int)] = []
    var owner = entity
    for key in route {
      guard let place = place(of: owner),
        let slot = tables[place.table].layout.slots[place.code][key],
        let relationship = model.relationship(named: key, of: owner)
      else { break }
      steps.append((slot, place.table))
      owner = relationship.destination
    }
    var reached: Set<GraphPlace> = []
    for (slot, table) in steps.reversed() {
      guard let destination = destination(slot) else { return [] }
      reached.formUnion(places.filter { $0.table == destination })
      reached = Set(
        reached.filter { $0.table == destination }
          .flatMap { sources(slot, table, of: $0.row) }
          .map { GraphPlace(table: table, row: $0) })
    }
    return reached
  }

  /// Returns the rows from which a relationship leads to a row.
  package func sources(_ slot: KeySlot, _ table: Int, of target: Int) -> [Int] {
    let rows: [UInt32] =
      switch slot {
      case .attribute, .unresolved: []
      case .toOne(let column, _), .toMany(let column, _, _):
        Array(inverse(source: table, column: column)[target])
      case .inverse(let source, let column, _):
        tables[source].isLive(target) ? tables[source].columns[column].targets(target) : []
      }
    return rows.map { Int($0) }.filter(tables[table].isLive)
  }
}
