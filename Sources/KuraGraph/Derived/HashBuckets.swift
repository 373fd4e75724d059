/// Rows by the high bits of a hash, those of one bucket together.
///
/// Linear to make: the buckets are counted, then filled.
struct HashBuckets: Sendable {
  /// Where each bucket ends in `rows`.
  private var ends: [UInt32]
  private var rows: [UInt32]
  private let shift: UInt64

  /// Buckets for about `count` rows; `each` calls with every row and its hash, twice the same.
  init(count: Int, _ each: ((Int, UInt64) -> Void) -> Void) {
    let bits = max(1, Int.bitWidth - count.leadingZeroBitCount)
    let shift = UInt64(64 - bits)
    var ends = [UInt32](repeating: 0, count: 1 << bits)
    each { _, hash in ends[Int(hash >> shift)] += 1 }
    let total = ends.turnIntoStarts()
    var rows = [UInt32](repeating: 0, count: total)
    each { row, hash in
      let bucket = Int(hash >> shift)
      rows[Int(ends[bucket])] = UInt32(truncatingIfNeeded: row)
      ends[bucket] += 1
    }
    self.ends = ends
    self.rows = rows
    self.shift = shift
  }

  var count: Int { rows.count }

  /// The rows whose hashes have the same high bits.
  subscript(hash: UInt64) -> ArraySlice<UInt32> {
    let bucket = Int(hash >> shift)
    return rows[(bucket == 0 ? 0 : Int(ends[bucket - 1]))..<Int(ends[bucket])]
  }
}

extension [UInt32] {
  /// Each count becomes the sum of those before it; gives the sum of all.
  fileprivate mutating func turnIntoStarts() -> Int {
    var sum: UInt32 = 0
    for i in indices {
      let count = self[i]
      self[i] = sum
      sum += count
    }
    return Int(sum)
  }
}
