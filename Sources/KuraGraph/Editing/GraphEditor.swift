import KuraBytes
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// Collects the edits of a statement into one `ChangeSet`.
///
///     var editor = GraphEditor(graph)
///     try editor.set(NewValue("parentCategory", .object(home)), of: item)
///     graph.apply(editor.change)     // the item, and with it its category's `items`
///
/// The graph is not modified. The editor reads changed links in their new state, so that several
/// edits keep both sides of every relationship consistent.
package struct GraphEditor {
  package let graph: Graph
  /// The links of rows that differ from the graph.
  var links: [ColumnPlace: [Int: [UInt32]]] = [:]
  /// The rows that lead to a row, relative to the graph.
  var incoming: [ColumnPlace: [UInt32: IncomingLinks]] = [:]
  /// The rows of link columns that edits have changed, in order, if recorded.
  var touches: [GraphTouch] = []
  /// The deleted objects of the graph in order, if recorded.
  var removed: [GraphPlace] = []
  var notesTouches = false
  /// The new values of attributes of existing objects.
  var values: [ColumnPlace: AttributeEdit] = [:]
  /// The new objects in order, and their rows, which the graph does not have yet.
  var inserted: [NewRow] = []
  var newRows: [ObjectID: Int] = [:]
  var newPlaces: [GraphPlace: Int] = [:]
  /// The resulting number of rows of each table.
  var rowCounts: [Int]
  var nextNumbers: [Int64]
  /// Deleted objects of the graph; new ones can reuse their rows.
  var deleted = PlaceSet()
  /// All rows whose objects were deleted, including new ones.
  var isDeleted = PlaceSet()
  /// A flag that ends the edits.
  var cancel = CancelFlag()
  /// The environment for computing defaults; nil outside a session.
  var context: EvaluationContext?

  package init(_ graph: Graph) {
    self.graph = graph
    rowCounts = graph.tables.map(\.count)
    nextNumbers = graph.tables.map(\.nextNumber)
  }

  var model: Model { graph.model }

  /// Throws if cancelled; each edit checks this.
  func checkCancel() throws(Diagnostic) {
    if cancel.isRequested { throw Diagnostic(EvaluationError.stopped) }
  }
}

/// A row of a table.
struct GraphPlace: Hashable {
  var table: Int
  var row: Int
}

/// A row of a link column.
struct GraphTouch {
  var column: ColumnPlace
  var row: Int
}

/// Rows that lead to a row in addition to those of the graph, and rows that no longer do.
struct IncomingLinks {
  var added: Set<UInt32> = []
  var removed: Set<UInt32> = []
}

/// An object to insert.
struct NewRow {
  var entity: String
  var number: Int64
  var place: GraphPlace
  var code: Int
  /// The given values of its attributes, by column.
  var cells: [StoredCell?]
}

extension GraphEditor {
  /// Returns the place of an object that exists or is new.
  func find(_ id: ObjectID) -> GraphPlace? {
    guard let place = knownPlace(id) else { return nil }
    return isDeleted.contains(place) ? nil : place
  }

  /// Returns the place of an object that exists or is new, or was so before its deletion.
  func knownPlace(_ id: ObjectID) -> GraphPlace? {
    if let row = newRows[id], let table = graph.place(of: id.entity)?.table {
      return GraphPlace(table: table, row: row)
    }
    return graph.find(id).map { GraphPlace(table: $0.table, row: $0.row) }
  }

  func objectID(_ place: GraphPlace) -> ObjectID {
    if let new = newPlaces[place].map({ inserted[$0] }) {
      return ObjectID(
        entity: new.entity, root: graph.tables[place.table].layout.root, number: new.number)
    }
    return graph.tables[place.table].objectID(place.row)
  }

  func slot(_ key: String, _ place: GraphPlace) -> KeySlot? {
    let table = graph.tables[place.table]
    let code = newPlaces[place].map { inserted[$0].code } ?? table.entityCode(place.row)
    return table.layout.slots[code][key]
  }

  /// All edits as one change, without values that are unchanged.
  ///
  /// If the work was cancelled, the result is incomplete; check the flag after the call.
  package var change: ChangeSet {
    ChangeSet(
      inserted: insertedObjects, updated: updatedColumns ?? updatedObjects,
      deleted: deletedObjects)
  }

  private var insertedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    for (i, new) in inserted.enumerated()
    where newPlaces[new.place] == i && !isDeleted.contains(new.place) {
      if cancel.isRequested { break }
      batches.add(new.entity, new.number, changes(of: new))
    }
    return batches.batches
  }

  /// Returns the attributes of a new object, and its relationships that are not empty.
  private func changes(of new: NewRow) -> [KeyChange] {
    let slots = graph.tables[new.place.table].layout.slots[new.code]
    var result: [KeyChange] = []
    for attribute in model.allAttributes(of: new.entity) {
      guard let column = slots[attribute.name]?.attributeColumn else { continue }
      result.append(KeyChange(key: attribute.name, new: new.cells[column] ?? .null))
    }
    for relationship in model.allRelationships(of: new.entity) {
      guard let (column, destination) = slots[relationship.name]?.linkColumn,
        let targets = links[ColumnPlace(table: new.place.table, column: column)]?[new.place.row],
        !targets.isEmpty
      else { continue }
      let value = linked(targets, destination, relationship.isToMany)
      result.append(KeyChange(key: relationship.name, new: value))
    }
    return result
  }

  /// The updates in the order of tables, rows and columns, without unchanged values.
  private var updatedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    for number in Set(values.keys.map(\.table)).union(links.keys.map(\.table)).sorted() {
      let table = graph.tables[number]
      let columns = editedColumns(of: number)
      let rows = columns.flatMap(\.rows).sorted().map { Int($0) }
      for (i, row) in rows.enumerated()
      where (i == 0 || rows[i - 1] != row) && isUpdate(GraphPlace(table: number, row: row)) {
        if cancel.isRequested { return [] }
        let changes = columns.compactMap { change(row, in: $0) }
        if changes.isEmpty { continue }
        batches.add(
          table.layout.entities[table.entityCode(row)], table.identifiers[row], changes)
      }
    }
    return batches.batches
  }

  private func editedColumns(of table: Int) -> [EditedColumn] {
    graph.tables[table].columns.enumerated().compactMap { i, column in
      let values = values[ColumnPlace(table: table, column: i)]
      let links = links[ColumnPlace(table: table, column: i)]
      if values == nil, links == nil { return nil }
      let key = graph.tables[table].layout.columns[i].key
      return EditedColumn(key: key, column: column, values: values, links: links)
    }
  }

  /// Returns the change of an existing object in a column; nil if there is none.
  private func change(_ row: Int, in edited: EditedColumn) -> KeyChange? {
    if let new = edited.values?[row] {
      let old = edited.column.cell(row)
      return old == new ? nil : KeyChange(key: edited.key, old: old, new: new)
    }
    guard let new = edited.links?[row] else { return nil }
    let (old, link) = (edited.column.targets(row), edited.column.kind.link)
    if old == new { return nil }
    return KeyChange(
      key: edited.key, old: linked(old, link.destination, link.isToMany),
      new: linked(new, link.destination, link.isToMany))
  }

  /// Returns whether it is an existing object that remains; a deleted one can have left links.
  private func isUpdate(_ place: GraphPlace) -> Bool {
    (newPlaces.isEmpty || newPlaces[place] == nil) && !isDeleted.contains(place)
      && graph.tables[place.table].isLive(place.row)
  }

  private func linked(_ rows: [UInt32], _ table: Int, _ isToMany: Bool) -> StoredCell {
    let numbers = rows.map { row in
      newPlaces[GraphPlace(table: table, row: Int(row))].map { inserted[$0].number }
        ?? graph.tables[table].identifiers[Int(row)]
    }
    return StoredCell(links: numbers, isToMany)
  }
}

/// A column of the graph, with its new values or links.
private struct EditedColumn {
  var key: String
  var column: Column
  var values: AttributeEdit?
  var links: [Int: [UInt32]]?

  var rows: [UInt32] {
    values?.rows ?? links?.keys.map { UInt32(truncatingIfNeeded: $0) } ?? []
  }
}

extension ColumnKind {
  /// The destination table of links; nil for an attribute.
  package var destination: Int? {
    switch self {
    case .toOne(let destination), .toMany(let destination): destination
    case .attribute: nil
    }
  }

  /// The destination table, and whether it is a to-many relationship.
  var link: (destination: Int, isToMany: Bool) {
    switch self {
    case .toOne(let destination): (destination, false)
    case .toMany(let destination): (destination, true)
    case .attribute: (0, false)
    }
  }
}

/// A set of rows of tables: single ones, and many that were added together.
struct PlaceSet {
  private var single: Set<GraphPlace> = []
  /// Ascending rows, by table.
  private var many: [Int: [UInt32]] = [:]

  var isEmpty: Bool { single.isEmpty && many.isEmpty }

  func contains(_ place: GraphPlace) -> Bool {
    if single.contains(place) { return true }
    guard let rows = many[place.table] else { return false }
    let next = rows.indices.partitioningIndex { Int(rows[$0]) >= place.row }
    return next < rows.count && Int(rows[next]) == place.row
  }

  /// Adds a row; returns false if the set already contains it.
  @discardableResult mutating func insert(_ place: GraphPlace) -> Bool {
    !contains(place) && single.insert(place).inserted
  }

  /// Adds ascending rows of a table; none of them is in the set.
  mutating func insert(_ rows: [UInt32], of table: Int) { many[table] = rows }

  mutating func remove(_ place: GraphPlace) {
    single.remove(place)
    guard contains(place) else { return }
    many[place.table]?.removeAll { Int($0) == place.row }
  }

  /// The rows by table, both ascending.
  var byTable: [(table: Int, rows: [UInt32])] {
    var rows = many
    for place in single {
      rows[place.table, default: []].append(UInt32(truncatingIfNeeded: place.row))
    }
    return rows.map { ($0, $1.sorted()) }.sorted { $0.table < $1.table }
  }
}
