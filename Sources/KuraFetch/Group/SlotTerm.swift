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
