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

  init(_ texts: [String]) {
    var chunk = TextChunk()
    for text in texts { chunk.append(Array(text.utf8), isOdd: false) }
    let hashes = (0..<chunk.count).map { chunk.hash($0) }
    var numbers = [UInt32](repeating: 0, count: 16)
    while numbers.count < texts.count * 2 { numbers += numbers }
    for (number, hash) in hashes.enumerated() {
      var place = TextSet.place(hash, numbers.count)
      while numbers[place] != 0 { place = (place + 1) & (numbers.count - 1) }
      numbers[place] = UInt32(truncatingIfNeeded: number + 1)
    }
    lengths = texts.reduce(0) { $0 | 1 << UInt64($1.utf8.count & 63) }
    (self.texts, self.hashes, self.numbers) = (chunk, hashes, numbers)
  }

  private static func place(_ hash: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: hash >> 20) & (count - 1)
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
      texts.withText(number) { b in isSame = a.elementsEqual(b) }
    }
    return isSame
  }
}
