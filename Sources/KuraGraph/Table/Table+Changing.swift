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
