import KuraGraph

/// Rows that stand one after the other in an order, and how many stand before them.
struct OrderedRows {
  var rows: [UInt32]
  /// How many rows before these nobody asked for.
  var skipped = 0
}

/// Between which words the rows of a page lie, as a sample of all words says.
///
/// A rank is found in the sample within some four standard deviations; whoever uses the bounds counts,
/// and so sees where they were too narrow.
struct PageBounds<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private(set) var low = Word.min
  private(set) var high = Word.max

  /// Nil where the sample says too little.
  init?(_ ranks: Range<Int>, of count: Int, sample: [Word]) {
    guard let places = SamplePlaces(ranks, of: count, sampled: sample.count) else { return nil }
    if places.low < 0 {
      var first = FirstWords<Word>(wanted: places.high + 1)
      first.add(sample)
      high = first.last()
      return
    }
    let sorted = sample.sortedByDigits(bits: Word.bitWidth)
    low = sorted[places.low]
    if places.high < sorted.count { high = sorted[places.high] }
  }
}

/// Between which places of a sorted sample the ranks of a page lie; before its first at -1, behind its last
/// at the count of the sample.
struct SamplePlaces {
  let low: Int
  let high: Int

  /// Nil where the sample is too small to say anything, or what it says leaves a good part of all.
  init?(_ ranks: Range<Int>, of count: Int, sampled: Int) {
    guard sampled >= 256 else { return nil }
    let first = Self.place(of: ranks.lowerBound, count, sampled, sign: -1)
    low = min(max(first, -1), sampled - 1)
    high = min(Self.place(of: ranks.upperBound, count, sampled, sign: 1), sampled)
    if low < 0, high >= sampled / 4 { return nil }
  }

  /// Where a rank lies in the sample, with what it may be off in one direction.
  private static func place(of rank: Int, _ count: Int, _ sampled: Int, sign: Double) -> Int {
    let part = Double(rank) / Double(count)
    let deviation = (Double(sampled) * part * max(0, 1 - part)).squareRoot()
    return Int((part * Double(sampled) + sign * (4 * deviation + 8)).rounded(.down))
  }
}

extension PageBounds {
  /// The bounds as keys of the leading bits.
  func keys(bits: Int, of all: Int) -> (low: UInt64, high: UInt64) {
    let shift = Word(truncatingIfNeeded: all - bits)
    return (UInt64(truncatingIfNeeded: low >> shift), UInt64(truncatingIfNeeded: high >> shift))
  }
}

extension Bitmap {
  /// Some of the rows of a chunk, four to eight thousand of all that pass: of each 64 rows or more one, of
  /// fewer rows four, which are others each time, that what recurs with the rows does not recur with them.
  func sample(ofChunk number: Int, _ count: Int) -> Bitmap {
    let step = UInt64(max(1, count >> 18))
    let few: UInt64 = count < 1 << 17 ? 0x0001_0001_0001_0001 : 1
    var rows = self
    for i in rows.words.indices {
      let place = UInt64(number << (ColumnChunk.shift - 6) + i)
      let bit = (place &* 0x9E37_79B9_7F4A_7C15) >> 58
      rows.words[i] &= place % step == 0 ? few << bit | few >> (64 - bit) : 0
    }
    return rows
  }
}
