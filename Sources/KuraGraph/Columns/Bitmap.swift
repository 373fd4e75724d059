/// One bit per row, in words of 64 bits.
package struct Bitmap: Sendable, Equatable {
  /// The words. Row `r` is bit `r & 63` of word `r >> 6`; bits after `count` are 0.
  package var words: [UInt64]
  package private(set) var count: Int

  package init(count: Int, filledWith bit: Bool = false) {
    self.count = count
    words = Array(repeating: bit ? ~0 : 0, count: (count + 63) >> 6)
    clearTail()
  }

  package init(words: [UInt64], count: Int) {
    self.words = words
    self.count = count
    clearTail()
  }
}

extension Bitmap {
  package subscript(row: Int) -> Bool {
    get { words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
    set {
      let bit: UInt64 = 1 << UInt64(row & 63)
      if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
    }
  }

  package var popcount: Int {
    var total = 0
    for word in words { total += word.nonzeroBitCount }
    return total
  }

  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  package mutating func append(_ bit: Bool) {
    if count & 63 == 0 { words.append(0) }
    count += 1
    if bit { self[count - 1] = true }
  }

  /// Clears the bits after `count`, which operations on whole words can set.
  package mutating func clearTail() {
    if count & 63 != 0, let last = words.indices.last { words[last] &= 1 << UInt64(count & 63) - 1 }
  }

  package mutating func formIntersection(_ other: Bitmap) {
    for i in words.indices { words[i] &= other.words[i] }
  }

  package mutating func formUnion(_ other: Bitmap) {
    for i in words.indices { words[i] |= other.words[i] }
  }

  package mutating func subtract(_ other: Bitmap) {
    for i in words.indices { words[i] &= ~other.words[i] }
  }

  package mutating func invert() {
    for i in words.indices { words[i] = ~words[i] }
    clearTail()
  }

  /// Calls `body` with the row of each set bit, in order.
  package func forEachSet(_ body: (Int) throws -> Void) rethrows {
    for i in words.indices {
      var word = words[i]
      while word != 0 {
        try body(i << 6 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }
}
