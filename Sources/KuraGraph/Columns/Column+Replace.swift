import KuraModel

extension Column {
  /// Puts attributes' values in the place of others; the rows ascend. A chunk of texts is packed
  /// once at most.
  mutating func set(_ cells: [(row: Int, cell: StoredCell)]) {
    var start = 0
    while start < cells.count {
      let chunk = cells[start].row >> ColumnChunk.shift
      var end = start
      while end < cells.count, cells[end].row >> ColumnChunk.shift == chunk { end += 1 }
      if dictionary == nil, end - start > 1 {
        chunks[chunk].set(cells[start..<end])
      } else {
        for (row, cell) in cells[start..<end] { set(row, to: cell) }
      }
      start = end
    }
  }

  /// Puts an attribute's value in the place of another.
  mutating func set(_ row: Int, to cell: StoredCell) {
    let cell = coded(cell)
    chunks[row >> ColumnChunk.shift].set(row & ColumnChunk.mask, to: cell)
  }

  /// An attribute's value in the form in which the column holds it.
  package func cell(_ row: Int) -> StoredCell {
    let chunk = row >> ColumnChunk.shift
    guard case .attribute(let type) = kind,
      let i = chunks[chunk].place(of: row & ColumnChunk.mask)
    else { return .null }
    switch chunks[chunk].keptOnly {
    case .integers(let a): return .integer(a[i])
    case .doubles(let a): return .double(a[i])
    case .bytes(let a) where type == .boolean: return .boolean(a[i] == 1)
    case .bytes, .codes, .text: return text(row).map { .text($0) } ?? .null
    case .links, .linkLists: return .null
    }
  }
}

extension ColumnChunk {
  /// Replaces a value; codes have been looked up.
  ///
  /// The array is taken out of the enum while it changes: one that two places hold is copied.
  mutating func set(_ row: Int, to cell: StoredCell) {
    setNullBit(row, cell == .null)
    switch values {
    case .integers(var array):
      values = .bytes([])
      array[row] = cell.integer
      values = .integers(array)
    case .doubles(var array):
      values = .bytes([])
      array[row] = cell.double
      values = .doubles(array)
    case .bytes(var array):
      values = .integers([])
      set(row, code: cell.integer, in: &array)
    case .codes(var array):
      values = .bytes([])
      array[row] = UInt16(truncatingIfNeeded: cell.integer)
      values = .codes(array)
    case .text(var text):
      values = .bytes([])
      text.replace(row, with: Array(cell.text.utf8), isOdd: cell.isOddText)
      values = .text(text)
    case .links, .linkLists: break
    }
  }

  /// Replaces values by the rows of the whole column.
  fileprivate mutating func set(_ cells: ArraySlice<(row: Int, cell: StoredCell)>) {
    guard case .text(var text) = values else {
      for (row, cell) in cells { set(row & ColumnChunk.mask, to: cell) }
      return
    }
    values = .bytes([])
    text.replace(cells.map { ($0.row & ColumnChunk.mask, $0.cell.text, $0.cell.isOddText) })
    values = .text(text)
    for (row, cell) in cells { setNullBit(row & ColumnChunk.mask, cell == .null) }
  }

  private mutating func set(_ row: Int, code: Int64, in array: inout [UInt8]) {
    if let small = UInt8(exactly: code) {
      array[row] = small
      values = .bytes(array)
    } else {
      var wide = array.map { UInt16($0) }
      wide[row] = UInt16(truncatingIfNeeded: code)
      values = .codes(wide)
    }
  }

  private mutating func setNullBit(_ row: Int, _ isNull: Bool) {
    if isNull, nulls == nil { nulls = Bitmap(count: count) }
    if nulls != nil { nulls?[row] = isNull }
  }
}
