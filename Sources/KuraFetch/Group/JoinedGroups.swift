import KuraBytes
import KuraGraph
import KuraPredicates
import KuraValues

/// The texts of each group, joined with a separator in the order of the rows.
struct JoinedGroups {
  private let column: Column
  private let separator: [UInt8]

  init(_ column: Column, separator: String) {
    (self.column, self.separator) = (column, Array(separator.utf8))
  }

  /// A text that grows.
  private struct Growing {
    var bytes: [UInt8] = []
    var isEmpty = true
  }

  /// Returns a text for each slot, or nil for one without texts; nil if the reference evaluator must report one that is
  /// too long.
  func values(_ slots: GroupSlots) -> [Value]? {
    var groups = [Growing](repeating: Growing(), count: slots.count)
    var longest = 0
    for number in 0..<slots.chunkCount where longest <= ValueLimit.bytes {
      guard let lane = TextLane(column.chunks[number], column.dictionary) else { return nil }
      let (slots, nulls) = (slots.slots(number), column.chunks[number].nulls)
      groups.withUnsafeMutableBufferPointer { groups in
        lane.forEach(min(slots.count, column.chunks[number].count)) { row, text in
          let slot = Int(slots[row])
          guard slot != 0, nulls?.has(row) != true else { return }
          if !groups[slot].isEmpty { groups[slot].bytes += separator }
          groups[slot].isEmpty = false
          groups[slot].bytes.append(contentsOf: text)
          longest = max(longest, groups[slot].bytes.count)
        }
      }
    }
    guard longest <= ValueLimit.bytes else { return nil }
    let known = groups
    return Workers.map(count: known.count, inParallel: longest > 1 << 16) { slot in
      known[slot].isEmpty ? .null : .string(String(decoding: known[slot].bytes, as: UTF8.self))
    }
  }
}
