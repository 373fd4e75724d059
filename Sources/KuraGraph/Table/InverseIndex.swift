/// For each row of a destination the rows that point to it, in the order of their rows.
///
/// What was counted once is kept as it is; rows whose lists have changed since stand in a patch.
package struct InverseIndex: Sendable {
  /// Where each row's list ends in `rows`.
  private var ends: [UInt32]
  private var rows: [UInt32]
  private var patch: [UInt32: [UInt32]] = [:]

  package subscript(row: Int) -> ArraySlice<UInt32> {
    if !patch.isEmpty, let list = patch[UInt32(truncatingIfNeeded: row)] { return list[...] }
    return packed(row)
  }

  private func packed(_ row: Int) -> ArraySlice<UInt32> {
    guard row < ends.count else { return [] }
    return rows[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
  }
}

extension InverseIndex {
  /// Whether so much has changed that counting anew is better.
  var isWorn: Bool { patch.count > 1024 + ends.count / 16 }

  /// A row leads to a target now.
  mutating func add(_ source: UInt32, to target: UInt32) {
    change(target) { list in
      let place = list.firstPlace(notBelow: source)
      if place == list.count || list[place] != source { list.insert(source, at: place) }
    }
  }

  /// A row leads to a target no more.
  mutating func remove(_ source: UInt32, from target: UInt32) {
    change(target) { list in
      let place = list.firstPlace(notBelow: source)
      if place < list.count, list[place] == source { list.remove(at: place) }
    }
  }

  private mutating func change(_ target: UInt32, _ body: (inout [UInt32]) -> Void) {
    if patch[target] == nil { patch[target] = Array(packed(Int(target))) }
    body(&patch[target, default: []])
  }
}

extension [UInt32] {
  /// The first place of an element, which ascend, that is not below a number.
  fileprivate func firstPlace(notBelow number: UInt32) -> Int {
    var low = 0
    var high = count
    // Most are added at the end.
    if let last, last < number { return count }
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension InverseIndex {
  /// Counts the links to each row, then puts each where its list begins: two passes.
  ///
  /// Links of deleted rows count for nothing.
  init(_ column: Column, live: Bitmap?, destinationCount: Int) {
    var ends = [UInt32](repeating: 0, count: destinationCount)
    InverseIndex.forEachLink(column, live) { _, to in ends[Int(to)] += 1 }
    var total: UInt32 = 0
    for i in ends.indices {
      let count = ends[i]
      ends[i] = total
      total += count
    }
    var rows = [UInt32](repeating: 0, count: Int(total))
    InverseIndex.forEachLink(column, live) { from, to in
      rows[Int(ends[Int(to)])] = from
      ends[Int(to)] += 1
    }
    self.ends = ends
    self.rows = rows
  }

  private static func forEachLink(
    _ column: Column, _ live: Bitmap?, _ body: (UInt32, UInt32) -> Void
  ) {
    guard let live else { return forEachLink(column, body) }
    forEachLink(column) { from, to in if live[Int(from)] { body(from, to) } }
  }

  private static func forEachLink(_ column: Column, _ body: (UInt32, UInt32) -> Void) {
    for (number, chunk) in column.chunks.enumerated() {
      let first = UInt32(number << ColumnChunk.shift)
      switch chunk.values {
      case .links(let links):
        for (i, to) in links.enumerated() where to != noRow { body(first + UInt32(i), to) }
      case .linkLists(let lists):
        for i in lists.ends.indices {
          for to in lists.rows[lists.range(i)] { body(first + UInt32(i), to) }
        }
      case .integers, .doubles, .bytes, .codes, .text: break
      }
    }
  }
}
