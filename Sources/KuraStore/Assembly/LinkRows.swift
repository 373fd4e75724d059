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

  mutating func reserve(owners: Int, rows count: Int) {
    ends.reserveCapacity(owners)
    rows.reserveCapacity(count)
  }

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
    if case .toOne = kind { return .links(lists.firsts(rows)) }
    return .linkLists(lists.chunk(rows))
  }
}

extension LinkRows {
  /// The first row of each list, or `noRow`.
  fileprivate func firsts(_ owners: Range<Int>) -> [UInt32] {
    var start = owners.lowerBound == 0 ? 0 : ends[owners.lowerBound - 1]
    return owners.map { owner in
      let end = ends[owner]
      defer { start = end }
      return start < end ? rows[Int(start)] : noRow
    }
  }

  /// The lists of some owners, copied as a whole: list by list it takes ten times as long.
  fileprivate func chunk(_ owners: Range<Int>) -> LinkLists {
    let start = owners.lowerBound == 0 ? 0 : ends[owners.lowerBound - 1]
    let end = owners.isEmpty ? start : ends[owners.upperBound - 1]
    var chunk = LinkLists()
    chunk.rows = Array(rows[Int(start)..<Int(end)])
    chunk.ends = ends[owners].map { $0 - start }
    return chunk
  }
}
