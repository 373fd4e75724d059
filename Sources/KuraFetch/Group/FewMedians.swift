import KuraBytes
import KuraGraph

/// The middle numbers of few groups, without a place for each number.
///
/// The numbers of a group are counted by 4096 ranges of the same width; only those of the range in which
/// its middle lies are gathered. Three passes, each shared by all cores.
struct FewMedians<Number: OrderedNumber> {
  private let chunks: [ColumnChunk]
  private let numbers: @Sendable (ColumnChunk) -> [Number]?
  private let slots: GroupSlots
  private let ranges: NumberRanges

  /// More groups have their numbers gathered.
  static var mostSlots: Int { 33 }

  init(
    _ chunks: [ColumnChunk], _ slots: GroupSlots,
    _ numbers: @escaping @Sendable (ColumnChunk) -> [Number]?
  ) {
    (self.chunks, self.slots, self.numbers) = (chunks, slots, numbers)
    let bounds = Workers.map(count: slots.chunkCount, inParallel: slots.chunkCount > 2) { number in
      numbers(chunks[number]).map(NumberRanges.bounds) ?? (.max, 0)
    }
    ranges = NumberRanges(
      from: bounds.reduce(.max) { min($0, $1.least) }, to: bounds.reduce(0) { max($0, $1.greatest) }
    )
  }

  /// The middle number of a group, or the two of which the mean is meant.
  struct Middle {
    let first: Number
    let second: Number
    fileprivate let isOne: Bool

    var only: Number? { isOne ? first : nil }
  }

  /// The one or two middle numbers of each slot but the first; none of an empty one.
  var middles: [Middle?] {
    let counts = counts
    let wanted = (0..<slots.count).map { slot in
      WantedRange(counts[slot << NumberRanges.bits..<(slot + 1) << NumberRanges.bits])
    }
    let gathered = gathered(wanted)
    return wanted.indices.dropFirst().map { slot in
      guard let range = wanted[slot] else { return nil }
      var numbers = gathered.flatMap { $0.numbers(of: slot) }
      return numbers.withUnsafeMutableBufferPointer { numbers in
        numbers.select(range.middle)
        let last = numbers[range.middle]
        let first = range.isEven ? numbers[..<range.middle].max() ?? last : last
        return Middle(
          first: Number(exactBits: first), second: Number(exactBits: last),
          isOne: !range.isEven)
      }
    }
  }

  /// How many numbers each slot has in each range.
  private var counts: [UInt32] {
    let none = [UInt32](repeating: 0, count: slots.count << NumberRanges.bits)
    let parts = Workers.states(
      count: slots.chunkCount, inParallel: slots.chunkCount > 2, { none },
      { counts, chunk in
        counts.withUnsafeMutableBufferPointer { counts in
          forEach(chunk) { slot, bits in
            counts[slot << NumberRanges.bits | ranges.number(of: bits)] &+= 1
          }
        }
      })
    return parts.dropFirst().reduce(parts.first ?? none) { zip($0, $1).map(&+) }
  }

  /// The numbers of the wanted ranges, as each core has met them.
  private func gathered(_ wanted: [WantedRange?]) -> [GatheredRanges] {
    let room = GatheredRanges(wanted)
    let bounds = wanted.map { $0.map { (UInt32($0.first), UInt32($0.last - $0.first)) } ?? (0, 0) }
    return Workers.states(
      count: slots.chunkCount, inParallel: slots.chunkCount > 2, { room },
      { gathered, chunk in
        gathered.withAccess { room, ends in
          forEach(chunk) { slot, bits in
            // Written each time, and kept where it is one: a branch would be guessed wrong.
            let (first, width) = bounds[slot]
            let end = ends[slot]
            room[end] = bits
            let isWanted = UInt32(ranges.number(of: bits)) &- first <= width && slot != 0
            ends[slot] = end + (isWanted ? 1 : 0)
          }
        }
      })
  }

  /// Calls the body with the slot and the bits of each number of a chunk; slot 0 has what is none.
  @inline(__always)
  private func forEach(_ chunk: Int, _ body: (Int, UInt64) -> Void) {
    guard let numbers = numbers(chunks[chunk]) else { return }
    var places = slots.slots(chunk)
    chunks[chunk].nulls?.eachRow { if $0 < places.count { places[$0] = 0 } }
    places.withUnsafeBufferPointer { places in
      numbers.withUnsafeBufferPointer { numbers in
        for row in 0..<min(places.count, numbers.count) {
          body(Int(places[row]), numbers[row].exactBits)
        }
      }
    }
  }
}

/// A number with bits that are ordered as it is.
protocol OrderedNumber: Sendable, BitwiseCopyable {
  var exactBits: UInt64 { get }
  init(exactBits: UInt64)
}

extension Int64: OrderedNumber {
  var exactBits: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
  init(exactBits: UInt64) { self = Int64(bitPattern: exactBits ^ 1 << 63) }
}

extension Double: OrderedNumber {
  /// -0 stands before 0.
  var exactBits: UInt64 {
    bitPattern ^ (UInt64(bitPattern: Int64(bitPattern: bitPattern) >> 63) | 1 << 63)
  }

  init(exactBits: UInt64) {
    self.init(bitPattern: exactBits >> 63 == 1 ? exactBits ^ 1 << 63 : ~exactBits)
  }
}

/// Numbers in ranges of the same width, by their bits.
private struct NumberRanges: Sendable {
  private let least: UInt64
  private let shift: UInt64

  static let bits = 12

  init(from least: UInt64, to greatest: UInt64) {
    self.least = least
    let width = greatest > least ? 64 - (greatest - least).leadingZeroBitCount : 0
    shift = UInt64(max(0, width - Self.bits))
  }

  /// Rows without a number may have any.
  @inline(__always)
  func number(of bits: UInt64) -> Int {
    Int(truncatingIfNeeded: (bits &- least) >> shift) & (1 << Self.bits - 1)
  }

  static func bounds<Number: OrderedNumber>(
    _ numbers: [Number]
  ) -> (least: UInt64, greatest: UInt64) {
    var (least, greatest) = (UInt64.max, UInt64(0))
    for number in numbers {
      let bits = number.exactBits
      (least, greatest) = (min(least, bits), max(greatest, bits))
    }
    return (least, greatest)
  }
}

/// The ranges in which the middle of a group lies.
private struct WantedRange: Sendable {
  /// Two where the middle ones are in ranges of their own; nothing lies between them.
  let first: Int
  let last: Int
  /// The place of the middle one, of two the second, among the numbers of the ranges.
  let middle: Int
  let isEven: Bool
  let count: Int

  /// Nil of no numbers.
  init?(_ counts: ArraySlice<UInt32>) {
    let total = counts.reduce(0) { $0 + Int($1) }
    guard total > 0 else { return nil }
    isEven = total % 2 == 0
    let (place, before) = Self.range(of: isEven ? total / 2 - 1 : total / 2, counts)
    first = place
    last = Self.range(of: total / 2, counts).place
    middle = total / 2 - before
    count = counts[(counts.startIndex + first)...(counts.startIndex + last)]
      .reduce(0) { $0 + Int($1) }
  }

  /// The range that has the number at a place, and how many lie before it.
  private static func range(
    of place: Int, _ counts: ArraySlice<UInt32>
  ) -> (place: Int, before: Int) {
    var before = 0
    for (range, count) in counts.enumerated() {
      if before + Int(count) > place { return (range, before) }
      before += Int(count)
    }
    return (counts.count - 1, before)
  }
}

/// The numbers of one range for each slot, each behind those of the slot before.
private struct GatheredRanges: Sendable {
  private var numbers: [UInt64]
  private let starts: [Int]
  private var ends: [Int]

  /// One place more for each: what is not kept is written behind the others.
  init(_ wanted: [WantedRange?]) {
    var starts: [Int] = []
    var end = 0
    for range in wanted {
      starts.append(end)
      end += (range?.count ?? 0) + 1
    }
    numbers = Array(repeating: 0, count: end)
    (self.starts, ends) = (starts, starts)
  }

  @inline(__always)
  mutating func withAccess(
    _ body: (UnsafeMutableBufferPointer<UInt64>, UnsafeMutableBufferPointer<Int>) -> Void
  ) {
    numbers.withUnsafeMutableBufferPointer { numbers in
      ends.withUnsafeMutableBufferPointer { body(numbers, $0) }
    }
  }

  func numbers(of slot: Int) -> ArraySlice<UInt64> { numbers[starts[slot]..<ends[slot]] }
}
