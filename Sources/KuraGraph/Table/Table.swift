package import KuraModel
package import KuraValues

/// The objects of an entity and all its subentities, as columns.
///
/// A copy is a snapshot: chunks are shared until one of the copies changes them. A deleted object
/// keeps its row and its values.
package struct Table: Sendable {
  package let layout: TableLayout
  package var columns: [Column]
  package var identifiers: IdentifierColumn
  /// The entity of each row; nil if all rows have the entity `soleEntity`.
  package var entityCodes: [UInt16]?
  package var soleEntity: Int
  /// The number of the next object. Numbers are never reused.
  package var nextNumber: Int64
  /// The rows of existing objects; nil if no object was deleted.
  package var live: Bitmap?
  /// Data derived from the columns on demand, shared by all copies of this state.
  package var derived = DerivedData()

  package init(
    layout: TableLayout, columns: [Column]? = nil,
    identifiers: IdentifierColumn = IdentifierColumn([]), entityCodes: [UInt16]? = nil,
    soleEntity: Int = 0, nextNumber: Int64 = 1, live: Bitmap? = nil
  ) {
    self.layout = layout
    self.columns = columns ?? layout.columns.map { Column($0.kind) }
    self.identifiers = identifiers
    self.entityCodes = entityCodes
    self.soleEntity = soleEntity
    self.nextNumber = nextNumber
    self.live = live
  }

  /// The number of rows, including those of deleted objects.
  package var count: Int { identifiers.count }
  package var chunkCount: Int { (count + ColumnChunk.mask) >> ColumnChunk.shift }

  /// The number of objects.
  package var liveCount: Int { live?.popcount ?? count }

  package func rows(inChunk chunk: Int) -> Range<Int> {
    chunk << ColumnChunk.shift..<min(count, (chunk + 1) << ColumnChunk.shift)
  }
}

extension Table {
  /// Returns whether the object of a row exists.
  package func isLive(_ row: Int) -> Bool { live?[row] ?? true }

  /// Returns the row of an existing object; nil if there is none.
  package func row(of number: Int64) -> Int? {
    identifiers.row(of: number).flatMap { isLive($0) ? $0 : nil }
  }

  /// Returns the rows of existing objects in a chunk.
  package func liveRows(inChunk chunk: Int) -> Bitmap {
    let rows = rows(inChunk: chunk)
    guard let live else { return Bitmap(count: rows.count, filledWith: true) }
    let first = rows.lowerBound >> 6
    return Bitmap(
      words: Array(live.words[first..<first + (rows.count + 63) >> 6]), count: rows.count)
  }

  package func entityCode(_ row: Int) -> Int { entityCodes.map { Int($0[row]) } ?? soleEntity }

  /// Returns the entities of some rows.
  package func entityCodes(of rows: [UInt32]) -> [Int] {
    guard let entityCodes else { return rows.isEmpty ? [] : [soleEntity] }
    var occurs = layout.entities.map { _ in false }
    for row in rows { occurs[Int(entityCodes[Int(row)])] = true }
    return occurs.indices.filter { occurs[$0] }
  }

  package func objectID(_ row: Int) -> ObjectID {
    ObjectID(
      entity: layout.entities[entityCode(row)], root: layout.root, number: identifiers[row])
  }

  /// Returns the table's objects with another layout, after a change of the model.
  ///
  /// A new key has its default if it is mandatory, otherwise null.
  package func rebuilt(_ layout: TableLayout, codes: [Int: Int], model: Model) -> Table {
    var table = Table(
      layout: layout, columns: [], identifiers: identifiers,
      entityCodes: entityCodes?.map { UInt16(truncatingIfNeeded: codes[Int($0)] ?? 0) },
      soleEntity: codes[soleEntity] ?? 0, nextNumber: nextNumber, live: live)
    table.columns = layout.columns.map { definition in
      existingColumn(definition) ?? table.newColumn(definition, model)
    }
    return table
  }

  /// Returns the column with the same key's values, in the same form. The index of its destination's table can differ.
  private func existingColumn(_ definition: ColumnDefinition) -> Column? {
    let old = layout.columns.firstIndex {
      $0.entity == definition.entity && $0.key == definition.key
        && $0.kind.holdsTheSame(as: definition.kind)
    }
    return old.map {
      Column(definition.kind, chunks: columns[$0].chunks, dictionary: columns[$0].dictionary)
    }
  }

  private func newColumn(_ definition: ColumnDefinition, _ model: Model) -> Column {
    let cell = newCell(definition, model)
    let owners = Set([definition.entity] + model.descendants(of: definition.entity))
    let hasKey = layout.entities.map { owners.contains($0) }
    var column = Column(definition.kind)
    for row in 0..<count { column.append(hasKey[entityCode(row)] ? cell : .null) }
    return column
  }

  /// Returns the value of a new key in existing objects.
  private func newCell(_ definition: ColumnDefinition, _ model: Model) -> StoredCell {
    guard case .attribute(let type) = definition.kind,
      let attribute = model[definition.entity]?.attributes.first(where: {
        $0.name == definition.key
      }), !attribute.isOptional, let value = attribute.defaultValue
    else { return .null }
    return StoredCell(value, as: type)
  }
}

extension ColumnKind {
  /// Returns whether chunks of both kinds have the same form.
  fileprivate func holdsTheSame(as other: ColumnKind) -> Bool {
    switch (self, other) {
    case (.attribute(let a), .attribute(let b)): a == b
    case (.toOne, .toOne), (.toMany, .toMany): true
    case (.attribute, _), (.toOne, _), (.toMany, _): false
    }
  }
}

extension Table {
  /// Adds an object in a new row, or in the row where it was deleted.
  ///
  /// A new row has no links. A restored row has its previous values and links.
  mutating func insert(
    number: Int64, entity code: Int, cells: @autoclosure () -> [StoredCell]
  ) -> (row: Int, isBack: Bool) {
    ownDerived()
    nextNumber = max(nextNumber, number &+ 1)
    if let row = identifiers.row(of: number) {
      live?[row] = true
      setEntity(row, to: code)
      return (row, true)
    }
    let row = count
    appendEntity(code)
    identifiers.append(number)
    if live != nil { live?.append(true) }
    let cells = cells()
    for i in columns.indices { columns[i].append(cells[i]) }
    for column in derived.indexedColumns { derived.valuesChanged(column, columns[column], [row]) }
    return (row, false)
  }

  /// Deletes objects; their rows remain and keep their values.
  mutating func delete(_ rows: [Int]) {
    ownDerived()
    if live == nil { live = Bitmap(count: count, filledWith: true) }
    for row in rows { live?[row] = false }
    for column in derived.invertedColumns { note(column, rows.map { ($0, []) }, isNew: false) }
  }

  private mutating func appendEntity(_ code: Int) {
    if count == 0 { soleEntity = code }
    if entityCodes == nil, code != soleEntity {
      entityCodes = Array(repeating: UInt16(truncatingIfNeeded: soleEntity), count: count)
    }
    entityCodes?.append(UInt16(truncatingIfNeeded: code))
  }

  private mutating func setEntity(_ row: Int, to code: Int) {
    guard entityCode(row) != code else { return }
    if entityCodes == nil {
      entityCodes = Array(repeating: UInt16(truncatingIfNeeded: soleEntity), count: count)
    }
    entityCodes?[row] = UInt16(truncatingIfNeeded: code)
  }

  /// Sets an attribute in some rows, in any order.
  mutating func set(_ column: Int, _ cells: [(row: Int, cell: StoredCell)]) {
    ownDerived()
    let isSorted = zip(cells, cells.dropFirst()).allSatisfy { $0.row < $1.row }
    if isSorted {
      columns[column].set(cells)
    } else {
      for (row, cell) in cells { columns[column].set(row, to: cell) }
    }
    noteValues(column, cells.map(\.row))
  }

  /// Exchanges whole chunks. Returns false, without a change, if the column does not have the
  /// chunks for which the change was made, or if the rows no longer belong to its objects.
  mutating func exchange(_ column: Int, _ change: ChangeColumn, _ numbers: [Int64]) -> Bool {
    guard let old = change.old.cells, let new = change.new.cells, old.rows == new.rows,
      are(old.rows, numbers), columns[column].exchange(old, for: new)
    else { return false }
    ownDerived()
    if derived.indexedColumns.contains(column) { noteValues(column, new.rows.map { Int($0) }) }
    return true
  }

  /// Returns whether the rows of given objects still have these cells in a column.
  func has(_ cells: ColumnCells, _ column: Int, _ numbers: [Int64]) -> Bool {
    columns[column].has(cells) && are(cells.rows, numbers)
  }

  /// Returns whether the cells of a batch's first column prove that its objects exist and have an
  /// entity, without looking up each number.
  func has(_ batch: ObjectBatch, _ code: Int) -> Bool {
    guard let rows = batch.columns.first?.old.cells?.rows, are(rows, batch.numbers) else {
      return false
    }
    return entityCodes(of: rows) == [code]
  }

  /// Returns whether rows belong to existing objects with these numbers.
  private func are(_ rows: [UInt32], _ numbers: [Int64]) -> Bool {
    guard rows.count == numbers.count, let last = rows.last, last < count else { return false }
    return rows.indices.allSatisfy {
      identifiers[Int(rows[$0])] == numbers[$0] && isLive(Int(rows[$0]))
    }
  }

  /// Sets the links of ascending rows.
  ///
  /// `isNew` indicates that the rows had no links; their content is left from a deleted object.
  mutating func setTargets(
    _ column: Int, _ changes: [(row: Int, targets: [UInt32])], isNew: Bool = false
  ) {
    ownDerived()
    note(column, changes, isNew: isNew)
    if case .toMany = columns[column].kind {
      columns[column].setLists(changes)
    } else {
      for (row, targets) in changes {
        columns[column].setLink(row, to: targets.first.map { Int($0) })
      }
    }
    noteValues(column, changes.map(\.row))
  }

  private func noteValues(_ column: Int, _ rows: [Int]) {
    guard derived.indexedColumns.contains(column) else { return }
    derived.valuesChanged(column, columns[column], rows)
  }

  /// Updates the inverse of a column, if there is one, before links change.
  private func note(_ column: Int, _ changes: [(row: Int, targets: [UInt32])], isNew: Bool) {
    guard derived.keeps(inverseOfColumn: column, for: changes.count) else { return }
    derived.linksChanged(
      column,
      changes.map { row, targets in
        LinkChange(
          row: UInt32(truncatingIfNeeded: row), old: isNew ? [] : columns[column].targets(row),
          new: targets)
      })
  }

  /// Copies the derived data before a change if other states of the table share it.
  private mutating func ownDerived() {
    if !isKnownUniquelyReferenced(&derived) { derived = DerivedData(copying: derived) }
  }
}
