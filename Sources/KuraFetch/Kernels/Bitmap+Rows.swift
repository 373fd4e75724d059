import KuraGraph

// Loops over rows live where they run: a call into another module for each row costs more than
// what is done with it.
extension Bitmap {
  /// Calls `body` with the number of each set bit, in order.
  @inline(__always)
  func eachRow(_ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      for i in words.indices {
        var word = words[i]
        while word != 0 {
          body(i << 6 + word.trailingZeroBitCount)
          word &= word &- 1
        }
      }
    }
  }

  @inline(__always)
  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  @inline(__always)
  mutating func put(_ row: Int, _ bit: Bool) {
    let mask: UInt64 = 1 << UInt64(row & 63)
    if bit { words[row >> 6] |= mask } else { words[row >> 6] &= ~mask }
  }

  @inline(__always)
  func has(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
}
