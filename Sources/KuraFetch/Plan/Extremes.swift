import KuraGraph

/// The least or greatest numbers of the owners' rows.
struct Extremes<Number: BitwiseCopyable & Sendable>: Sendable {
  var numbers: [Number]
  /// Whether an owner has one.
  var isThere: [Bool]
  /// Whether all chunks were of numbers and links.
  var isWell = true

  init(_ owners: Int, _ zero: Number) {
    numbers = Array(repeating: zero, count: owners)
    isThere = Array(repeating: false, count: owners)
  }

  /// Adds a chunk's values to those they belong to; without a look at who owns the arrays, which the
  /// cores would count against each other.
  @inline(__always)
  mutating func add(
    _ values: [Number], _ nulls: Bitmap?, _ links: [UInt32], _ isBetter: (Number, Number) -> Bool
  ) {
    let none = noRow
    numbers.withUnsafeMutableBufferPointer { numbers in
      isThere.withUnsafeMutableBufferPointer { isThere in
        values.withUnsafeBufferPointer { values in
          for (row, link) in links.enumerated() where link != none && nulls?.has(row) != true {
            let owner = Int(link)
            if !isThere[owner] || isBetter(values[row], numbers[owner]) {
              numbers[owner] = values[row]
              isThere[owner] = true
            }
          }
        }
      }
    }
  }

  /// Adds what another core has found.
  mutating func add(_ other: Extremes, _ isBetter: (Number, Number) -> Bool) {
    isWell = isWell && other.isWell
    for owner in numbers.indices where other.isThere[owner] {
      if !isThere[owner] || isBetter(other.numbers[owner], numbers[owner]) {
        numbers[owner] = other.numbers[owner]
        isThere[owner] = true
      }
    }
  }
}
