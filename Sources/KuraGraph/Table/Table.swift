package import KuraModel
package import KuraValues

/// The objects of an entity and of all its subentities, as columns.
///
/// A copy is a snapshot: chunks are shared until one of the copies changes them. A deleted object
/// keeps its row and its values.
package struct Table: Sendable {
  package let layout: TableLayout
  package var columns: [Column]
  package var identifiers: IdentifierColumn
  /// The entity of each row; nil while all rows are of the entity `soleEntity`.
  package var entityCodes: [UInt16]?
  package var soleEntity: Int
  /// The number the next object gets; numbers are never given twice.
  package var nextNumber: Int64
  /// The rows whose objects are there; nil while none was deleted.
  package var live: Bitmap?
  /// What is made of the columns when it is wanted, shared by all copies of this state.
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

  /// How many rows it has, those of deleted objects too.
  package var count: Int { identifiers.count }
  package var chunkCount: Int { (count + ColumnChunk.mask) >> ColumnChunk.shift }

  /// How many objects it has.
  package var liveCount: Int { live?.popcount ?? count }

  /// The rows of a chunk.
  package func rows(inChunk chunk: Int) -> Range<Int> {
    chunk << ColumnChunk.shift..<min(count, (chunk + 1) << ColumnChunk.shift)
  }
}

extension Table {
  /// Whether a row's object is there.
  package func isLive(_ row: Int) -> Bool { live?[row] ?? true }

  /// The row of an object that is there, or nil.
  package func row(of number: Int64) -> Int? {
    identifiers.row(of: number).flatMap { isLive($0) ? $0 : nil }
  }

  /// The rows of a chunk whose objects are there.
  package func liveRows(inChunk chunk: Int) -> Bitmap {
    let rows = rows(inChunk: chunk)
    guard let live else { return Bitmap(count: rows.count, filledWith: true) }
    let first = rows.lowerBound >> 6
    return Bitmap(
      words: Array(live.words[first..<first + (rows.count + 63) >> 6]), count: rows.count)
  }

  /// The code of a row's entity.
  package func entityCode(_ row: Int) -> Int { entityCodes.map { Int($0[row]) } ?? soleEntity }

  package func objectID(_ row: Int) -> ObjectID {
    ObjectID(
      entity: layout.entities[entityCode(row)], root: layout.root, number: identifiers[row])
  }
}

extension Table {
  /// The table's objects under another layout, after a change of the model.
  ///
  /// A key that is new has its default where it is mandatory, else null.
  package func rebuilt(_ layout: TableLayout, codes: [Int: Int], model: Model) -> Table {
    var table = Table(
      layout: layout, columns: [], identifiers: identifiers,
      entityCodes: entityCodes?.map { UInt16(truncatingIfNeeded: codes[Int($0)] ?? 0) },
      soleEntity: codes[soleEntity] ?? 0, nextNumber: nextNumber, live: live)
    table.columns = layout.columns.map { definition in
      kept(definition) ?? table.newColumn(definition, model)
    }
    return table
  }

  /// The column that holds the same key's values, in the same form; its destination's table may
  /// have another number now.
  private func kept(_ definition: ColumnDefinition) -> Column? {
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

  /// What objects have that were there before the key was.
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
  /// Whether chunks of one kind are chunks of the other.
  fileprivate func holdsTheSame(as other: ColumnKind) -> Bool {
    switch (self, other) {
    case (.attribute(let a), .attribute(let b)): a == b
    case (.toOne, .toOne), (.toMany, .toMany): true
    case (.attribute, _), (.toOne, _), (.toMany, _): false
    }
  }
}

extension Table {
  /// Adds an object behind the last row, or in the row where it was deleted.
  ///
  /// The links of a new row are empty. A row that is back has the values and links that it had.
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

  /// Takes objects out; their rows stay and keep their values.
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
}

extension Table {
  /// Gives attributes of some rows other values; in any order.
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

  /// Puts whole chunks in the place of others; false, and nothing is done, where the column has not the
  /// chunks that a change was made for, or the rows are no longer those of its objects.
  mutating func exchange(_ column: Int, _ change: UpdatedColumn, _ numbers: [Int64]) -> Bool {
    guard let old = change.old.cells, let new = change.new.cells, old.rows == new.rows,
      are(old.rows, numbers), columns[column].exchange(old, for: new)
    else { return false }
    ownDerived()
    if derived.indexedColumns.contains(column) { noteValues(column, new.rows.map { Int($0) }) }
    return true
  }

  /// Takes a column that was made of this one.
  mutating func take(_ edit: ColumnEdit, _ column: Int) {
    ownDerived()
    columns[column] = edit.column
    if derived.indexedColumns.contains(column) { noteValues(column, edit.rows.map { Int($0) }) }
  }

  /// Whether rows that are some objects' have what they had once in a column.
  func has(_ cells: ColumnCells, _ column: Int, _ numbers: [Int64]) -> Bool {
    columns[column].has(cells) && are(cells.rows, numbers)
  }

  /// Whether some rows are those of objects that are there, with these numbers.
  private func are(_ rows: [UInt32], _ numbers: [Int64]) -> Bool {
    guard rows.count == numbers.count, let last = rows.last, last < count else { return false }
    return rows.indices.allSatisfy {
      identifiers[Int(rows[$0])] == numbers[$0] && isLive(Int(rows[$0]))
    }
  }

  /// Makes some rows lead to others; the rows ascend.
  ///
  /// `isNew` says that the rows led nowhere so far: what they hold is left from a deleted object.
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

  /// Tells the inverse of a column, if there is one, what its rows are about to lead to.
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

  /// What other states of the table share is left as it is, also what they make later.
  private mutating func ownDerived() {
    if !isKnownUniquelyReferenced(&derived) { derived = DerivedData(copying: derived) }
  }
}
