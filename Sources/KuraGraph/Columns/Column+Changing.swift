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
    guard case .attribute(let type) = kind else { return .null }
    return withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.keptOnly {
      case .integers(let a): .integer(a[i])
      case .doubles(let a): .double(a[i])
      case .bytes(let a) where type == .boolean: .boolean(a[i] == 1)
      case .bytes, .codes, .text: text(row).map { .text($0) }
      case .links, .linkLists: nil
      }
    } ?? .null
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

extension Column {
  /// Makes a to-one lead to a row, or to none.
  mutating func setLink(_ row: Int, to target: Int?) {
    let chunk = row >> ColumnChunk.shift
    guard case .links(var links) = chunks[chunk].values else { return }
    // Taken out while it changes: an array that two places hold would be copied.
    chunks[chunk].values = .bytes([])
    links[row & ColumnChunk.mask] = target.map { UInt32(truncatingIfNeeded: $0) } ?? noRow
    chunks[chunk].values = .links(links)
  }

  /// Gives rows of a to-many other lists; the rows ascend. Each chunk is made anew once.
  mutating func setLists(_ lists: [(row: Int, targets: [UInt32])]) {
    var start = 0
    while start < lists.count {
      let chunk = lists[start].row >> ColumnChunk.shift
      var end = start
      while end < lists.count, lists[end].row >> ColumnChunk.shift == chunk { end += 1 }
      setLists(lists[start..<end], inChunk: chunk)
      start = end
    }
  }

  private mutating func setLists(
    _ lists: ArraySlice<(row: Int, targets: [UInt32])>, inChunk chunk: Int
  ) {
    guard let first = lists.first, case .linkLists(var kept) = chunks[chunk].values else { return }
    chunks[chunk].values = .bytes([])
    if lists.count <= 8 {
      for (row, targets) in lists { kept.replace(row & ColumnChunk.mask, with: targets) }
      chunks[chunk].values = .linkLists(kept)
      return
    }
    var next = first.row & ColumnChunk.mask
    let old = kept.removeLists(from: next)
    let base = next
    for (row, targets) in lists {
      kept.append(old, next - base..<row & ColumnChunk.mask - base)
      kept.append(targets)
      next = row & ColumnChunk.mask + 1
    }
    kept.append(old, next - base..<old.ends.count)
    chunks[chunk].values = .linkLists(kept)
  }

  /// How many rows a row leads to.
  func targetCount(_ row: Int) -> Int {
    switch chunks[row >> ColumnChunk.shift].values {
    case .links(let links): links[row & ColumnChunk.mask] == noRow ? 0 : 1
    case .linkLists(let lists): lists.range(row & ColumnChunk.mask).count
    case .integers, .doubles, .bytes, .codes, .text: 0
    }
  }

  /// The rows that a row leads to: none or one of a to-one.
  func targets(_ row: Int) -> [UInt32] {
    let i = row & ColumnChunk.mask
    switch chunks[row >> ColumnChunk.shift].values {
    case .links(let links): return links[i] == noRow ? [] : [links[i]]
    case .linkLists(let lists): return Array(lists.rows[lists.range(i)])
    case .integers, .doubles, .bytes, .codes, .text: return []
    }
  }
}

extension LinkLists {
  /// Puts one list in the place of another; those behind it move.
  fileprivate mutating func replace(_ row: Int, with list: [UInt32]) {
    let range = range(row)
    rows.replaceSubrange(range, with: list)
    let (old, new) = (
      UInt32(truncatingIfNeeded: range.count), UInt32(truncatingIfNeeded: list.count)
    )
    guard old != new else { return }
    for i in row..<ends.count { ends[i] = ends[i] &+ new &- old }
  }

  /// Takes out the lists from a row on.
  fileprivate mutating func removeLists(from row: Int) -> LinkLists {
    guard row < ends.count else { return LinkLists() }
    let start = range(row).lowerBound
    var removed = LinkLists()
    removed.rows = Array(rows[start...])
    removed.ends = ends[row...].map { $0 - UInt32(truncatingIfNeeded: start) }
    rows.removeSubrange(start...)
    ends.removeSubrange(row...)
    return removed
  }

  /// Appends the lists of some rows of another.
  fileprivate mutating func append(_ other: LinkLists, _ lists: Range<Int>) {
    guard let last = lists.last else { return }
    let first = other.range(lists.lowerBound).lowerBound
    let shift = rows.count - first
    rows.append(contentsOf: other.rows[first..<Int(other.ends[last])])
    for row in lists { ends.append(UInt32(truncatingIfNeeded: Int(other.ends[row]) + shift)) }
  }
}
