/// The least of many numbers, found without sorting the others.
///
/// They are collected until there are twice as many as wanted; then the lesser half is kept, and its
/// last is the bound for those to come.
struct FirstWords<Word: FixedWidthInteger & UnsignedInteger> {
  let wanted: Int?
  private var kept: [Word] = []
  private var bound = Word.max

  init(wanted: Int?) { self.wanted = wanted }

  mutating func add(_ words: [Word]) {
    guard let wanted else {
      kept += words
      return
    }
    let room = max(256, wanted * 2)
    for word in words where word < bound {
      kept.append(word)
      if kept.count >= room { prune(wanted) }
    }
  }

  private mutating func prune(_ wanted: Int) {
    kept.sort()
    kept.removeLast(kept.count - wanted)
    bound = kept.last ?? .max
  }

  func sorted(bits: Int) -> [Word] {
    let all = kept.count < 4096 ? kept.sorted() : kept.sortedByDigits(bits: bits)
    return wanted.map { Array(all.prefix($0)) } ?? all
  }
}

extension Array where Element: FixedWidthInteger & UnsignedInteger {
  /// Sorts by eleven bits after the other, the lowest first.
  func sortedByDigits(bits: Int) -> [Element] {
    var from = self
    var to = self
    for shift in stride(from: 0, to: bits, by: 11) {
      var ends = [Int](repeating: 0, count: 2048)
      for word in from { ends[Int(truncatingIfNeeded: word >> Element(shift)) & 2047] += 1 }
      // All of one digit are in their order already.
      if ends.contains(from.count) { continue }
      var total = 0
      for digit in ends.indices {
        let count = ends[digit]
        ends[digit] = total
        total += count
      }
      to.withUnsafeMutableBufferPointer { to in
        for word in from {
          let digit = Int(truncatingIfNeeded: word >> Element(shift)) & 2047
          to[ends[digit]] = word
          ends[digit] += 1
        }
      }
      swap(&from, &to)
    }
    return from
  }
}
