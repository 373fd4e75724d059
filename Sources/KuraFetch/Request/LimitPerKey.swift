import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraValues

// Limits per value of a key
extension BoundRequest {
  /// Returns the objects in their order, up to the limit for each value of the limit's keys.
  func firstOfEachKey() throws(Diagnostic) -> FetchResult {
    var whole = self
    (whole.limitKeys, whole.limit, whole.offset) = ([], nil, 0)
    let passing = try whole.passingRows()
    let slots = try GroupSlots(whole, passing, by: limitKeys.map(\.tree))
    let known = (0..<slots.chunkCount).map(slots.slots)
    let total = passing.reduce(0) { $0 + $1.popcount }
    let kept = try timed(.sort) { () throws(Diagnostic) in
      // Usually the first rows of all values are found without sorting all rows.
      let needed = max(1, needed(ofSize: total) ?? total)
      var count = slots.count <= total / 8 / needed ? max(64, 8 * slots.count * needed) : total
      while count < total / 4 {
        whole.limit = count
        let rows = try whole.sorted(passing).rows.prefix(count)
        if let kept = firstOfEachKey(rows, known, slots.count, isAll: false) { return kept }
        count *= 16
      }
      whole.limit = nil
      return firstOfEachKey(
        try whole.sorted(passing).rows[...], known, slots.count, isAll: true) ?? []
    }
    return FetchResult(
      snapshot: snapshot, entity: entity, table: place.table, rows: kept, total: total)
  }

  /// Returns how many rows of a value decide the result, if it has some number of rows; nil for all.
  private func needed(ofSize size: Int) -> Int? {
    limit.map { min(size, min(offset, size) + min($0, size)) }
  }

  /// Returns those of the first rows that are within the limit for their slot; nil if a slot needs later rows.
  private func firstOfEachKey(
    _ rows: ArraySlice<UInt32>, _ slots: [[UInt32]], _ count: Int, isAll: Bool
  ) -> [UInt32]? {
    var counter = KeyCounter(self, count: count)
    let kept = rows.filter {
      counter.keeps(Int(slots[Int($0) >> ColumnChunk.shift][Int($0) & ColumnChunk.mask]))
    }
    if isAll { return kept }
    var sizes = [Int](repeating: 0, count: count)
    for chunk in slots { for slot in chunk { sizes[Int(slot)] += 1 } }
    for slot in 1..<count {
      guard let needed = needed(ofSize: sizes[slot]), counter.counts[slot] >= needed else {
        return nil
      }
    }
    return kept
  }

  /// Returns sorted rows, such as groups, up to the limit for each value of the limit's keys.
  func firstOfEachKey(
    _ rows: [Int], _ source: any GroupedRows
  ) throws(Diagnostic) -> [Int] {
    let columns = try limitKeys.map { key throws(Diagnostic) in
      try source.values(of: key.tree, at: rows)
    }
    var numbers = Numbering<[Value]>()
    var counter = KeyCounter(self, count: rows.count)
    return rows.indices.filter { place in
      counter.keeps(Int(numbers.number(of: columns.map { $0[place] })))
    }.map { rows[$0] }
  }
}

/// Counts the rows of each value, to keep those between the offset and the limit.
struct KeyCounter {
  private let offset: Int
  private let limit: Int?
  private(set) var counts: [Int]

  init(_ request: BoundRequest, count: Int) {
    (offset, limit) = (request.offset, request.limit)
    counts = Array(repeating: 0, count: count)
  }

  /// Returns whether the next row of a value is kept.
  mutating func keeps(_ value: Int) -> Bool {
    counts[value] += 1
    return counts[value] > offset && limit.map { counts[value] - offset <= $0 } ?? true
  }
}
