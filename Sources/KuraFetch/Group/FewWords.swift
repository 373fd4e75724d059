import KuraBytes
import KuraGraph

/// Numbers for the words of rows of which few are distinct: each chunk's are numbered where they stand, in a
/// table that fits into a core's nearest memory.
struct FewWords: Sendable {
  /// By chunk and row; of a row that is not wanted 0.
  let codes: [[UInt32]]
  let count: UInt32

  /// Nil where they are more than that pays for; a chunk with many is soon noticed.
  ///
  /// `isSame` as for `NumberedWords`.
  init?(
    _ words: [[UInt64]], _ rows: [Bitmap], isSame: (@Sendable (Int, Int) -> Bool)?
  ) {
    guard let probe = rows.indices.first(where: { !rows[$0].isEmpty }),
      WordsOfChunk(words[probe], rows[probe], probe, isSame) != nil
    else { return nil }
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 2) {
      WordsOfChunk(words[$0], rows[$0], $0, isSame)
    }.compactMap(\.self)
    guard chunks.count == rows.count else { return nil }
    var table = SeatTable()
    var numbers: [[UInt32]] = []
    for chunk in chunks {
      let found = chunk.firsts.map { table.number($0.word, $0.place, isSame) }
      guard !found.contains(nil) else { return nil }
      numbers.append(found.compactMap(\.self))
    }
    count = UInt32(truncatingIfNeeded: table.firsts.count)
    let known = numbers
    codes = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      chunks[number].codes(by: known[number])
    }
  }
}

/// The distinct words of a chunk, as they come, and which of them each row has.
private struct WordsOfChunk: Sendable {
  private(set) var firsts: [SeatTable.First] = []
  private let own: [UInt16]

  /// Nil where they are many.
  init?(
    _ words: [UInt64], _ rows: Bitmap, _ chunk: Int, _ isSame: (@Sendable (Int, Int) -> Bool)?
  ) {
    var table = SeatTable()
    var own = [UInt16](repeating: 0, count: rows.count)
    var isWell = true
    let first = chunk << ColumnChunk.shift
    own.withUnsafeMutableBufferPointer { own in
      words.withUnsafeBufferPointer { words in
        rows.eachRow { row in
          guard isWell else { return }
          if let number = table.number(words[row], first + row, isSame) {
            own[row] = UInt16(truncatingIfNeeded: number)
          } else {
            isWell = false
          }
        }
      }
    }
    guard isWell else { return nil }
    (firsts, self.own) = (table.firsts, own)
  }

  /// The numbers of the rows, by those of the distinct words.
  func codes(by numbers: [UInt32]) -> [UInt32] {
    if numbers.isEmpty { return Array(repeating: 0, count: own.count) }
    return numbers.withUnsafeBufferPointer { numbers in own.map { numbers[Int($0)] } }
  }
}

/// Words by their numbers, in a table of which three quarters are empty.
private struct SeatTable: ~Copyable {
  /// A distinct word, and the first row that has it.
  struct First: Sendable {
    let word: UInt64
    let place: Int
  }

  private(set) var firsts: [First] = []
  /// One more than the number of the word at that place; 0 where there is none.
  private let seats: UnsafeMutablePointer<UInt16>
  private let words: UnsafeMutablePointer<UInt64>

  private static let bits = 12
  private static let most = 1 << (bits - 2)

  init() {
    seats = .allocate(capacity: 1 << Self.bits)
    seats.initialize(repeating: 0, count: 1 << Self.bits)
    words = .allocate(capacity: 1 << Self.bits)
  }

  deinit {
    seats.deallocate()
    words.deallocate()
  }

  /// The number of a word; nil where it is one too many.
  @inline(__always)
  mutating func number(
    _ word: UInt64, _ place: Int, _ isSame: (@Sendable (Int, Int) -> Bool)?
  ) -> UInt32? {
    var seat = Int(truncatingIfNeeded: word >> UInt64(64 - Self.bits))
    while seats[seat] != 0 {
      let number = seats[seat] &- 1
      if words[seat] == word {
        guard word & 1 == 1, let isSame else { return UInt32(number) }
        if isSame(firsts[Int(number)].place, place) { return UInt32(number) }
      }
      seat = (seat &+ 1) & (1 << Self.bits - 1)
    }
    guard firsts.count < Self.most else { return nil }
    firsts.append(First(word: word, place: place))
    seats[seat] = UInt16(truncatingIfNeeded: firsts.count)
    words[seat] = word
    return UInt32(truncatingIfNeeded: firsts.count - 1)
  }
}
