import KuraBytes
import KuraGraph
import KuraPredicates

extension GroupedRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? { nil }
}

// Of many groups a few are wanted, by a count or a sum: which they are needs no other key.
extension GroupRows {
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]? {
    guard wanted > 0, rows.count >= BoundRequest.manyGroups, wanted < rows.count / 4,
      case .variable(let name) = key.expression.kind,
      let words = aggregates[name]?.orderedWords(
        rows, isAscending: key.isAscending, nullsFirst: key.putsNullsFirst)
    else { return nil }
    var first = FirstWords<UInt64>(wanted: wanted)
    first.add(words)
    // Whoever has the last word may be among them by the keys behind it.
    let last = first.last()
    return rows.indices.filter { words[$0] <= last }.map { rows[$0] }
  }
}
