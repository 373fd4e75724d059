extension ColumnChunk {
  /// Adds a row behind the last one; codes have been looked up.
  ///
  /// The array is taken out of the enum while it grows: one that two places hold would be copied.
  mutating func append(_ cell: StoredCell) {
    if cell == .null, appendNothing() { return }
    appendNullBit(cell == .null)
    switch values {
    case .integers(var array):
      values = .bytes([])
      array.append(cell.integer)
      values = .integers(array)
    case .doubles(var array):
      values = .bytes([])
      array.append(cell.double)
      values = .doubles(array)
    case .bytes(var array):
      values = .integers([])
      append(code: cell.integer, to: &array)
    case .codes(var array):
      values = .bytes([])
      array.append(UInt16(truncatingIfNeeded: cell.integer))
      values = .codes(array)
    case .text(var text):
      values = .bytes([])
      text.append(cell.text.utf8, isOdd: cell.isOddText)
      values = .text(text)
    case .links(var array):
      values = .bytes([])
      array.append(cell.link)
      values = .links(array)
    case .linkLists(var lists):
      values = .bytes([])
      lists.append(cell.links)
      values = .linkLists(lists)
    }
  }

  private mutating func append(code: Int64, to array: inout [UInt8]) {
    if let small = UInt8(exactly: code) {
      array.append(small)
      values = .bytes(array)
    } else {
      values = .codes(array.map { UInt16($0) } + [UInt16(truncatingIfNeeded: code)])
    }
  }

  private mutating func appendNullBit(_ isNull: Bool) {
    if isNull, nulls == nil { nulls = Bitmap(count: count) }
    nulls?.append(isNull)
  }
}
