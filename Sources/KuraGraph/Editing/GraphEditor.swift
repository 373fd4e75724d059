import KuraBytes
package import KuraDiagnostics
import KuraModel
import KuraPredicates
package import KuraValues

/// Collects what a statement changes, and makes one `ChangeSet` of it.
///
///     var editor = GraphEditor(graph)
///     try editor.set("parentCategory", of: [item], to: .object(home))
///     graph.apply(editor.change)     // the item, and with it its category's `items`
///
/// The graph is not touched. Links that were changed are read as they will be, so that several
/// edits in a row keep both ends of every relationship.
package struct GraphEditor {
  package let graph: Graph
  /// What rows of link columns lead to now, where that is another thing than in the graph.
  var links: [LinkColumn: [Int: [UInt32]]] = [:]
  /// Which rows lead to a row now, beside and without those of the graph.
  var incoming: [LinkColumn: [UInt32: IncomingLinks]] = [:]
  /// Rows of link columns that edits have changed, one behind the other, where that is asked.
  var touches: [GraphTouch] = []
  var notesTouches = false
  /// New values of attributes of objects that are there.
  var values: [AttributeColumn: [Int: ChangeValue]] = [:]
  /// New values of attributes for many objects, and objects of one table that go.
  var columnEdits: [AttributeColumn: ColumnEdit] = [:]
  var deletedRows: RowDeletion?
  /// New objects in their order, and their rows, which the graph does not have yet.
  var inserted: [NewRow] = []
  var newRows: [ObjectID: Int] = [:]
  var newPlaces: [GraphPlace: Int] = [:]
  /// How many rows each table will have.
  var rowCounts: [Int]
  var nextNumbers: [Int64]
  /// Objects of the graph that are deleted; new ones may stand in their rows.
  var deleted: [GraphPlace] = []
  /// Deleted objects, new ones too.
  var isDeleted: Set<GraphPlace> = []
  /// Who asks for it ends the edits.
  var cancel = CancelFlag()
  /// In which defaults are computed; nil: as if there were no session.
  var context: EvaluationContext?

  package init(_ graph: Graph) {
    self.graph = graph
    rowCounts = graph.tables.map(\.count)
    nextNumbers = graph.tables.map(\.nextNumber)
  }

  var model: Model { graph.model }

  /// Throws if somebody asked to stop: each edit looks.
  func checkCancel() throws(Diagnostic) {
    if cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped) }
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

/// An attribute's column by the table that holds it.
struct AttributeColumn: Hashable {
  var table: Int
  var column: Int
}

/// Rows that lead to a row beside those of the graph, and rows that lead there no more.
struct IncomingLinks {
  var added: Set<UInt32> = []
  var removed: Set<UInt32> = []
}

/// An object that is to be inserted.
struct NewRow {
  var entity: String
  var number: Int64
  var place: GraphPlace
  var code: Int
  /// What its attributes were given, by their columns.
  var cells: [ChangeValue?]
}

extension GraphEditor {
  /// The place of an object that is there, or is going to be.
  func find(_ id: ObjectID) -> GraphPlace? {
    guard let place = knownPlace(id) else { return nil }
    return isDeleted.contains(place) ? nil : place
  }

  /// The place of an object that is there, is going to be, or was one of these before.
  func knownPlace(_ id: ObjectID) -> GraphPlace? {
    if let row = newRows[id], let table = graph.place(of: id.entity)?.table {
      return GraphPlace(table: table, row: row)
    }
    return graph.find(id).map { GraphPlace(table: $0.table, row: $0.row) }
  }

  /// The identity of an object at a place.
  func objectID(_ place: GraphPlace) -> ObjectID {
    if let new = newRow(place) {
      return ObjectID(
        entity: new.entity, root: graph.tables[place.table].layout.root, number: new.number)
    }
    return graph.tables[place.table].objectID(place.row)
  }

  /// The new object at a place, if it is one.
  func newRow(_ place: GraphPlace) -> NewRow? {
    newPlaces[place].map { inserted[$0] }
  }

  /// Where a key of an object at a place is kept.
  func slot(_ key: String, _ place: GraphPlace) -> KeySlot? {
    let table = graph.tables[place.table]
    let code = newPlaces[place].map { inserted[$0].code } ?? table.entityCode(place.row)
    return table.layout.slots[code][key]
  }
}

/// What an editor has made of a graph.
struct EditedGraph {
  /// What is other than before.
  let change: ChangeSet
  /// All of it as columns, where nothing else was edited; else none.
  let columns: [AttributeColumn: ColumnEdit]
  let nextNumbers: [Int64]

  init(_ change: ChangeSet) { (self.change, columns, nextNumbers) = (change, [:], []) }

  init(_ editor: GraphEditor) {
    (change, columns) = (editor.change, editor.columnEdits)
    nextNumbers = editor.nextNumbers
  }
}

extension GraphEditor {
  /// Everything that was edited, as one change; what is as it was is not in it.
  ///
  /// Where somebody asks to stop it is not the whole: who has a flag looks at it behind this.
  package var change: ChangeSet {
    if deletedRows != nil { return ChangeSet(deleted: deletedByRows) }
    if !columnEdits.isEmpty {
      return updatedColumns.map { ChangeSet(updated: $0) } ?? spilled.change
    }
    return ChangeSet(inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
  }

  private var spilled: GraphEditor {
    var editor = self
    editor.spill()
    return editor
  }

  private var insertedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    for (i, new) in inserted.enumerated()
    where newPlaces[new.place] == i && !isDeleted.contains(new.place) {
      if cancel.isRequested { break }
      batches.add(new.entity, new.number, values(of: new))
    }
    return batches.batches
  }

  /// A new object's attributes, and the relationships with something in them.
  private func values(of new: NewRow) -> [(key: String, value: ChangeValue)] {
    let slots = graph.tables[new.place.table].layout.slots[new.code]
    var result: [(key: String, value: ChangeValue)] = []
    for attribute in model.allAttributes(of: new.entity) {
      guard let column = slots[attribute.name]?.attributeColumn else { continue }
      result.append((attribute.name, new.cells[column] ?? .null))
    }
    for relationship in model.allRelationships(of: new.entity) {
      guard let (column, destination) = slots[relationship.name]?.linkColumn,
        let targets = links[LinkColumn(table: new.place.table, column: column)]?[new.place.row],
        !targets.isEmpty
      else { continue }
      result.append((relationship.name, linked(targets, destination, relationship.isToMany)))
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
      batches.add(form.entity, table.identifiers[place.row], form.values(place.row, of: graph))
    }
    return batches.batches
  }

  /// By tables and rows; none where somebody asks to stop.
  private func inOrder(_ places: some Sequence<GraphPlace>) -> [GraphPlace] {
    let sorted = try? places.sorted { a, b in
      try cancel.check()
      return (a.table, a.row) < (b.table, b.row)
    }
    return sorted ?? []
  }

  private var updatedObjects: [UpdatedObjects] {
    var edits = ValueEdits()
    for (column, rows) in values {
      let kept = graph.tables[column.table].columns[column.column]
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = ChangeValue(kept.cell(row))
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

  /// Whether an object that is there already goes on; one that is gone may have left links behind.
  private func isUpdate(_ place: GraphPlace) -> Bool {
    (newPlaces.isEmpty || newPlaces[place] == nil)
      && (isDeleted.isEmpty || !isDeleted.contains(place))
      && graph.tables[place.table].isLive(place.row)
  }

  /// Rows that a link leads to, as numbers.
  private func linked(_ rows: [UInt32], _ table: Int, _ isToMany: Bool) -> ChangeValue {
    let numbers = rows.map { row in
      newPlaces[GraphPlace(table: table, row: Int(row))].map { inserted[$0].number }
        ?? graph.tables[table].identifiers[Int(row)]
    }
    if isToMany { return numbers.isEmpty ? .null : .objects(numbers) }
    return numbers.first.map { .object($0) } ?? .null
  }
}

extension ColumnKind {
  /// The table that links lead to; nil for an attribute.
  package var destination: Int? {
    switch self {
    case .toOne(let destination), .toMany(let destination): destination
    case .attribute: nil
    }
  }

  /// The destination, and whether it is a to-many.
  var link: (destination: Int, isToMany: Bool) {
    switch self {
    case .toOne(let destination): (destination, false)
    case .toMany(let destination): (destination, true)
    case .attribute: (0, false)
    }
  }
}

/// An attribute's new values for many objects of a table.
struct ColumnEdit {
  /// The rows in which they are others than before, ascending.
  var rows: [UInt32]
  /// The whole column as it will be.
  var column: Column
}

/// Objects of a table that go, and nothing with them.
struct RowDeletion {
  var table: Int
  /// Ascending.
  var rows: [UInt32]
}

// Many objects of one entity at once, by columns
extension GraphEditor {
  /// Gives an attribute of many objects the values that a column of its kind has in their rows, which
  /// ascend; false, and nothing is done, where they are to be given one by one.
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

  /// Deletes many objects with which no other goes or changes; false, and nothing is done, where that may
  /// be, or they are few. Their rows ascend.
  package mutating func delete(table: Int, rows: [UInt32]) -> Bool {
    guard isOfColumns, columnEdits.isEmpty, deletedRows == nil, ColumnCells.chunks(of: rows) != nil,
      let code = soleEntity(table, rows), goAlone(graph.tables[table].layout.entities[code], table)
    else { return false }
    deletedRows = RowDeletion(table: table, rows: rows)
    return true
  }

  /// Whether nothing has been edited but by columns.
  private var isOfColumns: Bool {
    values.isEmpty && links.isEmpty && inserted.isEmpty && deleted.isEmpty && isDeleted.isEmpty
  }

  /// The entity of all of some rows, which are there and ascend.
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

  /// Whether objects of an entity go without a word to others.
  private func goAlone(_ entity: String, _ table: Int) -> Bool {
    graph.oneWayColumns(to: table).isEmpty
      && model.allRelationships(of: entity).allSatisfy { isSilent($0, of: entity) }
  }

  /// Whether a relationship is left as it is when its object goes: the other end is read from here.
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
  /// What was edited by columns, value by value: other edits come behind it.
  mutating func spill() {
    for (place, edit) in columnEdits {
      values[place, default: [:]].merge(
        edit.rows.map { (Int($0), ChangeValue(edit.column.cell(Int($0)))) }
      ) { $1 }
    }
    columnEdits = [:]
    guard let deletion = deletedRows else { return }
    deletedRows = nil
    deleted += deletion.rows.map { GraphPlace(table: deletion.table, row: Int($0)) }
    isDeleted.formUnion(deleted)
  }

  /// The edits of columns as a change; nil where objects differ in what has changed of them.
  var updatedColumns: [UpdatedObjects]? {
    let edits = columnEdits.filter { !$1.rows.isEmpty }.sorted { $0.key.column < $1.key.column }
    guard let (place, first) = edits.first else { return [] }
    guard edits.allSatisfy({ $0.key.table == place.table && $0.value.rows == first.rows }) else {
      return nil
    }
    let table = graph.tables[place.table]
    return [
      UpdatedObjects(
        entity: table.layout.entities[table.entityCode(Int(first.rows[0]))],
        numbers: first.rows.map { table.identifiers[Int($0)] },
        columns: edits.map { place, edit in
          UpdatedColumn(
            key: table.layout.columns[place.column].key,
            old: ChangeValues(table.columns[place.column], first.rows),
            new: ChangeValues(edit.column, first.rows))
        })
    ]
  }

  /// The objects of a table that go by themselves, as a change has them.
  var deletedByRows: [ObjectBatch] {
    guard let deletion = deletedRows, let first = deletion.rows.first else { return [] }
    let code = graph.tables[deletion.table].entityCode(Int(first))
    return StoredForm(graph, deletion.table, code: code).batches(deletion.rows, of: graph)
  }
}

extension GraphEditor {
  /// Deletes objects, and what their delete rules say of others.
  ///
  /// `cascade` deletes the destination too, round a cycle once; `nullify` takes the object from the
  /// other end; `deny` and `none` leave the other end as it is, and `deny` is asked at the save, as
  /// Core Data does. A relationship that has no inverse and leads here is emptied.
  package mutating func delete(_ ids: [ObjectID]) throws(Diagnostic) {
    spill()
    var open: [GraphPlace] = []
    for id in ids {
      try checkCancel()
      guard let place = find(id) else {
        // It may have gone with one before it.
        guard knownPlace(id) != nil else { throw Diagnostic(ChangeFacts.noObject(id)) }
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
        // An object that nobody has seen leaves no link behind, whatever its rules say.
        forget(place, by: graph.linkColumns(to: place.table))
      }
    }
  }

  /// How many objects of each entity go, in the order of the model.
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

  /// Whether there is an object; a link may lead to one that is gone.
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

  /// Takes a deleted object from the other end of a relationship.
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

  /// Takes an object out of the links of some columns.
  mutating func forget(_ place: GraphPlace, by columns: [LinkColumn]) {
    for column in columns {
      for source in sources(column, of: place.row) {
        removeTarget(column, Int(source), place.row)
      }
    }
  }
}

/// How many objects of an entity something is about.
package struct EntityCount: Sendable, Equatable {
  package var entity: String
  package var count: Int

  package init(entity: String, count: Int) {
    self.entity = entity
    self.count = count
  }
}

extension Graph {
  /// The relationships that are kept and lead to a table.
  func linkColumns(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.indices
        .filter { tables[source].layout.columns[$0].kind.points(to: table) }
        .map { LinkColumn(table: source, column: $0) }
    }
  }

  /// The relationships without inverse that lead to a table.
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
  /// Whether objects of an entity may be deleted while others go on leading to them.
  func leavesLinks(to entity: String) -> Bool {
    allRelationships(of: entity).contains {
      ($0.deleteRule == .deny || $0.deleteRule == .none)
        && inverse(of: $0.name, in: entity) != nil
    }
  }
}
