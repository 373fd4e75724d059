import KuraGraph
import KuraModel

extension EntityBuilder {
  /// The column of a key that is new, or the place of a rare one.
  mutating func newKey(_ key: String) -> Int? {
    if rare == nil, columnCount < RareKeys.columnsAtOnce { return addColumn(key, .inferred) }
    let rare = self.rare ?? RareKeys()
    self.rare = rare
    return rare.number(of: key, row: rowCount).map { RareKeys.first + $0 }
  }

  /// The value of a key that has no column.
  @inline(never)
  mutating func scanRare(
    _ scanner: inout Scanner, _ window: InputWindow, _ column: Int, _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    guard isInferred, let rare, column >= RareKeys.first else {
      return skipUnknown(&scanner, window, place)
    }
    rareWindow = window
    return rare.add(column - RareKeys.first, row: rowCount, &scanner, window, place)
  }

  /// Gives columns to keys that have become frequent.
  @inline(never)
  mutating func endRowOfRareKeys(_ rare: RareKeys) {
    for key in rare.endRow(rowCount) {
      let column = addColumn(rare.keys[key].name, .inferred, isNew: true)
      replay(rare, key, column)
      rare.becomesColumn(key)
    }
  }

  /// Puts a rare key's values into a column of its own.
  private mutating func replay(_ rare: RareKeys, _ key: Int, _ column: Int) {
    guard let window = rareWindow else { return }
    let open = rowsInChunk
    var chunk = 0
    rare.read(key) { scanner, row in
      while chunk < row >> ColumnChunk.shift { sealReplayed(column, &chunk) }
      rowsInChunk = row & ColumnChunk.mask
      columns[column].makeRoom(for: rowsInChunk + 1)
      _ = scanValue(&scanner, window, column, scanner.p)
    }
    while chunk < rowsSealed >> ColumnChunk.shift { sealReplayed(column, &chunk) }
    rowsInChunk = open
  }

  private mutating func sealReplayed(_ column: Int, _ chunk: inout Int) {
    columns[column].seal(rows: ColumnBuilder.capacity)
    chunk += 1
  }
}

/// A column of plain JSON, with what was learnt of its values.
struct InferredColumn {
  var name: String
  var type: AttributeType
  var column: Column
}

extension EntityBuilder {
  /// The columns in the order in which their keys came; the last chunk has been sealed.
  func inferredColumns() -> [InferredColumn] {
    guard let rare else { return (0..<columnCount).map(inferred) }
    var columns = (0..<min(columnCount, RareKeys.columnsAtOnce)).map(inferred)
    var builder = EntityBuilder(name: "", isInferred: true, dates: dates)
    defer { builder.free() }
    builder.addColumn("value", .inferred)
    for key in rare.keys.indices {
      if rare.keys[key].isColumn {
        if let column = column(rare.keys[key].name) { columns.append(inferred(column)) }
      } else {
        columns.append(sparse(rare, key, &builder))
      }
    }
    return columns
  }

  private func inferred(_ column: Int) -> InferredColumn {
    let type = columns[column].inferredType
    return InferredColumn(
      name: keys[column].name, type: type, column: columns[column].attributeColumn(type))
  }

  /// A rare key's column: its values are packed chunk by chunk.
  private func sparse(
    _ rare: RareKeys, _ key: Int, _ builder: inout EntityBuilder
  ) -> InferredColumn {
    builder.columns[0].begin()
    builder.rowsInChunk = 0
    var rows: [(chunk: Int, rows: [UInt16])] = []
    if let window = rareWindow {
      rare.read(key) { scanner, row in
        if rows.last?.chunk != row >> ColumnChunk.shift {
          builder.seal()
          rows.append((row >> ColumnChunk.shift, []))
        }
        rows[rows.count - 1].rows.append(UInt16(row & ColumnChunk.mask))
        builder.makeRoom(for: builder.rowsInChunk + 1)
        _ = builder.scanValue(&scanner, window, 0, scanner.p)
        builder.rowsInChunk += 1
      }
    }
    builder.seal()
    let type = builder.columns[0].inferredType
    var column = builder.columns[0].attributeColumn(type)
    let shape = builder.columns[0].shape
    let packed = column.chunks
    let last = (rowCount + ColumnChunk.mask) >> ColumnChunk.shift
    column.chunks = (0..<last).map { chunk in
      let count = min(rowCount - chunk << ColumnChunk.shift, ColumnChunk.capacity)
      let place = rows.firstIndex { $0.chunk == chunk }
      if let place, rows[place].rows.count == count { return packed[place] }
      return place.map { ColumnChunk(count: count, rows: rows[$0].rows, packed: packed[$0]) }
        ?? rare.absentChunk(count, shape)
    }
    return InferredColumn(name: rare.keys[key].name, type: type, column: column)
  }
}

extension ColumnBuilder {
  /// Forgets everything, the shape too.
  mutating func begin() {
    clear()
    shape = .empty
    sealed = []
  }

  /// No values, in the form of a shape.
  static func absentValues(_ shape: Shape) -> ColumnChunk.Values {
    switch shape {
    case .empty, .integers: .integers([])
    case .doubles: .doubles([])
    case .booleans, .coded: .bytes([])
    case .text, .decimals, .json, .lists: .text(TextChunk())
    }
  }
}
