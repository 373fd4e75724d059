import KuraGraph

/// What a number adds to the sums of its slot.
///
/// A type and no closure: for a million rows the loop is one of its own for each.
protocol SlotTerm: Sendable {
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>)
}

/// How many numbers there are, and their sum.
struct CountAndSum: SlotTerm {
  @inline(__always)
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>) {
    sums[slot &* 2] += 1
    sums[slot &* 2 &+ 1] += number
  }
}

/// The squares of what the numbers differ by from the mean of their slot.
struct SquaredDeviation: SlotTerm {
  nonisolated(unsafe) let means: UnsafeBufferPointer<Double>

  @inline(__always)
  func add(_ number: Double, _ slot: Int, to sums: UnsafeMutableBufferPointer<Double>) {
    sums[slot] += (number - means[slot]) * (number - means[slot])
  }
}

/// The numbers of a chunk, and the slot of each.
struct SlottedNumbers {
  let values: ColumnChunk.Values
  let slots: [UInt32]

  /// Adds each to its slot, in their order.
  func add(to sums: inout [Double], _ term: some SlotTerm) {
    sums.withUnsafeMutableBufferPointer { add(to: $0, term) }
  }

  private func add(to sums: UnsafeMutableBufferPointer<Double>, _ term: some SlotTerm) {
    switch values {
    case .integers(let values): add(values, from: 0, to: sums, term) { Double($0) }
    case .doubles(let values): add(values, from: 0, to: sums, term) { $0 }
    case .bytes, .codes, .text, .links, .linkLists: return
    }
  }

  /// Adds each to its slot of the first sums, and those of another chunk to the second, in turns: a sum that
  /// was just written is read again only later, and each chunk's sums are what they are alone.
  func add(to sums: inout [[Double]], with other: SlottedNumbers, _ term: some SlotTerm) {
    var (first, second) = (sums[0], sums[1])
    defer { sums = [first, second] }
    first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        switch (values, other.values) {
        case (.integers(let a), .integers(let b)):
          add(a, to: first, b, other, to: second, term) { Double($0) }
        case (.doubles(let a), .doubles(let b)):
          add(a, to: first, b, other, to: second, term) { $0 }
        // A chunk of which no row is wanted may have any numbers, of which there are none.
        default:
          add(to: first, term)
          other.add(to: second, term)
        }
      }
    }
  }

  @inline(__always)
  private func add<Number: BitwiseCopyable>(
    _ a: [Number], to first: UnsafeMutableBufferPointer<Double>, _ b: [Number],
    _ other: SlottedNumbers, to second: UnsafeMutableBufferPointer<Double>,
    _ term: some SlotTerm, _ real: (Number) -> Double
  ) {
    let both = min(a.count, b.count)
    slots.withUnsafeBufferPointer { slots in
      other.slots.withUnsafeBufferPointer { others in
        a.withUnsafeBufferPointer { a in
          b.withUnsafeBufferPointer { b in
            for row in 0..<both {
              term.add(real(a[row]), Int(slots[row]), to: first)
              term.add(real(b[row]), Int(others[row]), to: second)
            }
          }
        }
      }
    }
    add(a, from: both, to: first, term, real)
    other.add(b, from: both, to: second, term, real)
  }

  @inline(__always)
  private func add<Number: BitwiseCopyable>(
    _ values: [Number], from start: Int, to sums: UnsafeMutableBufferPointer<Double>,
    _ term: some SlotTerm, _ real: (Number) -> Double
  ) {
    slots.withUnsafeBufferPointer { slots in
      for row in start..<values.count { term.add(real(values[row]), Int(slots[row]), to: sums) }
    }
  }
}
