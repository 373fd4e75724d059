/// The heads of a chunk's texts: their first eight bytes as big-endian numbers, padded with 0.
/// Different heads have the order of the texts.
///
/// The least and greatest head of each 64 rows is stored as well; if it decides, the individual heads are not read.
package struct TextHeads: Sendable {
  private let heads: [UInt64]
  private let least: [UInt64]
  private let greatest: [UInt64]

  init(_ text: TextChunk) {
    var start = 0
    let heads = text.bytes.withUnsafeBytes { bytes in
      text.ends.map { end in
        defer { start = Int(end) }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)]).firstWord
      }
    }
    let blocks = stride(from: 0, to: heads.count, by: 64).map {
      heads[$0..<min($0 + 64, heads.count)]
    }
    self.heads = heads
    least = blocks.map { $0.reduce(.max) { min($0, $1) } }
    greatest = blocks.map { $0.reduce(0) { max($0, $1) } }
  }
}

extension TextHeads {
  package func rows(below bound: UInt64) -> Bitmap {
    rows({ $1 < bound ? true : $0 < bound ? nil : false }, where: { $0 < bound })
  }

  package func rows(above bound: UInt64) -> Bitmap {
    rows({ $0 > bound ? true : $1 > bound ? nil : false }, where: { $0 > bound })
  }

  package func rows(equal bound: UInt64) -> Bitmap {
    rows({ $0 <= bound && $1 >= bound ? nil : false }, where: { $0 == bound })
  }

  /// Returns the rows that pass a test. `all` decides for 64 rows by their least and greatest head;
  /// if it returns nil, each row is tested.
  @inline(__always)
  private func rows(
    _ all: (UInt64, UInt64) -> Bool?, where test: (UInt64) -> Bool
  ) -> Bitmap {
    var words = [UInt64](repeating: 0, count: least.count)
    heads.withUnsafeBufferPointer { heads in
      for block in words.indices {
        if let all = all(least[block], greatest[block]) {
          words[block] = all ? ~0 : 0
        } else {
          for row in block << 6..<min(block << 6 + 64, heads.count) {
            words[block] |= (test(heads[row]) ? 1 : 0) << UInt64(row & 63)
          }
        }
      }
    }
    return Bitmap(words: words, count: heads.count)
  }
}

extension UnsafeRawBufferPointer {
  /// The first eight bytes as a big-endian number, padded with 0.
  var firstWord: UInt64 {
    if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for byte in self { word = word << 8 | UInt64(byte) }
    return isEmpty ? 0 : word << UInt64((8 - count) * 8)
  }
}

/// The distinct texts of a chunk that has only a few, and the text of each row.
package struct ChunkDictionary: Sendable {
  /// The texts in the order of first appearance.
  package let texts: TextChunk
  package let numbers: [UInt32]

  /// The maximum number of distinct texts.
  package static let most = 64

  /// Returns nil if there are more texts, or hardly fewer than rows.
  init?(_ chunk: TextChunk) {
    var search = TextSearch(chunk.count)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(chunk.count)
    for row in 0..<chunk.count {
      chunk.withText(row) {
        numbers.append(search.number($0.bindMemory(to: UInt8.self), isOdd: chunk.isOdd(row)))
      }
      if search.texts.count > min(Self.most, chunk.count / 4) { return nil }
    }
    (texts, self.numbers) = (search.texts, numbers)
  }
}

/// A hash table that numbers texts.
private struct TextSearch {
  private(set) var texts = TextChunk()
  /// The number of the text in each slot plus one; 0 for an empty slot.
  private var seats = [UInt32](repeating: 0, count: 1024)
  private var hashes: [UInt64] = []

  init(_ rows: Int) { hashes.reserveCapacity(min(rows, ChunkDictionary.most + 1)) }

  mutating func number(_ text: UnsafeBufferPointer<UInt8>, isOdd: Bool) -> UInt32 {
    let hash = IndexHash.of(text)
    var seat = Int(truncatingIfNeeded: hash >> 54)
    while seats[seat] != 0 {
      let number = seats[seat] - 1
      if hashes[Int(number)] == hash, has(Int(number), text) { return number }
      seat = (seat + 1) & 1023
    }
    texts.append(text, isOdd: isOdd)
    hashes.append(hash)
    seats[seat] = UInt32(truncatingIfNeeded: texts.count)
    return seats[seat] - 1
  }

  private func has(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var isIt = false
    texts.withText(number) { isIt = $0.elementsEqual(UnsafeRawBufferPointer(text)) }
    return isIt
  }
}
