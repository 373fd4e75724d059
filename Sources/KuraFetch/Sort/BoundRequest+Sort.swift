import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates

extension BoundRequest {
  /// Returns the rows that pass, sorted; at least the rows that `offset` and `needed` select.
  func sorted(_ chunks: [Bitmap]) throws(Diagnostic) -> OrderedRows {
    if needed == 0 { return OrderedRows(rows: []) }
    if let rows = indexedRows(chunks) { return OrderedRows(rows: rows) }
    let last = needed ?? .max
    let isPage = needed != nil || offset > 0
    if let rows = try quicklySorted(chunks, isPage ? offset..<last : nil) { return rows }
    var rows: [UInt32] = []
    rows.reserveCapacity(chunks.reduce(0) { $0 + $1.popcount })
    for (number, passing) in chunks.enumerated() {
      passing.appendRows(ofChunk: number, to: &rows)
    }
    return OrderedRows(rows: try sorted(rows))
  }

  /// Sorts by words, for all ranks or some; nil if a key has no words.
  func quicklySorted(
    _ chunks: [Bitmap], _ ranks: Range<Int>?
  ) throws(Diagnostic) -> OrderedRows? {
    if sort.isEmpty, table.identifiers.isAscending { return nil }
    return try WordSort(self, chunks)?.sortedRows(chunks, ranks)
  }

  /// Returns ascending rows of the table, sorted, up to the number that is needed.
  func sorted(_ rows: [UInt32]) throws(Diagnostic) -> [UInt32] {
    let identifiers = table.identifiers
    if sort.isEmpty, identifiers.isAscending { return rows }
    let keys = try sort.map { tree throws(Diagnostic) in
      try environment.checkStopped()
      return try SortKey(tree, self, rows, whole: !findsFew(of: rows.count))
    }
    let order = SortOrder(
      keys: keys, rows: rows, locale: environment.locale,
      numbers: identifiers.isAscending ? nil : rows.map { identifiers[Int($0)] })
    return try order.sortedPlaces(first: needed, environment).map { rows[$0] }
  }

  /// Returns whether the fetch needs so few of the rows that a top-N search is faster than sorting all.
  func findsFew(of count: Int) -> Bool { needed.map { $0 < count / 4 } ?? false }
}

extension FetchEnvironment {
  /// Throws if the fetch was cancelled.
  func checkStopped() throws(Diagnostic) {
    if cancel.isRequested { throw Diagnostic(EvaluationError.stopped) }
  }

  /// Returns the elements sorted; throws if the fetch is cancelled meanwhile.
  func sorted<Element>(
    _ elements: some Sequence<Element>, by precedes: (Element, Element) -> Bool
  ) throws(Diagnostic) -> [Element] {
    var comparisons = 0
    do {
      return try elements.sorted {
        comparisons += 1
        if comparisons & 1023 == 0 { try checkStopped() }
        return precedes($0, $1)
      }
    } catch {
      throw error as? Diagnostic ?? Diagnostic(EvaluationError.stopped)
    }
  }
}

extension SortOrder {
  /// Returns the places of the rows in their order, or of the first `wanted`.
  ///
  /// A small part of many rows is found without sorting the others (top-N): rows are collected up to twice the wanted
  /// number, then the better half is kept, and its last row is the bound.
  func sortedPlaces(
    first wanted: Int?, _ environment: FetchEnvironment
  ) throws(Diagnostic) -> [Int] {
    guard let wanted, wanted < rows.count / 4 else {
      return try environment.sorted(rows.indices, by: precedes)
    }
    guard wanted > 0 else { return [] }
    var kept: [Int] = []
    var bound: Int?
    for place in rows.indices {
      if place & 1023 == 0 { try environment.checkStopped() }
      if let bound, !precedes(place, bound) { continue }
      kept.append(place)
      if kept.count >= max(64, wanted * 2) {
        kept.sort(by: precedes)
        kept.removeLast(kept.count - wanted)
        bound = kept.last
      }
    }
    return Array(kept.sorted(by: precedes).prefix(wanted))
  }
}
