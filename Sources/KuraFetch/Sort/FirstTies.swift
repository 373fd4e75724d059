/// The rows with the least words, found without sorting the others; of the last word all rows are
/// kept, for another word decides between them.
struct FirstTies: Sendable {
  /// A row with its word before it.
  struct Tie: Sendable {
    let word: UInt64
    let row: UInt32
  }

  /// Nil: all are kept.
  private let wanted: Int?
  private var kept: [Tie] = []
  private var bound = UInt64.max
  private var room: Int

  /// Keeps all rows where those that are wanted are many of them.
  init(wanted: Int?, of count: Int) {
    self.wanted = wanted.flatMap { $0 < count / 4 ? $0 : nil }
    room = max(256, (wanted ?? 0) &* 2)
  }
}

extension FirstTies {
  @inline(__always)
  mutating func add(_ word: UInt64, _ row: Int) {
    guard word <= bound else { return }
    kept.append(Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
    if let wanted, kept.count >= room { prune(wanted) }
  }

  mutating func add(_ other: FirstTies) {
    for tie in other.kept { add(tie.word, Int(tie.row)) }
  }

  private mutating func prune(_ wanted: Int) {
    guard wanted > 0 else { return }
    kept.sortByWord()
    bound = kept[wanted - 1].word
    let last = kept.lastIndex { $0.word == bound } ?? wanted - 1
    kept.removeLast(kept.count - 1 - last)
    // Many with the last word must not be sorted again for each that comes.
    room = max(256, max(wanted, kept.count) &* 2)
  }

  /// In the order of their words, those of one word in the order of their rows.
  consuming func sorted() -> [Tie] {
    kept.sortByWord()
    return kept
  }
}

extension [FirstTies.Tie] {
  mutating func sortByWord() {
    if count > 4096 {
      sortByDigits()
    } else {
      sort { ($0.word, $0.row) < ($1.word, $1.row) }
    }
  }

  /// Sorts by eleven bits after the other, the row's and then the word's, the lowest first.
  private mutating func sortByDigits() {
    var from = self
    var to = self
    if !isInOrderOfRows {
      for shift in stride(from: 0, to: 32, by: 11) {
        from.sort(into: &to) { Int(truncatingIfNeeded: $0.row >> UInt32(shift)) & 2047 }
      }
    }
    // Where all have the same digit they are in its order already.
    let first = self[0].word
    let differing = reduce(0) { $0 | ($1.word ^ first) }
    for shift in stride(from: 0, to: 64, by: 11) where differing >> UInt64(shift) & 2047 != 0 {
      from.sort(into: &to) { Int(truncatingIfNeeded: $0.word >> UInt64(shift)) & 2047 }
    }
    self = from
  }

  private var isInOrderOfRows: Bool { zip(self, dropFirst()).allSatisfy { $0.row < $1.row } }

  /// Puts the elements in the order of a digit, those of one digit as they were.
  @inline(__always)
  private mutating func sort(into other: inout Self, by digit: (Element) -> Int) {
    var ends = [Int](repeating: 0, count: 2048)
    for tie in self { ends[digit(tie)] += 1 }
    var total = 0
    for digit in ends.indices {
      let count = ends[digit]
      ends[digit] = total
      total += count
    }
    other.withUnsafeMutableBufferPointer { other in
      for tie in self {
        let digit = digit(tie)
        other[ends[digit]] = tie
        ends[digit] += 1
      }
    }
    swap(&self, &other)
  }
}

/// The least of many numbers, found without sorting the others.
///
/// They are collected until there are twice as many as wanted; then the lesser half is kept, and its
/// last is the bound for those to come.
struct FirstWords<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
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

  mutating func add(_ other: FirstWords) { add(other.kept) }

  @inline(__always)
  mutating func add(_ word: Word) {
    guard word < bound else { return }
    kept.append(word)
    if let wanted, kept.count >= max(256, wanted &* 2) { prune(wanted) }
  }

  /// The last of those that are wanted; the greatest there can be where they are not so many.
  consuming func last() -> Word {
    guard let wanted, kept.count >= wanted, wanted > 0 else { return .max }
    kept.sort()
    return kept[wanted - 1]
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
