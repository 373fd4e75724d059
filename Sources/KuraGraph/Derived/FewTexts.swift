/// The texts of a chunk of which there are few different ones, each once, and which of them each row has.
package struct FewTexts: Sendable {
  /// In the order in which they come first.
  package let texts: TextChunk
  package let numbers: [UInt32]

  /// How many are few.
  package static let most = 64

  /// Nil where they are more, or hardly fewer than the rows.
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

/// Texts with numbers, found by their hashes.
private struct TextSearch {
  private(set) var texts = TextChunk()
  /// One more than the number of the text that stands there; 0 where none does.
  private var seats = [UInt32](repeating: 0, count: 1024)
  private var hashes: [UInt64] = []

  init(_ rows: Int) { hashes.reserveCapacity(min(rows, FewTexts.most + 1)) }

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
