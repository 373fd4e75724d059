import Foundation
import KuraBytes
import KuraGraph
import KuraValues

/// Searches in texts that are stored consecutively.
enum TextBytes {
  /// Calls `hit` with each row that contains the needle, in order.
  static func find(
    _ test: TextTest, _ needle: [UInt8], _ bytes: [UInt8], _ ends: [UInt32], _ hit: (Int) -> Void
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      needle.withUnsafeBufferPointer { needle in
        ends.withUnsafeBufferPointer { ends in
          switch test {
          case .contains: search(needle, bytes, ends, hit)
          case .begins, .ends, .equals: compareEach(test, needle, bytes, ends, hit)
          }
        }
      }
    }
  }

  /// Finds the needle in the bytes of all rows; a hit across two rows does not count.
  private static func search(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ hit: (Int) -> Void
  ) {
    guard !needle.isEmpty else { return }
    let search = ByteSearch(Array(needle), sample: bytes)
    var place = 0
    var row = 0
    while let at = search.next(in: bytes, from: place) {
      while Int(ends[row]) <= at { row += 1 }
      if at + needle.count <= Int(ends[row]) {
        hit(row)
        place = Int(ends[row])
      } else {
        place = at + 1
      }
    }
  }

  private static func compareEach(
    _ test: TextTest, _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ hit: (Int) -> Void
  ) {
    guard let start = bytes.baseAddress, let pattern = needle.baseAddress else { return }
    let first = pattern[0]
    var from = 0
    for row in ends.indices {
      let end = Int(ends[row])
      let length = end - from
      let at = test == .ends ? end - needle.count : from
      if test == .equals ? length == needle.count : length >= needle.count,
        start[at] == first, memcmp(start + at, pattern, needle.count) == 0
      {
        hit(row)
      }
      from = end
    }
  }
}

/// `BEGINSWITH[c]` with an ASCII needle: its first eight bytes are compared first.
///
/// The first eight bytes of each text are read as one word. If the compared bytes are ASCII, an OR lowers the letters,
/// and one comparison decides. Texts with other scalars there are compared in full.
struct FoldedPrefix {
  /// The needle's first bytes, lowercase, the first byte lowest.
  private let word: UInt64
  /// The bits of a text's word that are compared.
  private let mask: UInt64
  private let isWhole: Bool
  private let fold: TextFold

  /// Returns nil for needles beyond ASCII, and for case-sensitive options.
  init?(_ needle: TextNeedle) {
    guard needle.options.contains(.caseInsensitive), let fold = TextFold.of(needle.options),
      let bytes = needle.foldedBytes,
      bytes.allSatisfy({ $0 < 0x80 && $0 != 0 })
    else { return nil }
    let head = bytes.prefix(8)
    word = head.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    mask = head.count == 8 ? ~0 : 1 << UInt64(head.count * 8) - 1
    isWhole = bytes.count <= 8
    self.fold = fold
  }

  /// Sets the rows that begin with the needle; `ask` decides if the word cannot.
  func find(_ text: TextChunk, _ result: inout Bitmap, _ ask: (Int) -> Bool) {
    var folds = FoldMemory(fold)
    text.bytes.withUnsafeBytes { bytes in
      var from = 0
      for (row, end) in text.ends.enumerated() {
        var head: UInt64 = 0
        if from + 8 <= bytes.count {
          head = bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self).littleEndian
        } else {
          for place in (from..<bytes.count).reversed() { head = head << 8 | UInt64(bytes[place]) }
        }
        let start = from
        let length = Int(end) - from
        from = Int(end)
        if length < 8 { head &= 1 << UInt64(length * 8) - 1 }
        let ascii = head & mask
        if ascii & 0x8080_8080_8080_8080 != 0 {
          // Bytes before the first scalar beyond ASCII must agree, whatever that scalar folds to.
          let known = (ascii & 0x8080_8080_8080_8080).trailingZeroBitCount & ~7
          let part = (1 << UInt64(known) - 1) as UInt64
          if FoldedPrefix.lowered(ascii & part) == word & part,
            folds.scalar(in: bytes, at: start + known >> 3, to: word >> UInt64(known) & 0xFF),
            ask(row)
          {
            result.insert(row)
          }
        } else if FoldedPrefix.lowered(ascii) == word, isWhole || ask(row) {
          result.insert(row)
        }
      }
    }
  }

  /// Returns eight ASCII bytes in lowercase.
  private static func lowered(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The high bit of each byte from A up, without those from Z + 1 up
    let letters = (word &+ ones &* (0x80 - 0x41)) & ~(word &+ ones &* (0x80 - 0x5B))
    return word | (letters & (ones &* 0x80)) >> 2
  }
}

/// A cache of folded scalars, because folding costs more than everything else.
private struct FoldMemory {
  private let fold: TextFold
  /// A scalar in the high half, its folded form in the low half.
  private var known = [UInt32](repeating: .max, count: 1024)

  init(_ fold: TextFold) { self.fold = fold }

  /// Returns whether the scalar at a place, which is beyond ASCII, folds to an ASCII byte: `Ａ`, `é` under [cd].
  mutating func scalar(
    in bytes: UnsafeRawBufferPointer, at place: Int, to byte: UInt64
  ) -> Bool {
    let lead = UInt32(bytes[place])
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard place + length <= bytes.count, length < 4 else { return true }
    var scalar = lead & (0x7F >> UInt32(length))
    for i in 1..<length { scalar = scalar << 6 | UInt32(bytes[place + i] & 0x3F) }
    let slot = Int(scalar & 1023)
    if known[slot] >> 16 != scalar {
      known[slot] = scalar << 16 | fold.folded(scalar) & 0xFFFF
    }
    return known[slot] & 0xFFFF == UInt32(byte)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first eight bytes, the first in the highest place, padded with 0.
  @inline(__always)
  var firstWord: UInt64 { eight(from: 0).byteSwapped }
}
