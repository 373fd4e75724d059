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
