/// The rows with the least words, found without sorting the others. All rows with the last word are kept, because the
/// next word decides between them.
struct TopNWithTies: Sendable {
  /// A row with its word.
  struct Tie: Sendable {
    let word: UInt64
    let row: UInt32
  }

  /// The number of wanted rows; nil keeps all.
  private let wanted: Int?
  private var kept: [Tie] = []
  private var bound = UInt64.max
  private var room: Int

  /// Keeps all rows if a large part of them is wanted.
  init(wanted: Int?, of count: Int) {
    self.wanted = wanted.flatMap { $0 < count / 4 ? $0 : nil }
    room = max(256, (wanted ?? 0) &* 2)
  }
}

extension TopNWithTies {
  @inline(__always)
  mutating func add(_ word: UInt64, _ row: Int) {
    guard word <= bound else { return }
    kept.append(Tie(word: word, row: UInt32(truncatingIfNeeded: row)))
    if let wanted, kept.count >= room { prune(wanted) }
  }

  mutating func add(_ other: TopNWithTies) {
    for tie in other.kept { add(tie.word, Int(tie.row)) }
  }

  private mutating func prune(_ wanted: Int) {
    guard wanted > 0 else { return }
    kept.sortByWord()
    bound = kept[wanted - 1].word
    let last = kept.lastIndex { $0.word == bound } ?? wanted - 1
    kept.removeLast(kept.count - 1 - last)
    // Leaves room, so that many rows with the last word are not sorted again for each new row.
    room = max(256, max(wanted, kept.count) &* 2)
  }

  /// Returns the rows ordered by word, and rows with equal words in their own order.
  consuming func sorted() -> [Tie] {
    kept.sortByWord()
    return kept
  }
}

extension [TopNWithTies.Tie] {
  mutating func sortByWord() {
    if count > 4096 {
      sortByDigits()
    } else {
      sort { ($0.word, $0.row) < ($1.word, $1.row) }
    }
  }

  /// Sorts by radix: 11 bits at a time, the row's and then the word's, lowest first.
  private mutating func sortByDigits() {
    var from = self
    var to = self
    if !isInOrderOfRows {
      for shift in stride(from: 0, to: 32, by: 11) {
        from.sort(into: &to) { Int(truncatingIfNeeded: $0.row >> UInt32(shift)) & 2047 }
      }
    }
    // Digits that are equal in all words need no pass.
    let first = self[0].word
    let differing = reduce(0) { $0 | ($1.word ^ first) }
    for shift in stride(from: 0, to: 64, by: 11) where differing >> UInt64(shift) & 2047 != 0 {
      from.sort(into: &to) { Int(truncatingIfNeeded: $0.word >> UInt64(shift)) & 2047 }
    }
    self = from
  }

  private var isInOrderOfRows: Bool { zip(self, dropFirst()).allSatisfy { $0.row < $1.row } }

  /// Sorts the elements by a digit, stably.
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
