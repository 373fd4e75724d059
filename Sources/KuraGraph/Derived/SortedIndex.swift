/// The rows of a table, sorted by the values of some columns; rows with equal values keep their order.
///
/// Changed rows keep their old place and are recorded, so that readers handle them separately. When
/// there are too many, the index is sorted again.
package struct SortedIndex: Sendable {
  /// A column and its sort direction.
  package struct Key: Sendable, Hashable {
    package var column: Int
    package var isAscending: Bool

    package init(column: Int, isAscending: Bool) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package let rows: [UInt32]
  /// Rows that were changed or added since the sort.
  package private(set) var changed: Set<UInt32> = []

  package init(rows: [UInt32]) { self.rows = rows }

  /// Records changed rows; returns false if sorting again is less work.
  mutating func note(_ changes: [Int]) -> Bool {
    let limit = 1024 + rows.count / 8
    if changes.count > limit { return false }
    for row in changes { changed.insert(UInt32(truncatingIfNeeded: row)) }
    return changed.count <= limit
  }
}

extension SortedIndex {
  /// Returns the first index at which a row meets a condition, by binary search; changed rows are skipped.
  package func firstPlace(where matches: (Int) -> Bool) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      var place = middle
      while place < high, changed.contains(rows[place]) { place += 1 }
      if place == high || matches(Int(rows[place])) { high = middle } else { low = place + 1 }
    }
    return low
  }

  /// Returns the index with the changed rows, which are given in order, merged in.
  package func merged(_ sorted: [UInt32], _ precedes: (UInt32, UInt32) -> Bool) -> SortedIndex {
    var result: [UInt32] = []
    result.reserveCapacity(rows.count + sorted.count)
    var gone = Bitmap(count: 1 + Int(max(rows.max() ?? 0, changed.max() ?? 0)))
    for row in changed { gone[Int(row)] = true }
    let remaining = rows.filter { !gone[Int($0)] }
    var start = 0
    for row in sorted {
      let next = (start..<remaining.count).partitioningIndex { precedes(row, remaining[$0]) }
      result += remaining[start..<next]
      result.append(row)
      start = next
    }
    result += remaining[start...]
    return SortedIndex(rows: result)
  }
}

extension Table {
  /// Returns the index for some columns, which is built at the second use, or at the first for a
  /// small table; nil before, and if it cannot be built.
  ///
  /// `make` receives the existing index with changed rows, if there is one, and its result is kept.
  package func sortedIndex(
    _ keys: [SortedIndex.Key], make: (SortedIndex?) -> SortedIndex?
  ) -> SortedIndex? {
    derived.sortedIndex(keys, atUse: count <= ColumnChunk.capacity ? 1 : 2, make: make)
  }
}
