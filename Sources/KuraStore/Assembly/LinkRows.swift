import KuraGraph

/// Lists of rows, filled in the order of their owners.
struct LinkRows {
  private(set) var ends: [UInt32] = []
  private(set) var rows: [UInt32] = []

  init() {}

  init(lists: [[UInt32]]) {
    for list in lists {
      rows += list
      ends.append(UInt32(truncatingIfNeeded: rows.count))
    }
  }

  var count: Int { ends.count }

  mutating func add(_ target: UInt32) { rows.append(target) }

  mutating func closeRow() { ends.append(UInt32(truncatingIfNeeded: rows.count)) }

  subscript(row: Int) -> ArraySlice<UInt32> {
    rows[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
  }

  var lists: [[UInt32]] { (0..<count).map { Array(self[$0]) } }
}

extension Column {
  /// A relationship's column from its lists.
  init(_ kind: ColumnKind, lists: LinkRows) {
    self.init(kind)
    for first in stride(from: 0, to: lists.count, by: ColumnChunk.capacity) {
      let rows = first..<min(lists.count, first + ColumnChunk.capacity)
      chunks.append(ColumnChunk(Column.values(kind, lists, rows)))
    }
  }

  private static func values(
    _ kind: ColumnKind, _ lists: LinkRows, _ rows: Range<Int>
  ) -> ColumnChunk.Values {
    if case .toOne = kind { return .links(rows.map { lists[$0].first ?? noRow }) }
    var chunk = LinkLists()
    for row in rows { chunk.append(lists[row]) }
    return .linkLists(chunk)
  }
}
