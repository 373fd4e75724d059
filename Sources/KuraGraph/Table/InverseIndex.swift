/// For each row of a destination the rows that point to it, in the order of their rows.
///
/// What was counted once is kept as it is; rows whose lists have changed since stand in a patch.
package struct InverseIndex: Sendable {
  /// Where each row's list ends in `rows`.
  private let ends: [UInt32]
  private let rows: [UInt32]
  private var patch: [UInt32: [UInt32]] = [:]

  init(ends: [UInt32], rows: [UInt32]) { (self.ends, self.rows) = (ends, rows) }

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
