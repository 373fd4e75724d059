import KuraBytes
import KuraGraph
import KuraValues

/// The least or the greatest text of each group, by the order of Unicode scalars.
struct BestTexts {
  private let column: Column
  private let isLeast: Bool
  private let lanes: [TextLane]
  private let pinned: PinnedTexts

  init(_ column: Column, isLeast: Bool) {
    self.column = column
    self.isLeast = isLeast
    lanes = column.chunks.map { TextLane($0, column.dictionary) ?? .empty }
    pinned = PinnedTexts(lanes.map(\.texts))
  }

  /// The place of the best text so far among those of a chunk, and its first bytes.
  private struct Best {
    var word: UInt64
    var chunk: Int32 = -1
    var place: Int32 = 0
  }
}

extension BestTexts {
  /// More groups are not worth the room that each core needs for them.
  private static let mostShared = 1 << 14

  func values(_ slots: GroupSlots) -> [Value] {
    let start = [Best](repeating: Best(word: isLeast ? .max : 0), count: slots.count)
    let isShared = slots.count <= Self.mostShared && slots.chunkCount > 2
    let parts = Workers.states(count: slots.chunkCount, inParallel: isShared, { start }) {
      add($1, slots.slots($1), to: &$0)
    }
    let bests = parts.dropFirst().reduce(parts.first ?? start) { zip($0, $1).map(better) }
    return bests.indices.map { slot in
      let best = bests[slot]
      if slot == 0 || best.chunk < 0 { return .null }
      return .string(String(decoding: text(best), as: UTF8.self))
    }
  }

  private func add(_ number: Int, _ slots: [UInt32], to bests: inout [Best]) {
    let nulls = column.chunks[number].nulls
    let lane = lanes[number]
    let count = min(slots.count, column.chunks[number].count)
    bests.withUnsafeMutableBufferPointer { bests in
      lane.forEach(count) { row, text in
        let slot = Int(slots[row])
        guard slot != 0, nulls?.has(row) != true else { return }
        let word = text.firstWord
        guard bests[slot].chunk < 0 || isBetter(word, text, than: bests[slot]) else { return }
        bests[slot] = Best(
          word: word, chunk: Int32(truncatingIfNeeded: number),
          place: Int32(truncatingIfNeeded: lane.place(row)))
      }
    }
  }

  private func text(_ best: Best) -> UnsafeBufferPointer<UInt8> {
    pinned.accesses[Int(best.chunk)][Int(best.place)]
  }

  private func better(_ one: Best, _ other: Best) -> Best {
    if one.chunk < 0 || other.chunk < 0 { return one.chunk < 0 ? other : one }
    return isBetter(other.word, text(other), than: one) ? other : one
  }

  @inline(__always)
  private func isBetter(
    _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, than best: Best
  ) -> Bool {
    if word != best.word { return isLeast ? word < best.word : word > best.word }
    let order = Bytes.compare(text, self.text(best))
    return order == (isLeast ? .before : .after)
  }
}
