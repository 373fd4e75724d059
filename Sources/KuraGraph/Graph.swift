package import KuraModel
package import KuraValues

/// All objects of a store, as a value: a copy is a snapshot.
package struct Graph: Sendable {
  package private(set) var model: Model
  package private(set) var layout: ModelLayout
  package var tables: [Table]

  /// A graph without objects.
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
  /// The table of an entity and its code there, or nil.
  package func place(of entity: String) -> EntityPlace? { layout.places[entity] }

  /// The codes of an entity and its subentities in their table.
  package func codes(of entity: String) -> Set<Int> {
    Set(([entity] + model.descendants(of: entity)).compactMap { layout.places[$0]?.code })
  }

  /// The table and row of an object, or nil if there is none.
  package func find(_ id: ObjectID) -> (table: Int, row: Int)? {
    guard let table = layout.places[id.entity]?.table,
      let row = tables[table].identifiers.row(of: id.number)
    else { return nil }
    return (table, row)
  }

  /// Gives the graph another model; objects keep what both models know.
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

extension Graph {
  /// The rows that a to-many or the other side of a to-one has.
  package func rows(_ slot: KeySlot, _ table: Int, _ row: Int) -> [Int] {
    switch slot {
    case .attribute, .unresolved: []
    case .toOne(let column, _): tables[table].columns[column].link(row).map { [$0] } ?? []
    case .toMany(let column, _, _): tables[table].columns[column].linkList(row)
    case .inverse(let source, let column, _):
      inverse(source: source, column: column)[row].map { Int($0) }
    }
  }

  /// The table that a relationship leads to.
  package func destination(_ slot: KeySlot) -> Int? {
    switch slot {
    case .attribute, .unresolved: nil
    case .toOne(_, let destination), .toMany(_, let destination, _): destination
    case .inverse(let source, _, _): source
    }
  }

  /// The inverse of a column for those who can do without it: nil until a second use.
  package func inverseIfItPays(source: Int, column: Int) -> InverseIndex? {
    tables[source].derived.pays(inverseOfColumn: column)
      ? inverse(source: source, column: column) : nil
  }

  /// For each row of the destination, the rows that point to it; made at first use.
  package func inverse(source: Int, column: Int) -> InverseIndex {
    let destination: Int
    switch tables[source].columns[column].kind {
    case .toOne(let to), .toMany(let to): destination = to
    case .attribute: destination = source
    }
    return tables[source].derived.inverse(ofColumn: column) {
      InverseIndex(
        tables[source].columns[column], destinationCount: tables[destination].count)
    }
  }
}
