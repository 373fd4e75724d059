import KuraBytes
package import KuraDiagnostics
import KuraModel
import KuraPredicates
package import KuraValues

/// Collects the edits of a statement into one `ChangeSet`.
///
///     var editor = GraphEditor(graph)
///     try editor.set("parentCategory", of: [item], to: .object(home))
///     graph.apply(editor.change)     // the item, and with it its category's `items`
///
/// The graph is not modified. The editor reads changed links in their new state, so that several
/// edits keep both sides of every relationship consistent.
package struct GraphEditor {
  package let graph: Graph
  /// The links of rows that differ from the graph.
  var links: [LinkColumn: [Int: [UInt32]]] = [:]
  /// The rows that lead to a row, relative to the graph.
  var incoming: [LinkColumn: [UInt32: IncomingLinks]] = [:]
  /// The rows of link columns that edits have changed, in order, if recorded.
  var touches: [GraphTouch] = []
  var notesTouches = false
  /// The new values of attributes of existing objects.
  var values: [AttributeColumn: [Int: StoredCell]] = [:]
  /// The new values of attributes for many objects, and deleted objects of one table.
  var columnEdits: [AttributeColumn: ColumnEdit] = [:]
  var deletedRows: RowDeletion?
  /// The new objects in order, and their rows, which the graph does not have yet.
  var inserted: [NewRow] = []
  var newRows: [ObjectID: Int] = [:]
  var newPlaces: [GraphPlace: Int] = [:]
  /// The resulting number of rows of each table.
  var rowCounts: [Int]
  var nextNumbers: [Int64]
  /// Deleted objects of the graph; new ones can reuse their rows.
  var deleted: [GraphPlace] = []
  /// All deleted objects, including new ones.
  var isDeleted: Set<GraphPlace> = []
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
  var column: LinkColumn
  var row: Int
}

struct AttributeColumn: Hashable {
  var table: Int
  var column: Int
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
    if let new = newRow(place) {
      return ObjectID(
        entity: new.entity, root: graph.tables[place.table].layout.root, number: new.number)
    }
    return graph.tables[place.table].objectID(place.row)
  }

  /// Returns the new object at a place, if there is one.
  func newRow(_ place: GraphPlace) -> NewRow? {
    newPlaces[place].map { inserted[$0] }
  }

  func slot(_ key: String, _ place: GraphPlace) -> KeySlot? {
    let table = graph.tables[place.table]
    let code = newPlaces[place].map { inserted[$0].code } ?? table.entityCode(place.row)
    return table.layout.slots[code][key]
  }
}

/// The result of an editor.
struct EditedGraph {
  let change: ChangeSet
  /// The changes as columns, if all edits were by column; otherwise empty.
  let columns: [AttributeColumn: ColumnEdit]
  let nextNumbers: [Int64]

  init(_ change: ChangeSet) { (self.change, columns, nextNumbers) = (change, [:], []) }

  init(_ editor: GraphEditor) {
    (change, columns) = (editor.change, editor.columnEdits)
    nextNumbers = editor.nextNumbers
  }
}

extension GraphEditor {
  /// All edits as one change, without values that are unchanged.
  ///
  /// If the work was cancelled, the result is incomplete; check the flag after the call.
  package var change: ChangeSet {
    if deletedRows != nil { return ChangeSet(deleted: deletedByRows) }
    if !columnEdits.isEmpty {
      return updatedColumns.map { ChangeSet(updated: $0) } ?? spilled.change
    }
    return ChangeSet(inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
  }

  private var spilled: GraphEditor {
    var editor = self
    editor.materializeColumnEdits()
    return editor
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
        let targets = links[LinkColumn(table: new.place.table, column: column)]?[new.place.row],
        !targets.isEmpty
      else { continue }
      let value = linked(targets, destination, relationship.isToMany)
      result.append(KeyChange(key: relationship.name, new: value))
    }
    return result
  }

  private var deletedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    var forms: [GraphPlace: StoredForm] = [:]
    for place in inOrder(deleted) {
      if cancel.isRequested { break }
      let table = graph.tables[place.table]
      let kind = GraphPlace(table: place.table, row: table.entityCode(place.row))
      let form = forms[kind] ?? StoredForm(graph, place.table, code: kind.row)
      forms[kind] = form
      batches.add(
        form.entity, table.identifiers[place.row], deleted: form.values(place.row, of: graph))
    }
    return batches.batches
  }

  /// Returns places sorted by table and row; empty if cancelled.
  private func inOrder(_ places: some Sequence<GraphPlace>) -> [GraphPlace] {
    let sorted = try? places.sorted { a, b in
      try cancel.check()
      return (a.table, a.row) < (b.table, b.row)
    }
    return sorted ?? []
  }

  private var updatedObjects: [ObjectBatch] {
    var edits = ValueEdits()
    for (column, rows) in values {
      let kept = graph.tables[column.table].columns[column.column]
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = kept.cell(row)
        guard old != new else { continue }
        edits.add(column.table, row, column.column, old, new)
      }
    }
    for (column, rows) in links {
      let kept = graph.tables[column.table].columns[column.column]
      let (destination, isToMany) = kept.kind.link
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = kept.targets(row)
        guard old != new else { continue }
        edits.add(
          column.table, row, column.column, linked(old, destination, isToMany),
          linked(new, destination, isToMany))
      }
    }
    return edits.batches(of: graph, cancel)
  }

  /// Returns whether it is an existing object that remains; a deleted one can have left links.
  private func isUpdate(_ place: GraphPlace) -> Bool {
    (newPlaces.isEmpty || newPlaces[place] == nil)
      && (isDeleted.isEmpty || !isDeleted.contains(place))
      && graph.tables[place.table].isLive(place.row)
  }

  private func linked(_ rows: [UInt32], _ table: Int, _ isToMany: Bool) -> StoredCell {
    let numbers = rows.map { row in
      newPlaces[GraphPlace(table: table, row: Int(row))].map { inserted[$0].number }
        ?? graph.tables[table].identifiers[Int(row)]
    }
    if isToMany { return numbers.isEmpty ? .null : .objects(numbers) }
    return numbers.first.map { .object($0) } ?? .null
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

/// The new values of an attribute for many objects of a table.
struct ColumnEdit {
  /// The rows with changed values, ascending.
  var rows: [UInt32]
  var column: Column
}

/// Deleted objects of a table, without effects on other objects.
struct RowDeletion {
  var table: Int
  /// The rows, ascending.
  var rows: [UInt32]
}

// Many objects of one entity at once, by columns
extension GraphEditor {
  /// Sets an attribute of many objects to the values that a column of its kind has in the same
  /// ascending rows. Returns false, without a change, if they must be set individually.
  package mutating func setAttribute(
    _ key: String, to new: Column, table: Int, rows: [UInt32]
  ) -> Bool {
    guard isOfColumns, let code = soleEntity(table, rows),
      case .attribute(let attribute)? = model.property(
        named: key, of: graph.tables[table].layout.entities[code]),
      attribute.derivation == nil,
      let column = graph.tables[table].layout.slots[code][key]?.attributeColumn,
      let chunks = ColumnCells.chunks(of: rows),
      let replaced = graph.tables[table].columns[column].replacing(rows, in: chunks, with: new)
    else { return false }
    let place = AttributeColumn(table: table, column: column)
    guard columnEdits[place] == nil else { return false }
    columnEdits[place] = ColumnEdit(rows: replaced.changed, column: replaced.column)
    return true
  }

  /// Deletes many objects in ascending rows, if that does not affect other objects. Otherwise, or
  /// for few objects, returns false without a change.
  package mutating func delete(table: Int, rows: [UInt32]) -> Bool {
    guard isOfColumns, columnEdits.isEmpty, deletedRows == nil, ColumnCells.chunks(of: rows) != nil,
      let code = soleEntity(table, rows),
      haveNoDeleteEffects(graph.tables[table].layout.entities[code], table)
    else { return false }
    deletedRows = RowDeletion(table: table, rows: rows)
    return true
  }

  /// Whether all edits so far were by column.
  private var isOfColumns: Bool {
    values.isEmpty && links.isEmpty && inserted.isEmpty && deleted.isEmpty && isDeleted.isEmpty
  }

  /// Returns the common entity of existing, ascending rows.
  private func soleEntity(_ table: Int, _ rows: [UInt32]) -> Int? {
    let table = graph.tables[table]
    guard let first = rows.first, let last = rows.last, last < table.count,
      zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    if table.live != nil, !rows.allSatisfy({ table.isLive(Int($0)) }) { return nil }
    let code = table.entityCode(Int(first))
    guard table.entityCodes != nil else { return code }
    return rows.allSatisfy { table.entityCode(Int($0)) == code } ? code : nil
  }

  /// Returns whether deleting objects of an entity does not affect other objects.
  private func haveNoDeleteEffects(_ entity: String, _ table: Int) -> Bool {
    graph.oneWayColumns(to: table).isEmpty
      && model.allRelationships(of: entity).allSatisfy { isSilent($0, of: entity) }
  }

  /// Returns whether a relationship is unaffected by the deletion of its object, because the
  /// inverse is derived from it.
  private func isSilent(_ relationship: Relationship, of entity: String) -> Bool {
    guard let place = graph.place(of: entity),
      let slot = graph.tables[place.table].layout.slots[place.code][relationship.name]
    else { return true }
    switch (relationship.deleteRule, slot) {
    case (.deny, _), (.none, _), (_, .attribute), (_, .unresolved): return true
    case (.nullify, .toOne(let column, _)), (.nullify, .toMany(let column, _, _)):
      switch otherEnd(of: LinkColumn(table: place.table, column: column)) {
      case .none, .read: return true
      case .itself, .kept: return false
      }
    case (.nullify, .inverse), (.cascade, _): return false
    }
  }
}

extension GraphEditor {
  /// Materializes edits by column as individual values, before other edits.
  mutating func materializeColumnEdits() {
    for (place, edit) in columnEdits {
      values[place, default: [:]].merge(
        edit.rows.map { (Int($0), edit.column.cell(Int($0))) }
      ) { $1 }
    }
    columnEdits = [:]
    guard let deletion = deletedRows else { return }
    deletedRows = nil
    deleted += deletion.rows.map { GraphPlace(table: deletion.table, row: Int($0)) }
    isDeleted.formUnion(deleted)
  }

  /// The edits by column as a change; nil if different columns changed in different rows.
  var updatedColumns: [ObjectBatch]? {
    let edits = columnEdits.filter { !$1.rows.isEmpty }.sorted { $0.key.column < $1.key.column }
    guard let (place, first) = edits.first else { return [] }
    guard edits.allSatisfy({ $0.key.table == place.table && $0.value.rows == first.rows }) else {
      return nil
    }
    let table = graph.tables[place.table]
    return [
      ObjectBatch(
        entity: table.layout.entities[table.entityCode(Int(first.rows[0]))],
        numbers: first.rows.map { table.identifiers[Int($0)] },
        columns: edits.map { place, edit in
          ChangeColumn(
            key: table.layout.columns[place.column].key,
            old: ChangeValues(table.columns[place.column], first.rows),
            new: ChangeValues(edit.column, first.rows))
        })
    ]
  }

  /// The deleted objects of a table as batches of a change.
  var deletedByRows: [ObjectBatch] {
    guard let deletion = deletedRows, let first = deletion.rows.first else { return [] }
    let code = graph.tables[deletion.table].entityCode(Int(first))
    return StoredForm(graph, deletion.table, code: code).batches(deletion.rows, of: graph)
  }
}

extension GraphEditor {
  /// Deletes objects, and applies their delete rules.
  ///
  /// `cascade` deletes the destination too, also around a cycle. `nullify` removes the object from
  /// the inverse. `deny` and `none` leave the inverse unchanged; as in Core Data, `deny` is checked
  /// at the save. A relationship without inverse that leads here is emptied.
  package mutating func delete(_ ids: [ObjectID]) throws(Diagnostic) {
    materializeColumnEdits()
    var open: [GraphPlace] = []
    for id in ids {
      try checkCancel()
      guard let place = find(id) else {
        // An earlier deletion may have included it.
        guard knownPlace(id) != nil else { throw Diagnostic(ChangeProblem.noObject(id)) }
        continue
      }
      open.append(place)
    }
    while let place = open.popLast() {
      try checkCancel()
      guard isThere(place) else { continue }
      isDeleted.insert(place)
      let relationships = model.allRelationships(of: objectID(place).entity)
      for relationship in relationships { follow(relationship, from: place, &open) }
      if newPlaces[place] == nil {
        deleted.append(place)
        forget(place, by: graph.oneWayColumns(to: place.table))
      } else {
        // A new object leaves no links, regardless of its rules.
        forget(place, by: graph.linkColumns(to: place.table))
      }
    }
  }

  /// The numbers of deleted objects by entity, in the order of the model.
  package var deletedCounts: [EntityCount] {
    var counts: [String: Int] = [:]
    for place in deleted where isDeleted.contains(place) && !cancel.isRequested {
      let table = graph.tables[place.table]
      counts[table.layout.entities[table.entityCode(place.row)], default: 0] += 1
    }
    if let deletedRows, let first = deletedRows.rows.first {
      let table = graph.tables[deletedRows.table]
      counts[table.layout.entities[table.entityCode(Int(first))]] = deletedRows.rows.count
    }
    return model.entities.compactMap { entity in
      counts[entity.name].map { EntityCount(entity: entity.name, count: $0) }
    }
  }

  /// Returns whether an object exists; links can lead to deleted ones.
  private func isThere(_ place: GraphPlace) -> Bool {
    if isDeleted.contains(place) { return false }
    return newPlaces[place] != nil || graph.tables[place.table].isLive(place.row)
  }

  private mutating func follow(
    _ relationship: Relationship, from place: GraphPlace, _ open: inout [GraphPlace]
  ) {
    guard let slot = slot(relationship.name, place), let table = graph.destination(slot) else {
      return
    }
    switch relationship.deleteRule {
    case .cascade:
      open += related(slot, place).map { GraphPlace(table: table, row: Int($0)) }
    case .nullify:
      for row in related(slot, place) {
        leave(slot, place, at: GraphPlace(table: table, row: Int(row)))
      }
    case .deny, .none: return
    }
  }

  /// Removes a deleted object from the inverse of a relationship.
  private mutating func leave(_ slot: KeySlot, _ place: GraphPlace, at other: GraphPlace) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, _), .toMany(let column, _, _):
      switch otherEnd(of: LinkColumn(table: place.table, column: column)) {
      case .none, .read: return
      case .itself:
        if other != place {
          removeTarget(LinkColumn(table: place.table, column: column), other.row, place.row)
        }
      case .kept(let there): removeTarget(there, other.row, place.row)
      }
    case .inverse(let source, let column, _):
      removeTarget(LinkColumn(table: source, column: column), other.row, place.row)
    }
  }

  /// Removes an object from the links of some columns.
  mutating func forget(_ place: GraphPlace, by columns: [LinkColumn]) {
    for column in columns {
      for source in sources(column, of: place.row) {
        removeTarget(column, Int(source), place.row)
      }
    }
  }
}

/// A number of objects of an entity.
package struct EntityCount: Sendable, Equatable {
  package var entity: String
  package var count: Int

  package init(entity: String, count: Int) {
    self.entity = entity
    self.count = count
  }
}

extension Graph {
  /// Returns the stored relationships that lead to a table.
  func linkColumns(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.indices
        .filter { tables[source].layout.columns[$0].kind.points(to: table) }
        .map { LinkColumn(table: source, column: $0) }
    }
  }

  /// Returns the relationships without inverse that lead to a table.
  func oneWayColumns(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.enumerated().compactMap { number, column in
        column.kind.points(to: table) && model.inverse(of: column.key, in: column.entity) == nil
          ? LinkColumn(table: source, column: number) : nil
      }
    }
  }
}

extension Model {
  /// Returns whether objects of an entity can be deleted while links to them remain.
  func leavesLinks(to entity: String) -> Bool {
    allRelationships(of: entity).contains {
      ($0.deleteRule == .deny || $0.deleteRule == .none)
        && inverse(of: $0.name, in: entity) != nil
    }
  }
}
