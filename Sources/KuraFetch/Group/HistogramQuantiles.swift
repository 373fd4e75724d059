import KuraBytes
import KuraGraph

/// The two numbers next to a percentage of the way from the least to the greatest, equal if a number is exactly there,
/// and the distance from the first as a share of the distance between both.
typealias Quantile<Number> = (first: Number, second: Number, share: Double)

/// A percentile, such as the median, of a small number of groups, without sorting or gathering all numbers.
///
/// A histogram counts the numbers of each group in 4,096 ranges of equal width. Only numbers of the range that contains
/// the percentile are gathered. All cores share each of the three passes.
struct HistogramQuantiles<Number: OrderedNumber> {
  private let chunks: [ColumnChunk]
  private let numbers: @Sendable (ColumnChunk) -> [Number]?
  private let slots: GroupSlots
  private let ranges: NumberRanges
  private let percentage: Double

  /// With more groups, all numbers are gathered.
  static var mostSlots: Int { 33 }

  init(
    _ chunks: [ColumnChunk], _ slots: GroupSlots, _ percentage: Double,
    _ numbers: @escaping @Sendable (ColumnChunk) -> [Number]?
  ) {
    (self.chunks, self.slots, self.numbers) = (chunks, slots, numbers)
    self.percentage = percentage
    let bounds = Workers.map(count: slots.chunkCount, inParallel: slots.chunkCount > 2) { number in
      numbers(chunks[number]).map(NumberRanges.bounds) ?? (.max, 0)
    }
    ranges = NumberRanges(
      from: bounds.reduce(.max) { min($0, $1.least) }, to: bounds.reduce(0) { max($0, $1.greatest) }
    )
  }

  /// The two numbers at the percentage, per slot except the first; nil for an empty slot.
  var found: [Quantile<Number>?] {
    let counts = counts
    let wanted = (0..<slots.count).map { slot in
      WantedRange(
        counts[slot << NumberRanges.bits..<(slot + 1) << NumberRanges.bits], percentage)
    }
    let gathered = gathered(wanted)
    return wanted.indices.dropFirst().map { slot in
      guard let range = wanted[slot] else { return nil }
      var numbers = gathered.flatMap { $0.numbers(of: slot) }
      return numbers.withUnsafeMutableBufferPointer { numbers in
        let (first, second, share) = numbers.quantile(range.upper, range.share)
        return (Number(exactBits: first), Number(exactBits: second), share)
      }
    }
  }

  /// The number of values per slot and range.
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

  /// Returns the numbers of the wanted ranges, per core.
  private func gathered(_ wanted: [WantedRange?]) -> [GatheredRanges] {
    let room = GatheredRanges(wanted)
    let bounds = wanted.map { $0.map { (UInt32($0.first), UInt32($0.last - $0.first)) } ?? (0, 0) }
    return Workers.states(
      count: slots.chunkCount, inParallel: slots.chunkCount > 2, { room },
      { gathered, chunk in
        gathered.withAccess { room, ends in
          forEach(chunk) { slot, bits in
            // Writes always, and advances only after a wanted number: a branch would be mispredicted.
            let (first, width) = bounds[slot]
            let end = ends[slot]
            room[end] = bits
            let isWanted = UInt32(ranges.number(of: bits)) &- first <= width && slot != 0
            ends[slot] = end + (isWanted ? 1 : 0)
          }
        }
      })
  }

  /// Calls the body with the slot and the bits of each number of a chunk; rows without a number have slot 0.
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

/// A number with bits that have its order.
protocol OrderedNumber: Sendable, BitwiseCopyable {
  var exactBits: UInt64 { get }
  init(exactBits: UInt64)
}

extension Int64: OrderedNumber {
  var exactBits: UInt64 { orderedWord }
  init(exactBits: UInt64) { self.init(orderedWord: exactBits) }
}

extension Double: OrderedNumber {
  /// -0 precedes 0.
  var exactBits: UInt64 {
    bitPattern ^ (UInt64(bitPattern: Int64(bitPattern: bitPattern) >> 63) | 1 << 63)
  }

  init(exactBits: UInt64) { self.init(orderedBits: exactBits) }
}

/// Ranges of equal width, according to the bits of numbers.
private struct NumberRanges: Sendable {
  private let least: UInt64
  private let shift: UInt64

  static let bits = 12

  init(from least: UInt64, to greatest: UInt64) {
    self.least = least
    let width = greatest > least ? 64 - (greatest - least).leadingZeroBitCount : 0
    shift = UInt64(max(0, width - Self.bits))
  }

  /// Rows without a number may get any range.
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

/// The positions, in sorted numbers, of the two numbers next to a percentage.
struct QuantileRank {
  let lower: Int
  let upper: Int
  /// The distance from the lower number, as a share of the distance between both; 0 if both are the same number.
  let share: Double

  /// Returns nil if there are no numbers.
  init?(_ percentage: Double, of count: Int) {
    guard count > 0 else { return nil }
    let place = Double(count - 1) * percentage / 100
    lower = min(Int(place), count - 1)
    share = lower + 1 < count ? place - Double(lower) : 0
    upper = share == 0 ? lower : lower + 1
  }
}

/// The range or ranges that contain a percentile of a group.
private struct WantedRange: Sendable {
  /// Differs from `last` if two ranges contain the two numbers; the ranges between them are empty.
  let first: Int
  let last: Int
  /// The position of the upper number among the numbers of the ranges.
  let upper: Int
  let share: Double
  let count: Int

  /// Returns nil if there are no numbers.
  init?(_ counts: ArraySlice<UInt32>, _ percentage: Double) {
    let total = counts.reduce(0) { $0 + Int($1) }
    guard let rank = QuantileRank(percentage, of: total) else { return nil }
    let (place, before) = Self.range(of: rank.lower, counts)
    first = place
    last = Self.range(of: rank.upper, counts).place
    (upper, share) = (rank.upper - before, rank.share)
    count = counts[(counts.startIndex + first)...(counts.startIndex + last)]
      .reduce(0) { $0 + Int($1) }
  }

  /// Returns the range that contains the number at a position, and the count of numbers before that range.
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

/// The numbers of the wanted ranges of all slots, slot after slot.
private struct GatheredRanges: Sendable {
  private var numbers: [UInt64]
  private let starts: [Int]
  private var ends: [Int]

  /// Each slot has a spare place at its end, where unwanted numbers are written.
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
