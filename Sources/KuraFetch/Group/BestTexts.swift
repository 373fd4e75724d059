import KuraGraph
import KuraValues

/// The least or the greatest text of each group, by the order of Unicode scalars.
struct BestTexts {
  private let column: Column
  private let isLeast: Bool
  private let lanes: [TextLane]

  init(_ column: Column, isLeast: Bool) {
    self.column = column
    self.isLeast = isLeast
    lanes = column.chunks.map { TextLane($0, column.dictionary) ?? .empty }
  }

  /// The row of a chunk with the best text so far, and its first bytes.
  private struct Best {
    var word: UInt64
    var chunk: Int32 = -1
    var row: Int32 = 0
  }
}

extension BestTexts {
  func values(_ slots: GroupSlots) -> [Value] {
    var bests = [Best](repeating: Best(word: isLeast ? .max : 0), count: slots.count)
    for number in 0..<slots.chunkCount { add(number, slots.slots(number), to: &bests) }
    return bests.indices.map { slot in
      let best = bests[slot]
      if slot == 0 || best.chunk < 0 { return .null }
      return .string(lanes[Int(best.chunk)].string(Int(best.row)))
    }
  }

  private func add(_ number: Int, _ slots: [UInt32], to bests: inout [Best]) {
    let nulls = column.chunks[number].nulls
    let lane = lanes[number]
    lane.forEach(min(slots.count, column.chunks[number].count)) { row, text in
      let slot = Int(slots[row])
      guard slot != 0, nulls?.has(row) != true else { return }
      let word = text.firstWord
      guard bests[slot].chunk < 0 || isBetter(word, text, than: bests[slot]) else { return }
      bests[slot] = Best(
        word: word, chunk: Int32(truncatingIfNeeded: number),
        row: Int32(truncatingIfNeeded: row))
    }
  }

  private func isBetter(
    _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, than best: Best
  ) -> Bool {
    guard word == best.word else { return isLeast ? word < best.word : word > best.word }
    let lane = lanes[Int(best.chunk)]
    let order = lane.texts.withAccess { Bytes.compare(text, $0[lane.place(Int(best.row))]) }
    return order == (isLeast ? .before : .after)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first eight bytes, the first of them the highest.
  fileprivate var firstWord: UInt64 {
    if count >= 8 {
      return UInt64(bigEndian: UnsafeRawBufferPointer(self).loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for byte in self { word = word << 8 | UInt64(byte) }
    return count == 0 ? 0 : word << UInt64((8 - count) * 8)
  }
}
