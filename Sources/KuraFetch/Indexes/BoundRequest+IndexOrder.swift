import KuraGraph
import KuraModel
import KuraPredicates

extension BoundRequest {
  /// Returns the rows that pass, read from an index with exactly the keys of the sort, in either direction; at least
  /// the first `needed`. Nil if there is none, or if sorting is faster.
  func indexedRows(_ chunks: [Bitmap]) -> [UInt32]? {
    let graph = snapshot.graph
    guard graph.model.hasIndexes, let (index, isForward) = indexOfSort else { return nil }
    let count = graph.tables[place.table].count
    let passing = chunks.reduce(0) { $0 + $1.popcount }
    let wanted = min(needed ?? passing, passing)
    guard passing > 256, count / passing * wanted < passing * 8, let sorted = index.current else {
      return nil
    }
    if passing == count, isForward { return Array(sorted.rows.prefix(wanted)) }
    let walk = IndexWalk(sorted.rows, index.order, chunks, wanted)
    return isForward ? walk.forward() : walk.backward()
  }

  /// An index with the keys of the sort, and whether both have the same direction.
  var indexOfSort: (index: DeclaredIndex, isForward: Bool)? {
    guard let keys = sortedKeys, !keys.isEmpty else { return nil }
    for index in snapshot.graph.indexes(of: entity, place, environment)
    where index.index.keys == keys.map(\.key) {
      let turns = zip(index.index.elements, keys).map { $0.isAscending == $1.isAscending }
      if turns.allSatisfy({ $0 == turns[0] }) { return (index, turns[0]) }
    }
    return nil
  }

  /// The keys of the sort without an objectID at the end; nil for sorts by other keys.
  private var sortedKeys: [FetchIndex.Element]? {
    var keys: [FetchIndex.Element] = []
    for tree in sort {
      guard let key = tree.plainKey, tree.putsNullsFirst == tree.isAscending else { return nil }
      if key == "objectID" || key == objectNumberKey { return tree.isAscending ? keys : nil }
      keys.append(FetchIndex.Element(key, isAscending: tree.isAscending))
    }
    return keys
  }
}

/// The rows of an index that pass, in its order.
private struct IndexWalk {
  private let rows: [UInt32]
  private let order: RowOrder
  /// A bit per row of the table.
  private let passing: [UInt64]
  private let wanted: Int

  init(_ rows: [UInt32], _ order: RowOrder, _ chunks: [Bitmap], _ wanted: Int) {
    (self.rows, self.order, self.wanted) = (rows, order, wanted)
    passing = chunks.flatMap(\.words)
  }

  private func passes(_ row: UInt32) -> Bool {
    passing[Int(row >> 6)] & (1 << UInt64(row & 63)) != 0
  }

  func forward() -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(wanted)
    for row in rows where passes(row) {
      if result.count == wanted { break }
      result.append(row)
    }
    return result
  }

  /// Returns the rows from the end; rows with equal values keep their order.
  func backward() -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(wanted)
    var end = rows.count
    while end > 0, result.count < wanted {
      var start = end - 1
      while start > 0, order.order(rows[start - 1], rows[end - 1]) == .same { start -= 1 }
      result += rows[start..<end].lazy.filter(passes)
      end = start
    }
    return result
  }
}
