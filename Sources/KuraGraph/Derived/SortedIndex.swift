/// The rows of a table in the order of some columns' values; rows with the same values as they stand.
///
/// Rows that were changed since keep their old places and are noted, so that who asks looks at them by
/// themselves, until they are many enough for a new order.
package struct SortedIndex: Sendable {
  /// A column and the direction of its order.
  package struct Key: Sendable, Hashable {
    package var column: Int
    package var isAscending: Bool

    package init(column: Int, isAscending: Bool) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package let rows: [UInt32]
  /// Rows with other values than those by which they stand, and rows that came since.
  package private(set) var changed: Set<UInt32> = []

  package init(rows: [UInt32]) { self.rows = rows }

  /// Takes down that some more rows have changed; false where making the order anew is less work.
  mutating func note(_ changes: [Int]) -> Bool {
    let limit = 1024 + rows.count / 8
    if changes.count > limit { return false }
    for row in changes { changed.insert(UInt32(truncatingIfNeeded: row)) }
    return changed.count <= limit
  }
}

extension SortedIndex {
  /// The first place from which on the rows are so; those that were changed are passed over.
  package func firstPlace(where isSo: (Int) -> Bool) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      var place = middle
      while place < high, changed.contains(rows[place]) { place += 1 }
      if place == high || isSo(Int(rows[place])) { high = middle } else { low = place + 1 }
    }
    return low
  }

  /// The rows with those that were changed, which are given in their order, at their places.
  package func merged(_ sorted: [UInt32], _ precedes: (UInt32, UInt32) -> Bool) -> SortedIndex {
    var result: [UInt32] = []
    result.reserveCapacity(rows.count + sorted.count)
    var gone = Bitmap(count: 1 + Int(max(rows.max() ?? 0, changed.max() ?? 0)))
    for row in changed { gone[Int(row)] = true }
    let kept = rows.filter { !gone[Int($0)] }
    var start = 0
    for row in sorted {
      var (low, high) = (start, kept.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(row, kept[middle]) { high = middle } else { low = middle + 1 }
      }
      result += kept[start..<low]
      result.append(row)
      start = low
    }
    result += kept[start...]
    return SortedIndex(rows: result)
  }
}

extension Table {
  /// The order of the rows by some columns, kept from the use on at which it pays; nil before that, and
  /// where it cannot be made.
  ///
  /// `make` is given the order that is there, if there is one, in which rows have changed: what it gives is
  /// kept.
  package func sortedIndex(
    _ keys: [SortedIndex.Key], make: (SortedIndex?) -> SortedIndex?
  ) -> SortedIndex? {
    derived.sortedIndex(keys, atUse: count <= ColumnChunk.capacity ? 1 : 2, make: make)
  }
}
