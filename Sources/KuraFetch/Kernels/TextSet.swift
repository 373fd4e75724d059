import KuraGraph
import KuraValues

/// A set of texts as a hash table; half of it is empty.
struct TextSet: Sendable {
  private let texts: TextViews
  private let hashes: [UInt64]
  /// The number of the text at each place plus one; 0 for an empty place.
  private let numbers: [UInt32]
  /// A bit for each length of a text, modulo 64.
  private let lengths: UInt64
  /// A Bloom filter of the ends of the texts, with about eight bits per text.
  private let tails: [UInt64]
  private let tailBits: Int

  init(_ texts: [String]) {
    var (bytes, ends): ([UInt8], [UInt32]) = ([], [])
    bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count })
    ends.reserveCapacity(texts.count)
    var hashes: [UInt64] = []
    hashes.reserveCapacity(texts.count)
    var lengths: UInt64 = 0
    let tailBits = max(16, min(24, Int.bitWidth - texts.count.leadingZeroBitCount + 3))
    var tails = [UInt64](repeating: 0, count: 1 << (tailBits - 6))
    for var text in texts {
      text.withUTF8 { utf8 in
        bytes.append(contentsOf: utf8)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        hashes.append(IndexHash.of(utf8))
        lengths |= 1 << UInt64(utf8.count & 63)
        let tail = Self.tail(utf8, 0, utf8.count, tailBits)
        tails[tail >> 6] |= 1 << UInt64(tail & 63)
      }
    }
    var numbers = [UInt32](repeating: 0, count: 16)
    while numbers.count < texts.count * 2 { numbers += numbers }
    for (number, hash) in hashes.enumerated() {
      var place = TextSet.place(hash, numbers.count)
      while numbers[place] != 0 { place = (place + 1) & (numbers.count - 1) }
      numbers[place] = UInt32(truncatingIfNeeded: number + 1)
    }
    (self.texts, self.hashes, self.numbers, self.lengths) = (
      TextViews(bytes: bytes, ends: ends), hashes, numbers, lengths
    )
    (self.tails, self.tailBits) = (tails, tailBits)
  }

  private static func place(_ hash: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: hash >> 20) & (count - 1)
  }

  /// Returns a hash of a text's last eight bytes and its length.
  @inline(__always)
  private static func tail(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ tailBits: Int
  ) -> Int {
    var word: UInt64 = 0
    if end >= 8, let base = bytes.baseAddress {
      word = UnsafeRawPointer(base + end - 8).loadUnaligned(as: UInt64.self).bigEndian
      if end - start < 8 { word &= 1 << UInt64((end - start) * 8) - 1 }
    } else {
      for place in start..<end { word = word << 8 | UInt64(bytes[place]) }
    }
    let mixed = (word ^ UInt64(end - start)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> UInt64(64 - tailBits))
  }

  func rows(of chunk: TextChunk, among candidates: Bitmap) -> Bitmap {
    var result = Bitmap(count: candidates.count)
    withAccess { set in
      guard chunk.patch.isEmpty else {
        return candidates.eachRow { row in
          chunk.withText(row) { if set.has($0.bindMemory(to: UInt8.self)) { result.insert(row) } }
        }
      }
      chunk.bytes.withUnsafeBufferPointer { bytes in
        chunk.ends.withUnsafeBufferPointer { ends in
          candidates.eachRow { row in
            let (start, end) = (row == 0 ? 0 : Int(ends[row - 1]), Int(ends[row]))
            if set.has(bytes, start, end) { result.insert(row) }
          }
        }
      }
    }
    return result
  }

  private func withAccess(_ body: (Access) -> Void) {
    texts.withAccess { texts in
      hashes.withUnsafeBufferPointer { hashes in
        numbers.withUnsafeBufferPointer { numbers in
          tails.withUnsafeBufferPointer { tails in
            body(
              Access(
                texts: texts, hashes: hashes, numbers: numbers, tails: tails, lengths: lengths,
                tailBits: tailBits))
          }
        }
      }
    }
  }

  /// Access to the set without retain and release.
  private struct Access {
    let texts: TextAccess
    let hashes: UnsafeBufferPointer<UInt64>
    let numbers: UnsafeBufferPointer<UInt32>
    let tails: UnsafeBufferPointer<UInt64>
    let lengths: UInt64
    let tailBits: Int

    @inline(__always)
    func has(_ text: UnsafeBufferPointer<UInt8>) -> Bool { has(text, 0, text.count) }

    /// Returns whether the bytes between two places are in the set; lengths and ends exclude most texts that are not.
    @inline(__always)
    func has(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
      guard lengths >> UInt64((end - start) & 63) & 1 == 1 else { return false }
      let tail = TextSet.tail(bytes, start, end, tailBits)
      guard tails[tail >> 6] >> UInt64(tail & 63) & 1 == 1 else { return false }
      return isElement(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }

    private func isElement(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
      let hash = IndexHash.of(text)
      var place = TextSet.place(hash, numbers.count)
      while numbers[place] != 0 {
        let number = Int(numbers[place]) - 1
        if hashes[number] == hash, Bytes.compare(texts[number], text) == .same { return true }
        place = (place + 1) & (numbers.count - 1)
      }
      return false
    }
  }
}
