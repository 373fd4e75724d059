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

  /// Adds a row to a to-many's list, unless it is there.
  mutating func addLink(_ row: Int, to target: Int) {
    let chunk = row >> ColumnChunk.shift
    guard case .linkLists(var lists) = chunks[chunk].values else { return }
    chunks[chunk].values = .bytes([])
    lists.add(UInt32(truncatingIfNeeded: target), to: row & ColumnChunk.mask)
    chunks[chunk].values = .linkLists(lists)
  }
}

extension Column {
  /// Takes a row out of a to-many's list.
  mutating func removeLink(_ row: Int, to target: Int) {
    let chunk = row >> ColumnChunk.shift
    guard case .linkLists(var lists) = chunks[chunk].values else { return }
    chunks[chunk].values = .bytes([])
    lists.remove(UInt32(truncatingIfNeeded: target), from: row & ColumnChunk.mask)
    chunks[chunk].values = .linkLists(lists)
  }
}

extension LinkLists {
  mutating func remove(_ target: UInt32, from row: Int) {
    guard let place = rows[range(row)].firstIndex(of: target) else { return }
    rows.remove(at: place)
    for i in row..<ends.count { ends[i] -= 1 }
  }

  mutating func add(_ target: UInt32, to row: Int) {
    let place = range(row)
    guard !rows[place].contains(target) else { return }
    rows.insert(target, at: place.upperBound)
    for i in row..<ends.count { ends[i] += 1 }
  }
}

extension Table {
  mutating func setLink(_ column: Int, _ row: Int, to target: Int?) {
    columns[column].setLink(row, to: target)
    forgetDerived()
  }

  mutating func removeLink(_ column: Int, _ row: Int, to target: Int) {
    columns[column].removeLink(row, to: target)
    forgetDerived()
  }

  mutating func addLink(_ column: Int, _ row: Int, to target: Int) {
    columns[column].addLink(row, to: target)
    forgetDerived()
  }
}
