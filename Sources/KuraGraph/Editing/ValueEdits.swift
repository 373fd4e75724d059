import KuraBytes

/// Old and new values of cells, in any order, as they become updates of a change set.
struct ValueEdits {
  private var values: [(old: ChangeValue, new: ChangeValue)] = []
  private var cells: [Cell] = []

  /// A cell, and where its values stand.
  private struct Cell {
    var table: Int32
    var row: UInt32
    var column: Int32
    var place: UInt32

    func precedes(_ other: Cell) -> Bool {
      if row != other.row, table == other.table { return row < other.row }
      return (table, column) < (other.table, other.column)
    }

    func isOfObject(_ other: Cell) -> Bool { row == other.row && table == other.table }
  }

  mutating func add(
    _ table: Int, _ row: Int, _ column: Int, _ old: ChangeValue, _ new: ChangeValue
  ) {
    cells.append(
      Cell(
        table: Int32(truncatingIfNeeded: table), row: UInt32(truncatingIfNeeded: row),
        column: Int32(truncatingIfNeeded: column), place: UInt32(truncatingIfNeeded: values.count)))
    values.append((old, new))
  }

  /// Updates in the order of tables and rows; rows with the same keys stand together.
  func batches(of graph: Graph, _ cancel: CancelFlag) -> [UpdatedObjects] {
    let cells = cells.sorted { $0.precedes($1) }
    var batches = UpdateBuilder()
    var first = 0
    while first < cells.count, !cancel.isRequested {
      var end = first + 1
      while end < cells.count, cells[end].isOfObject(cells[first]) { end += 1 }
      let table = graph.tables[Int(cells[first].table)]
      let row = Int(cells[first].row)
      let changed = cells[first..<end].map { cell in
        let (old, new) = values[Int(cell.place)]
        return (key: table.layout.columns[Int(cell.column)].key, old: old, new: new)
      }
      batches.add(
        table.layout.entities[table.entityCode(row)], table.identifiers[row], changed)
      first = end
    }
    return batches.batches
  }
}
