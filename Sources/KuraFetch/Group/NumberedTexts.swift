import KuraBytes
import KuraGraph
import KuraValues

/// Small numbers for the texts of a column: equal texts have one.
struct NumberedTexts: Sendable {
  /// By chunk and row; of a row without a text `count`, of one that is not wanted anything less.
  let codes: [[UInt32]]
  /// How many there are.
  let count: UInt32

  init(_ column: Column, _ rows: [Bitmap]) {
    self.init(column.chunks.map { TextViews($0) }, column.chunks.map(\.nulls), rows)
  }

  /// Of the texts of chunks, and of the rows that have none.
  init(_ texts: [TextViews], _ nulls: [Bitmap?], _ rows: [Bitmap]) {
    let known = zip(nulls, rows).map { nulls, rows in
      var known = rows
      if !rows.isEmpty, let nulls { known.subtract(nulls) }
      return known
    }
    let hashes = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      texts[number].hashes(known[number])
    }
    let pinned = PinnedTexts(texts)
    let numbered = NumberedWords(hashes, known) { a, b in
      pinned[a].count == pinned[b].count && Bytes.compare(pinned[a], pinned[b]) == .same
    }
    (count, codes) = (numbered.count, numbered.codes.withoutValues(nulls, numbered.count))
  }
}

extension [[UInt32]] {
  /// The same with a number for the rows of chunks that have no value.
  func withoutValues(_ nulls: [Bitmap?], _ none: UInt32) -> [[UInt32]] {
    var result = self
    for number in indices where !result[number].isEmpty {
      nulls[number]?.eachRow { if $0 < result[number].count { result[number][$0] = none } }
    }
    return result
  }
}

extension TextViews {
  fileprivate init(_ chunk: ColumnChunk) {
    guard let text = chunk.packedTexts else {
      self.init(bytes: [], ends: [])
      return
    }
    self.init(text)
  }

  /// A word of the text of each row that is wanted: an even one, which no other text has, of a short
  /// text, and an odd one, its hash, of any other.
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
  /// Up to seven bytes and their count, mixed in 63 bits so that no two texts have the same; else a hash.
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
