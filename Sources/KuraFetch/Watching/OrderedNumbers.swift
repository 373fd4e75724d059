/// An ordered list of objectIDs with lookup by place and by number.
///
/// It consists of blocks of a few hundred numbers. Inserting, removing and finding a place take logarithmic time plus a
/// scan of the blocks' counts.
struct OrderedNumbers: Sendable {
  private struct Block {
    let id: UInt32
    var numbers: [Int64]
  }

  private static var capacity: Int { 512 }

  private var blocks: [Block] = []
  /// The number of elements per block, contiguous for the sums.
  private var counts: [UInt32] = []
  /// The position of each block, by its ID.
  private var positions: [UInt32] = []
  /// The IDs of removed blocks.
  private var idle: [UInt32] = []
  /// The block ID of each number.
  private var homes: [Int64: UInt32] = [:]

  /// Creates a list of distinct numbers.
  init(_ numbers: [Int64] = []) {
    homes.reserveCapacity(numbers.count)
    var first = 0
    while first < numbers.count {
      let end = min(numbers.count, first + Self.capacity / 2)
      add(Array(numbers[first..<end]), at: blocks.count)
      first = end
    }
  }

  var count: Int { homes.count }

  func contains(_ number: Int64) -> Bool { homes[number] != nil }
}

// Reading
extension OrderedNumbers {
  /// Returns the place of a number, from 0; nil if it is not in the list.
  func index(of number: Int64) -> Int? {
    guard let home = homes[number] else { return nil }
    let position = Int(positions[Int(home)])
    guard let inside = blocks[position].numbers.firstIndex(of: number) else { return nil }
    return before(position) + inside
  }

  private func before(_ position: Int) -> Int {
    counts[..<position].reduce(0) { $0 &+ Int($1) }
  }

  /// The number at a place.
  subscript(index: Int) -> Int64 {
    let (position, inside) = place(of: index)
    return blocks[position].numbers[inside]
  }

  private func place(of index: Int) -> (position: Int, inside: Int) {
    var rest = index
    for (position, count) in counts.enumerated() {
      if rest < Int(count) { return (position, rest) }
      rest -= Int(count)
    }
    let last = max(0, blocks.count - 1)
    return (last, blocks.isEmpty ? 0 : blocks[last].numbers.count)
  }

  /// The numbers in a range of places.
  subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var (position, inside) = place(of: range.lowerBound)
    var result: [Int64] = []
    result.reserveCapacity(range.count)
    while result.count < range.count {
      let numbers = blocks[position].numbers
      result += numbers[inside..<min(numbers.count, inside + range.count - result.count)]
      (position, inside) = (position + 1, 0)
    }
    return result
  }
}

// Changing
extension OrderedNumbers {
  mutating func remove(_ number: Int64) {
    guard let home = homes.removeValue(forKey: number) else { return }
    let position = Int(positions[Int(home)])
    if let inside = blocks[position].numbers.firstIndex(of: number) {
      blocks[position].numbers.remove(at: inside)
      counts[position] -= 1
    }
    guard blocks[position].numbers.isEmpty else { return }
    idle.append(blocks.remove(at: position).id)
    counts.remove(at: position)
    place(from: position)
  }

  /// Inserts a number before the first element for which the test holds; it must hold for all later ones too.
  mutating func insert<Failure: Error>(
    _ number: Int64, before isAfter: (Int64) throws(Failure) -> Bool
  ) throws(Failure) {
    guard !blocks.isEmpty else { return add([number], at: 0) }
    let next = try blocks.indices.partitioningIndex { i throws(Failure) in
      try isAfter(blocks[i].numbers[0])
    }
    let position = max(0, next - 1)
    let numbers = blocks[position].numbers
    let inside = try numbers.indices.partitioningIndex { i throws(Failure) in
      try isAfter(numbers[i])
    }
    insert(number, position, inside)
  }

  mutating func insert(_ number: Int64, at index: Int) {
    guard !blocks.isEmpty else { return add([number], at: 0) }
    let (position, inside) = place(of: index)
    insert(number, position, min(inside, blocks[position].numbers.count))
  }

  private mutating func insert(_ number: Int64, _ position: Int, _ inside: Int) {
    blocks[position].numbers.insert(number, at: inside)
    counts[position] += 1
    homes[number] = blocks[position].id
    guard blocks[position].numbers.count > Self.capacity else { return }
    let half = blocks[position].numbers.count / 2
    let upper = Array(blocks[position].numbers[half...])
    blocks[position].numbers.removeLast(upper.count)
    counts[position] -= UInt32(truncatingIfNeeded: upper.count)
    add(upper, at: position + 1)
  }

  private mutating func add(_ numbers: [Int64], at position: Int) {
    let id = idle.popLast() ?? UInt32(truncatingIfNeeded: positions.count)
    if Int(id) == positions.count { positions.append(0) }
    blocks.insert(Block(id: id, numbers: numbers), at: position)
    counts.insert(UInt32(truncatingIfNeeded: numbers.count), at: position)
    for number in numbers { homes[number] = id }
    place(from: position)
  }

  private mutating func place(from position: Int) {
    for i in position..<blocks.count {
      positions[Int(blocks[i].id)] = UInt32(truncatingIfNeeded: i)
    }
  }
}
