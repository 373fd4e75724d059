import KuraBytes
import KuraGraph

/// What is counted and computed for each slot, of some chunks.
struct GroupState: Sendable {
  private(set) var sizes: [Int]
  private(set) var aggregates: [ColumnAggregate]

  /// Nothing yet.
  init(slots: Int, _ aggregates: [ColumnAggregate]) {
    sizes = Array(repeating: 0, count: slots)
    self.aggregates = aggregates.map { $0.emptied(slots: slots) }
  }
}

extension GroupState {
  /// More slots than this are not worth a state for each chunk.
  static let sharedLimit = 1024

  /// The state of all chunks: chunks are computed apart and put together in their order, so that
  /// sums of doubles are the same however many cores there are.
  func filled(by slots: GroupSlots) -> GroupState {
    var result = self
    let chunks = slots.chunkCount
    guard sizes.count <= Self.sharedLimit else { return filledInHalves(by: slots) }
    let cost = Double(chunks * ColumnChunk.capacity) * Double(aggregates.count + 2)
    let states = Workers.map(count: chunks, inParallel: cost > 1_000_000) { chunk in
      var state = self
      if let rows = slots.soleRows {
        state.add(chunk, sole: rows[chunk])
      } else {
        state.add(chunk, slots.slots(chunk))
      }
      return state
    }
    for state in states { result.add(state) }
    return result
  }

  /// The same with a state for each half of the chunks, where the slots are far fewer than rows.
  private func filledInHalves(by slots: GroupSlots) -> GroupState {
    let chunks = slots.chunkCount
    let isHalved = sizes.count * 4 <= chunks * ColumnChunk.capacity && chunks > 1
    let ends = isHalved ? [0, chunks / 2, chunks] : [0, chunks]
    let states = Workers.map(count: ends.count - 1, inParallel: isHalved) { half in
      var state = self
      for chunk in ends[half]..<ends[half + 1] { state.add(chunk, slots.slots(chunk)) }
      return state
    }
    var result = states[0]
    for state in states.dropFirst() { result.add(state) }
    return result
  }

  private mutating func add(_ chunk: Int, _ slots: [UInt32]) {
    slots.withUnsafeBufferPointer { slots in
      count(slots)
      for i in aggregates.indices { aggregates[i].add(chunk, slots) }
    }
  }

  private mutating func add(_ chunk: Int, sole rows: Bitmap) {
    sizes[1] += rows.popcount
    for i in aggregates.indices { aggregates[i].add(chunk, sole: rows) }
  }

  /// Four counts side by side: a count that was just written is read again only later.
  private mutating func count(_ slots: UnsafeBufferPointer<UInt32>) {
    let width = sizes.count
    guard width <= Self.sharedLimit else { return countOneByOne(slots) }
    var lanes = [UInt32](repeating: 0, count: width * 4)
    lanes.withUnsafeMutableBufferPointer { lanes in
      let whole = slots.count & ~3
      for row in stride(from: 0, to: whole, by: 4) {
        lanes[Int(slots[row])] &+= 1
        lanes[Int(slots[row + 1]) + width] &+= 1
        lanes[Int(slots[row + 2]) + 2 * width] &+= 1
        lanes[Int(slots[row + 3]) + 3 * width] &+= 1
      }
      for row in whole..<slots.count { lanes[Int(slots[row])] &+= 1 }
    }
    for slot in 0..<width {
      let sum =
        lanes[slot] + lanes[slot + width] + lanes[slot + 2 * width] + lanes[slot + 3 * width]
      sizes[slot] += Int(sum)
    }
  }

  /// Of many slots few are met twice in a row, and numbers side by side would be longer than a chunk.
  private mutating func countOneByOne(_ slots: UnsafeBufferPointer<UInt32>) {
    sizes.withUnsafeMutableBufferPointer { sizes in
      for slot in slots { sizes[Int(slot)] &+= 1 }
    }
  }

  private mutating func add(_ other: GroupState) {
    for slot in sizes.indices { sizes[slot] += other.sizes[slot] }
    for i in aggregates.indices { aggregates[i].add(other.aggregates[i]) }
  }
}
