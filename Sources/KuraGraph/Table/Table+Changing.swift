extension Table {
  /// Adds an object behind the last row, or in the row where it was deleted.
  ///
  /// The links of a new row are empty; those of a row that is back are what they were.
  mutating func insert(
    number: Int64, entity code: Int, cells: [StoredCell]
  ) -> (row: Int, isBack: Bool) {
    ownDerived()
    nextNumber = max(nextNumber, number &+ 1)
    if let row = identifiers.row(of: number) {
      revive(row, entity: code, cells)
      return (row, true)
    }
    let row = count
    appendEntity(code)
    identifiers.append(number)
    if live != nil { live?.append(true) }
    for i in columns.indices { columns[i].append(cells[i]) }
    for column in derived.indexedColumns { derived.valuesChanged(column, [row]) }
    return (row, false)
  }

  private mutating func revive(_ row: Int, entity code: Int, _ cells: [StoredCell]) {
    live?[row] = true
    setEntity(row, to: code)
    for i in columns.indices {
      guard case .attribute = columns[i].kind else { continue }
      columns[i].set(row, to: cells[i])
    }
    for column in derived.indexedColumns { derived.valuesChanged(column, [row]) }
  }

  /// Takes objects out; their rows stay and keep their values.
  mutating func delete(_ rows: [Int]) {
    ownDerived()
    if live == nil { live = Bitmap(count: count, filledWith: true) }
    for row in rows { live?[row] = false }
    for column in derived.invertedColumns {
      derived.linksChanged(column, rows.map { linkChange(column, $0, to: []) })
    }
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
  /// Gives attributes of some rows other values.
  mutating func set(_ column: Int, _ cells: [(row: Int, cell: StoredCell)]) {
    ownDerived()
    for (row, cell) in cells { columns[column].set(row, to: cell) }
    if derived.indexedColumns.contains(column) { derived.valuesChanged(column, cells.map(\.row)) }
  }

  /// Makes some rows lead to others; the rows ascend.
  ///
  /// `isNew` says that the rows led nowhere so far: what they hold is left from a deleted object.
  mutating func setTargets(
    _ column: Int, _ changes: [(row: Int, targets: [UInt32])], isNew: Bool = false
  ) {
    ownDerived()
    if derived.invertedColumns.contains(column) {
      derived.linksChanged(
        column,
        changes.map { row, targets in
          var change = linkChange(column, row, to: targets)
          if isNew { change.old = [] }
          return change
        })
    }
    if case .toMany = columns[column].kind {
      columns[column].setLists(changes)
    } else {
      for (row, targets) in changes {
        columns[column].setLink(row, to: targets.first.map { Int($0) })
      }
    }
    if derived.indexedColumns.contains(column) { derived.valuesChanged(column, changes.map(\.row)) }
  }

  private func linkChange(_ column: Int, _ row: Int, to new: [UInt32]) -> LinkChange {
    LinkChange(
      row: UInt32(truncatingIfNeeded: row), old: columns[column].targets(row), new: new)
  }

  /// What other states of the table share is left as it is, also what they make later.
  private mutating func ownDerived() {
    if !isKnownUniquelyReferenced(&derived) { derived = DerivedData(copying: derived) }
  }
}
