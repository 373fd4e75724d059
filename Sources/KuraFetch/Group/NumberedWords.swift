import KuraBytes
import KuraGraph

/// Numbers for the words of rows, as small as can be: equal words have one.
///
/// Few words are numbered where they stand. Many are dealt out by their first bits into parts that
/// fit into a core's memory; each part is numbered by itself, on whichever core is free. Words must
/// be mixed well, their high bits best.
struct NumberedWords: Sendable {
  /// By chunk and row; of a row that is not wanted 0.
  let codes: [[UInt32]]
  /// How many there are.
  let count: UInt32

  /// `isSame`: whether two rows with one odd word, by their places in the table, are equal; rows with
  /// one even word are, and all are where it is nil.
  init(
    _ words: [[UInt64]], _ rows: [Bitmap], isSame: (@Sendable (Int, Int) -> Bool)? = nil
  ) {
    if let few = FewWords(words, rows, isSame: isSame) {
      (codes, count) = (few.codes, few.count)
      return
    }
    let dealt = DealtWords(words, rows)
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

/// Words with their rows, those of one part together, in the order of the rows.
private struct DealtWords: Sendable {
  /// Where each part begins, and where the last ends.
  private let starts: [Int]
  private let bits: UInt64
  private let words: SharedRoom<UInt64>
  private let places: SharedRoom<UInt32>
  /// What each row has among those of its part, by its place in the table.
  private let numbers: SharedRoom<UInt32>

  var parts: Int { starts.count - 1 }
  var count: Int { starts[parts] }

  init(_ words: [[UInt64]], _ rows: [Bitmap]) {
    let wanted = rows.reduce(0) { $0 + $1.popcount }
    // Some eight thousand words with their numbers fit beside each other.
    let bits = UInt64(max(0, min(10, (wanted >> 13).bitWidth - (wanted >> 13).leadingZeroBitCount)))
    let parts = 1 << Int(bits)
    let sizes = Workers.map(count: rows.count, inParallel: wanted > 50_000) { chunk in
      DealtWords.sizes(words[chunk], rows[chunk], bits)
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
    let (dealt, places) = (SharedRoom<UInt64>(total), SharedRoom<UInt32>(total))
    (self.words, self.places) = (dealt, places)
    numbers = SharedRoom(max(total, rows.count << ColumnChunk.shift, rows.first?.count ?? 0))
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

extension DealtWords {
  /// Numbers the words of a part from 0 on, as they come, and says how many there are.
  func number(_ part: Int, _ isSame: (@Sendable (Int, Int) -> Bool)?) -> UInt32 {
    let range = starts[part]..<starts[part + 1]
    guard !range.isEmpty else { return 0 }
    let size = UInt64(64 - (range.count * 2 - 1).leadingZeroBitCount)
    return withUnsafeTemporaryAllocation(of: Seat.self, capacity: 1 << Int(size)) { seats in
      seats.initialize(repeating: Seat())
      var count: UInt32 = 0
      for entry in range {
        let (word, place) = (words.numbers[entry], places.numbers[entry])
        var seat = Int(truncatingIfNeeded: (word &<< bits).first(size))
        while true {
          if seats[seat].number == 0 {
            count += 1
            seats[seat] = Seat(word: word, place: place, number: count)
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

  /// A word's place in the table of a part: the first row that has it, and one more than its number.
  private struct Seat {
    var word: UInt64 = 0
    var place: UInt32 = 0
    var number: UInt32 = 0
  }

  /// The numbers of a chunk's rows among those of all parts.
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

/// Room for numbers that two cores fill, each its own places.
private final class SharedRoom<Number: FixedWidthInteger & Sendable>: Sendable {
  nonisolated(unsafe) let numbers: UnsafeMutableBufferPointer<Number>

  init(_ count: Int) { numbers = .allocate(capacity: count) }

  deinit { numbers.deallocate() }
}

extension UInt64 {
  /// Its highest bits, so many.
  @inline(__always)
  fileprivate func first(_ bits: UInt64) -> UInt64 { bits == 0 ? 0 : self &>> (64 &- bits) }

  /// Another word for each word, whose high bits depend on all of its bits.
  @inline(__always)
  var mixed: UInt64 {
    let word = self &* 0x9FB2_1C65_1E98_DF25
    return (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}
