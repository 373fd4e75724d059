/// Numbers of objects in an order of their own, each found by its place, and its place by it.
///
/// Blocks of some hundred numbers: to insert, to remove and to find a place take the logarithm of
/// the count, and a walk over the blocks' counts.
struct OrderedNumbers: Sendable {
  private struct Block {
    let id: UInt32
    var numbers: [Int64]
  }

  private static var capacity: Int { 512 }

  private var blocks: [Block] = []
  /// How many numbers each block has, side by side for the sums.
  private var counts: [UInt32] = []
  /// Where the block with an id stands.
  private var positions: [UInt32] = []
  /// The ids of blocks that are gone.
  private var idle: [UInt32] = []
  /// The id of each number's block.
  private var homes: [Int64: UInt32] = [:]

  /// Takes numbers of which no two are equal, in their order.
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

// Asking
extension OrderedNumbers {
  /// The place of a number, from 0; nil if it is not there.
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

  /// The numbers of some places.
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

  /// Puts a number before the first one of which it is so, which is so of all behind it too.
  mutating func insert<Failure: Error>(
    _ number: Int64, before isBehind: (Int64) throws(Failure) -> Bool
  ) throws(Failure) {
    guard !blocks.isEmpty else { return add([number], at: 0) }
    let position = max(
      0,
      try firstPlace(blocks.count) { i throws(Failure) in try isBehind(blocks[i].numbers[0]) } - 1)
    let numbers = blocks[position].numbers
    let inside = try firstPlace(numbers.count) { i throws(Failure) in try isBehind(numbers[i]) }
    insert(number, position, inside)
  }

  /// Puts a number at a place.
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

/// The first place from which on something is so.
private func firstPlace<Failure: Error>(
  _ count: Int, _ isSo: (Int) throws(Failure) -> Bool
) throws(Failure) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if try isSo(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
