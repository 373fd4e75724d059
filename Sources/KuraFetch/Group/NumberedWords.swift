import KuraBytes
import KuraGraph
import KuraValues

/// The smallest possible numbers for the words of rows, equal for equal words.
///
/// A small number of distinct words is numbered in place. More are partitioned by their first bits into parts that fit
/// into a core's cache. Cores number the parts independently. Words must be well mixed, especially in their high bits.
struct NumberedWords: Sendable {
  /// The codes by chunk and row; 0 for an unwanted row.
  let codes: [[UInt32]]
  /// The number of distinct codes.
  let count: UInt32

  /// Numbers words. Rows with equal even words are equal; `isSame` compares two rows with equal odd words, by their
  /// places in the table. Without `isSame`, all equal words are equal.
  init(
    _ words: [[UInt64]], _ rows: [Bitmap], isSame: (@Sendable (Int, Int) -> Bool)? = nil
  ) {
    if let few = NumberedWords(few: words, rows, isSame) {
      self = few
      return
    }
    let dealt = PartitionedWords(words, rows)
    let counts = Workers.map(count: dealt.parts, inParallel: dealt.count > 20_000) {
      dealt.number($0, isSame)
    }
    var (bases, total): ([UInt32], UInt32) = ([], 0)
    for count in counts {
      bases.append(total)
      total += count
    }
    let starts = bases
    count = total
    codes = Workers.map(count: rows.count, inParallel: dealt.count > 50_000) { chunk in
      dealt.codes(chunk, words[chunk], rows[chunk], starts)
    }
  }
}

/// Words with their rows, partitioned; in each part they keep the order of the rows.
private struct PartitionedWords: Sendable {
  /// The start of each part, and the end of the last.
  private let starts: [Int]
  private let bits: UInt64
  private let words: SharedBuffer<UInt64>
  private let places: SharedBuffer<UInt32>
  /// The number of each row in its part, by its place in the table.
  private let numbers: SharedBuffer<UInt32>

  var parts: Int { starts.count - 1 }
  var count: Int { starts[parts] }

  init(_ words: [[UInt64]], _ rows: [Bitmap]) {
    let wanted = rows.reduce(0) { $0 + $1.popcount }
    // About 8,000 words with their numbers fit into the cache.
    let bits = UInt64(max(0, min(10, (wanted >> 13).bitWidth - (wanted >> 13).leadingZeroBitCount)))
    let parts = 1 << Int(bits)
    let sizes = Workers.map(count: rows.count, inParallel: wanted > 50_000) { chunk in
      PartitionedWords.sizes(words[chunk], rows[chunk], bits)
    }
    var starts: [Int] = []
    var ends = sizes
    var total = 0
    for part in 0..<parts {
      starts.append(total)
      for chunk in sizes.indices {
        ends[chunk][part] = total
        total += sizes[chunk][part]
      }
    }
    self.starts = starts + [total]
    self.bits = bits
    let (dealt, places) = (SharedBuffer<UInt64>(total), SharedBuffer<UInt32>(total))
    (self.words, self.places) = (dealt, places)
    numbers = SharedBuffer(max(total, rows.count << ColumnChunk.shift, rows.first?.count ?? 0))
    let begins = ends
    _ = Workers.map(count: rows.count, inParallel: wanted > 50_000) { chunk in
      var next = begins[chunk]
      let first = chunk << ColumnChunk.shift
      words[chunk].withUnsafeBufferPointer { words in
        next.withUnsafeMutableBufferPointer { next in
          rows[chunk].eachRow { row in
            let part = Int(truncatingIfNeeded: words[row].first(bits))
            dealt.numbers[next[part]] = words[row]
            places.numbers[next[part]] = UInt32(truncatingIfNeeded: first + row)
            next[part] += 1
          }
        }
      }
    }
  }

  private static func sizes(_ words: [UInt64], _ rows: Bitmap, _ bits: UInt64) -> [Int] {
    var sizes = [Int](repeating: 0, count: 1 << Int(bits))
    sizes.withUnsafeMutableBufferPointer { sizes in
      words.withUnsafeBufferPointer { words in
        rows.eachRow { sizes[Int(truncatingIfNeeded: words[$0].first(bits))] += 1 }
      }
    }
    return sizes
  }
}

extension PartitionedWords {
  /// Numbers the words of a part from 0, in order of appearance, and returns the count of numbers.
  func number(_ part: Int, _ isSame: (@Sendable (Int, Int) -> Bool)?) -> UInt32 {
    let range = starts[part]..<starts[part + 1]
    guard !range.isEmpty else { return 0 }
    let size = UInt64(64 - (range.count * 2 - 1).leadingZeroBitCount)
    return withUnsafeTemporaryAllocation(of: HashEntry.self, capacity: 1 << Int(size)) { seats in
      seats.initialize(repeating: HashEntry())
      var count: UInt32 = 0
      for entry in range {
        let (word, place) = (words.numbers[entry], places.numbers[entry])
        var seat = Int(truncatingIfNeeded: (word &<< bits).first(size))
        while true {
          if seats[seat].number == 0 {
            count += 1
            seats[seat] = HashEntry(word: word, place: place, number: count)
            break
          }
          if seats[seat].word == word {
            guard word & 1 == 1, let isSame else { break }
            if isSame(Int(seats[seat].place), Int(place)) { break }
          }
          seat = (seat + 1) & (seats.count - 1)
        }
        numbers.numbers[Int(place)] = seats[seat].number - 1
      }
      return count
    }
  }

  /// An entry of the hash table of a part: a word, the first row that has it, and its number plus one.
  private struct HashEntry {
    var word: UInt64 = 0
    var place: UInt32 = 0
    var number: UInt32 = 0
  }

  /// Returns the numbers of a chunk's rows among those of all parts.
  func codes(_ chunk: Int, _ words: [UInt64], _ rows: Bitmap, _ bases: [UInt32]) -> [UInt32] {
    let first = chunk << ColumnChunk.shift
    var codes = [UInt32](repeating: 0, count: rows.count)
    codes.withUnsafeMutableBufferPointer { codes in
      words.withUnsafeBufferPointer { words in
        bases.withUnsafeBufferPointer { bases in
          rows.eachRow { row in
            let part = Int(truncatingIfNeeded: words[row].first(bits))
            codes[row] = bases[part] &+ numbers.numbers[first + row]
          }
        }
      }
    }
    return codes
  }
}

/// Memory for numbers that cores fill in parallel, each at its own places.
private final class SharedBuffer<Number: FixedWidthInteger & Sendable>: Sendable {
  nonisolated(unsafe) let numbers: UnsafeMutableBufferPointer<Number>

  init(_ count: Int) { numbers = .allocate(capacity: count) }

  deinit { numbers.deallocate() }
}

extension UInt64 {
  /// Returns this number of the highest bits.
  @inline(__always)
  fileprivate func first(_ bits: UInt64) -> UInt64 { bits == 0 ? 0 : self &>> (64 &- bits) }

  /// A distinct word for each word; its high bits depend on all bits.
  @inline(__always)
  var mixed: UInt64 {
    let word = self &* 0x9FB2_1C65_1E98_DF25
    return (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}

extension NumberedWords {
  /// Numbers few distinct words: each chunk in place, with a hash table that fits into the L1 cache. Returns nil if there
  /// are too many, which the first chunk usually shows.
  private init?(
    few words: [[UInt64]], _ rows: [Bitmap], _ isSame: (@Sendable (Int, Int) -> Bool)?
  ) {
    guard let probe = rows.indices.first(where: { !rows[$0].isEmpty }),
      WordsOfChunk(words[probe], rows[probe], probe, isSame) != nil
    else { return nil }
    let found = Workers.map(count: rows.count, inParallel: rows.count > 2) {
      WordsOfChunk(words[$0], rows[$0], $0, isSame)
    }
    guard let chunks = found.unwrapped() else { return nil }
    var table = WordHashTable()
    var numbers: [[UInt32]] = []
    for chunk in chunks {
      let found = chunk.firsts.map { table.number($0.word, $0.place, isSame) }
      guard let known = found.unwrapped() else { return nil }
      numbers.append(known)
    }
    count = UInt32(truncatingIfNeeded: table.firsts.count)
    let known = numbers
    codes = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      chunks[number].codes(by: known[number])
    }
  }
}

/// The distinct words of a chunk in order of appearance, and the index of each row's word.
private struct WordsOfChunk: Sendable {
  private(set) var firsts: [WordHashTable.First] = []
  private let own: [UInt16]

  /// Returns nil if the words are too many.
  init?(
    _ words: [UInt64], _ rows: Bitmap, _ chunk: Int, _ isSame: (@Sendable (Int, Int) -> Bool)?
  ) {
    var table = WordHashTable()
    var own = [UInt16](repeating: 0, count: rows.count)
    var allFit = true
    let first = chunk << ColumnChunk.shift
    own.withUnsafeMutableBufferPointer { own in
      words.withUnsafeBufferPointer { words in
        rows.eachRow { row in
          guard allFit else { return }
          if let number = table.number(words[row], first + row, isSame) {
            own[row] = UInt16(truncatingIfNeeded: number)
          } else {
            allFit = false
          }
        }
      }
    }
    guard allFit else { return nil }
    (firsts, self.own) = (table.firsts, own)
  }

  /// Returns the numbers of the rows, given the numbers of the distinct words.
  func codes(by numbers: [UInt32]) -> [UInt32] {
    if numbers.isEmpty { return Array(repeating: 0, count: own.count) }
    return numbers.withUnsafeBufferPointer { numbers in own.map { numbers[Int($0)] } }
  }
}

/// A hash table from words to numbers; three quarters of it are empty.
private struct WordHashTable: ~Copyable {
  /// A distinct word, and the first row that has it.
  struct First: Sendable {
    let word: UInt64
    let place: Int
  }

  private(set) var firsts: [First] = []
  /// The number of the word at each place plus one; 0 for an empty place.
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

  /// Returns the number of a word; nil if the table is full.
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

/// Small numbers for the texts of a column, equal for equal texts.
struct NumberedTexts: Sendable {
  /// The codes by chunk and row: `count` for a row without a text, any code for an unwanted row.
  let codes: [[UInt32]]
  /// The number of distinct codes.
  let count: UInt32

  init(_ column: Column, _ rows: [Bitmap]) {
    let texts = column.chunks.map { chunk in
      chunk.packedTexts.map { TextViews($0) } ?? TextViews(bytes: [], ends: [])
    }
    self.init(texts, column.chunks.map(\.nulls), rows)
  }

  /// Numbers the texts of chunks, and the rows without a text.
  init(_ texts: [TextViews], _ nulls: [Bitmap?], _ rows: [Bitmap]) {
    let known = zip(nulls, rows).map { $1.isEmpty ? $1 : $1.subtracting($0) }
    let hashes = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      texts[number].hashes(known[number])
    }
    let pinned = PinnedTexts(texts)
    var numbered = NumberedWords(hashes, known)
    if !pinned.areNumbered(by: numbered, hashes, known) {
      numbered = NumberedWords(hashes, known) { a, b in pinned.isSame(a, b) }
    }
    (count, codes) = (numbered.count, numbered.codes.withoutValues(nulls, numbered.count))
  }
}

extension PinnedTexts {
  @inline(__always)
  fileprivate func isSame(_ a: Int, _ b: Int) -> Bool { self[a].isSame(as: self[b]) }

  /// Returns whether rows with the same number have the same text, which is false only if two texts have the same hash.
  ///
  /// A pass in the order of the rows is faster than a comparison for each number that is assigned.
  fileprivate func areNumbered(
    by numbers: NumberedWords, _ hashes: [[UInt64]], _ rows: [Bitmap]
  ) -> Bool {
    let firsts = numbers.firstRows(rows)
    // The copies fit into a core's cache; the texts themselves are scattered in memory.
    let count = rows.reduce(0) { $0 + $1.popcount }
    let copies = numbers.count < count / 4 ? self.copies(of: firsts) : nil
    return Workers.map(count: rows.count, inParallel: rows.count > 2) { chunk in
      let start = chunk << ColumnChunk.shift
      let (codes, hashes) = (numbers.codes[chunk], hashes[chunk])
      var areSame = true
      rows[chunk].eachRow { row in
        let (code, place) = (Int(codes[row]), start + row)
        guard hashes[row] & 1 == 1, firsts[code] != UInt32(truncatingIfNeeded: place) else {
          return
        }
        let isSame = self[place].isSame(as: copies?[code] ?? self[Int(firsts[code])])
        areSame = areSame && isSame
      }
      return areSame
    }.allSatisfy { $0 }
  }

  private func copies(of rows: [UInt32]) -> PinnedTexts {
    var (bytes, ends): ([UInt8], [UInt32]) = ([], [])
    for row in rows {
      bytes += self[Int(row)]
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    return PinnedTexts([TextViews(bytes: bytes, ends: ends)])
  }
}

extension NumberedWords {
  /// The first row of each number.
  fileprivate func firstRows(_ rows: [Bitmap]) -> [UInt32] {
    var firsts = [UInt32](repeating: .max, count: Int(count))
    for (chunk, rows) in rows.enumerated() {
      let start = UInt32(truncatingIfNeeded: chunk << ColumnChunk.shift)
      let codes = codes[chunk]
      rows.eachRow { row in
        if firsts[Int(codes[row])] == .max {
          firsts[Int(codes[row])] = start + UInt32(truncatingIfNeeded: row)
        }
      }
    }
    return firsts
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inline(__always)
  fileprivate func isSame(as other: Self) -> Bool {
    count == other.count && Bytes.compare(self, other) == .same
  }
}

extension [[UInt32]] {
  /// Returns the codes with `none` for rows without a value.
  func withoutValues(_ nulls: [Bitmap?], _ none: UInt32) -> [[UInt32]] {
    var result = self
    for number in indices where !result[number].isEmpty {
      nulls[number]?.eachRow { if $0 < result[number].count { result[number][$0] = none } }
    }
    return result
  }
}

extension TextViews {
  /// Returns a word for the text of each wanted row: even and unique for a short text, odd for any other, which is
  /// hashed.
  fileprivate func hashes(_ rows: Bitmap) -> [UInt64] {
    var hashes = [UInt64](repeating: 0, count: rows.count)
    withAccess { access in
      hashes.withUnsafeMutableBufferPointer { hashes in
        rows.eachRow { if $0 < count { hashes[$0] = access.groupWord($0) } }
      }
    }
    return hashes
  }
}

extension TextAccess {
  /// Returns up to seven bytes and their count, mixed in 63 bits without collisions; for longer texts a hash.
  @inline(__always)
  fileprivate func groupWord(_ place: Int) -> UInt64 {
    let count = range(place).count
    guard count < 8 else { return IndexHash.of(self[place]) | 1 }
    let bytes = firstWord(place) >> 8 | UInt64(truncatingIfNeeded: count) << 56
    let low = UInt64.max >> 1
    let word = (bytes &* 0x9FB2_1C65_1E98_DF25) & low
    return ((word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15) << 1
  }
}
