import KuraGraph
import KuraValues

/// Some texts, to see whether another is one of them: a table of which half is empty.
struct TextSet: Sendable {
  private let texts: TextChunk
  private let hashes: [UInt64]
  /// One more than the number of the text at that place; 0 where there is none.
  private let numbers: [UInt32]
  /// A bit for each length that one of them has, modulo 64.
  private let lengths: UInt64
  /// Bits by the ends of the texts, some eight for each: where there is none, there is no text that
  /// ends so.
  private let tails: [UInt64]
  private let tailBits: Int

  init(_ texts: [String]) {
    var chunk = TextChunk()
    var lengths: UInt64 = 0
    let tailBits = max(16, min(24, Int.bitWidth - texts.count.leadingZeroBitCount + 3))
    var tails = [UInt64](repeating: 0, count: 1 << (tailBits - 6))
    for var text in texts {
      text.withUTF8 { utf8 in
        chunk.append(utf8, isOdd: false)
        lengths |= 1 << UInt64(utf8.count & 63)
        let tail = Self.tail(utf8, 0, utf8.count, tailBits)
        tails[tail >> 6] |= 1 << UInt64(tail & 63)
      }
    }
    let hashes = (0..<chunk.count).map { chunk.hash($0) }
    var numbers = [UInt32](repeating: 0, count: 16)
    while numbers.count < texts.count * 2 { numbers += numbers }
    for (number, hash) in hashes.enumerated() {
      var place = TextSet.place(hash, numbers.count)
      while numbers[place] != 0 { place = (place + 1) & (numbers.count - 1) }
      numbers[place] = UInt32(truncatingIfNeeded: number + 1)
    }
    (self.texts, self.hashes, self.numbers, self.lengths) = (chunk, hashes, numbers, lengths)
    (self.tails, self.tailBits) = (tails, tailBits)
  }

  private static func place(_ hash: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: hash >> 20) & (count - 1)
  }

  /// A number for the last eight bytes of a text and its length.
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

  /// The rows of a chunk whose texts are among them.
  func rows(of chunk: TextChunk, among candidates: Bitmap) -> Bitmap {
    var result = Bitmap(count: candidates.count)
    guard chunk.patch.isEmpty else {
      candidates.eachRow { if contains($0, of: chunk) { result.insert($0) } }
      return result
    }
    let (tails, tailBits) = (tails, tailBits)
    chunk.bytes.withUnsafeBufferPointer { bytes in
      chunk.ends.withUnsafeBufferPointer { ends in
        candidates.eachRow { row in
          let (start, end) = (row == 0 ? 0 : Int(ends[row - 1]), Int(ends[row]))
          guard lengths >> UInt64((end - start) & 63) & 1 == 1 else { return }
          let tail = Self.tail(bytes, start, end, tailBits)
          guard tails[tail >> 6] >> UInt64(tail & 63) & 1 == 1 else { return }
          if contains(row, of: chunk) { result.insert(row) }
        }
      }
    }
    return result
  }

  /// Whether a row's text is one of them.
  func contains(_ row: Int, of chunk: TextChunk) -> Bool {
    if chunk.patch.isEmpty {
      let range = chunk.packedRange(row)
      guard lengths >> UInt64(range.count & 63) & 1 == 1 else { return false }
    }
    let hash = chunk.hash(row)
    var place = TextSet.place(hash, numbers.count)
    while numbers[place] != 0 {
      let number = Int(numbers[place]) - 1
      if hashes[number] == hash, isSame(number, row, chunk) { return true }
      place = (place + 1) & (numbers.count - 1)
    }
    return false
  }

  private func isSame(_ number: Int, _ row: Int, _ chunk: TextChunk) -> Bool {
    var isSame = false
    chunk.withText(row) { a in
      texts.withText(number) { b in
        isSame =
          a.count == b.count
          && Bytes.compare(a.bindMemory(to: UInt8.self), b.bindMemory(to: UInt8.self)) == .same
      }
    }
    return isSame
  }
}
