package import KuraModel
package import KuraValues

/// All objects of a store, as a value. A copy is a snapshot.
package struct Graph: Sendable {
  package private(set) var model: Model
  package private(set) var layout: ModelLayout
  package var tables: [Table]
  /// Whether links can lead to deleted objects, because an object was deleted under `deny` or
  /// `none` since the last save.
  package var mayDangle = false
  /// The entities that were added for elements, such as `Category.items`.
  var elementEntities: Set<String> = []

  /// Creates a graph without objects.
  package init(model: Model = Model()) {
    self.model = model
    layout = ModelLayout(model)
    tables = layout.tables.map { Table(layout: $0) }
  }

  package init(model: Model, layout: ModelLayout, tables: [Table]) {
    self.model = model
    self.layout = layout
    self.tables = tables
  }
}

extension Graph {
  /// Returns the table of an entity and its code there; nil if there is no such entity.
  package func place(of entity: String) -> EntityPlace? { layout.places[entity] }

  /// Returns the codes of an entity and its subentities in their table.
  package func codes(of entity: String) -> Set<Int> { layout.codes(of: entity, model) }

  /// Returns the number of objects of an entity, including its subentities.
  package func objectCount(of entity: String) -> Int {
    guard let place = place(of: entity) else { return 0 }
    let table = tables[place.table]
    let codes = codes(of: entity)
    if codes.count == table.layout.entities.count { return table.liveCount }
    return (0..<table.count).count { table.isLive($0) && codes.contains(table.entityCode($0)) }
  }

  /// Returns the objects of an entity and its subentities, by row.
  package func objectIDs(of entity: String) -> [ObjectID] {
    rows(of: entity).map { $0.rows.map(tables[$0.table].objectID) } ?? []
  }

  /// Returns the table of an entity, and the rows of the objects of it and its subentities; nil if there is no such
  /// entity.
  func rows(of entity: String) -> (table: Int, rows: [Int])? {
    guard let place = place(of: entity) else { return nil }
    let table = tables[place.table]
    let codes = codes(of: entity)
    let rows = (0..<table.count).filter { table.isLive($0) && codes.contains(table.entityCode($0)) }
    return (place.table, rows)
  }

  /// Returns the row of an object in a table; nil if it does not exist.
  package func row(of number: Int64, inTable table: Int) -> Int? { tables[table].row(of: number) }

  /// Returns the table and row of an object; nil if it does not exist.
  package func find(_ id: ObjectID) -> (table: Int, row: Int)? {
    guard let table = layout.places[id.entity]?.table,
      let row = tables[table].row(of: id.number)
    else { return nil }
    return (table, row)
  }

  /// Reserves all numbers below the given ones, per table.
  mutating func reserveNumbers(_ next: [Int64]) {
    for i in tables.indices where i < next.count {
      tables[i].nextNumber = max(tables[i].nextNumber, next[i])
    }
  }

  /// Replaces the model; objects keep the values of keys in both models.
  package mutating func setModel(_ model: Model) {
    guard model.entities != self.model.entities else {
      self.model = model
      return
    }
    let next = ModelLayout(model)
    tables = next.tables.map { table in
      guard let old = tables.first(where: { $0.layout.root == table.root }) else {
        return Table(layout: table)
      }
      let codes = old.layout.entities.enumerated().compactMap { code, name in
        next.places[name].map { (code, $0.code) }
      }
      return old.rebuilt(
        table, codes: Dictionary(codes, uniquingKeysWith: { first, _ in first }), model: model)
    }
    self.model = model
    layout = next
  }
}
