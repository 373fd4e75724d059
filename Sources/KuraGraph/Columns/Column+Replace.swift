import KuraModel

extension Column {
  /// Puts an attribute's value in the place of another.
  mutating func set(_ row: Int, to cell: StoredCell) {
    let cell = coded(cell)
    chunks[row >> ColumnChunk.shift].set(row & ColumnChunk.mask, to: cell)
  }

  /// An attribute's value in the form in which the column holds it.
  package func cell(_ row: Int) -> StoredCell {
    guard case .attribute(let type) = kind, !isNull(row) else { return .null }
    let i = row & ColumnChunk.mask
    switch chunks[row >> ColumnChunk.shift].values {
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
