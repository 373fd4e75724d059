import KuraGraph
import KuraModel
import TestSupport
import Testing

@testable import KuraFetch

@Suite("The percentiles of few groups") struct HistogramQuantileTests {
  @Test("equal the percentiles of the sorted numbers", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func integers(seed: UInt64) {
    var dice = SeededNumbers(seed: seed)
    let kinds: [(inout SeededNumbers) -> Int64] = [
      { Int64($0.below(5)) }, { _ in .max }, { $0.flip() ? .min : .max },
      { Int64($0.below(1 << 30)) - 1 << 29 }, { Int64($0.below(100)) << 40 },
      { Int64(truncatingIfNeeded: $0.next()) },
    ]
    check(seed) {
      kinds[Int(seed) - 1](&dice)
    } _: {
      .integers($0)
    }
  }

  @Test("equal the percentiles of the sorted fractions", arguments: [1, 2, 3, 4] as [UInt64])
  func doubles(seed: UInt64) {
    var dice = SeededNumbers(seed: seed)
    let kinds: [(inout SeededNumbers) -> Double] = [
      { Double($0.below(100_000)) / 7 }, { [-1e300, 1e-300, 0, 3][$0.below(4)] },
      { Double($0.below(9)) - 4.5 }, { _ in 2.5 },
    ]
    check(seed) {
      kinds[Int(seed) - 1](&dice)
    } _: {
      .doubles($0)
    }
  }

  /// Checks three chunks with five slots, the last of which is empty, and rows without a number.
  private func check<Number: OrderedNumber & Comparable>(
    _ seed: UInt64, _ number: () -> Number, _ values: ([Number]) -> ColumnChunk.Values
  ) {
    var dice = SeededNumbers(seed: seed &* 31)
    var (chunks, slots): ([ColumnChunk], [[UInt32]]) = ([], [])
    var all = [[Number]](repeating: [], count: 6)
    for size in [16_384, 501, 1] {
      let numbers = (0..<size).map { _ in number() }
      var nulls = Bitmap(count: size)
      let places = (0..<size).map { row -> UInt32 in
        let slot = UInt32(dice.below(5))
        if dice.oneIn(6) { nulls.insert(row) } else { all[Int(slot)].append(numbers[row]) }
        return slot
      }
      chunks.append(ColumnChunk(values(numbers), nulls: nulls))
      slots.append(places)
    }
    for percentage in [0, 1, 12.5, 50, 90, 99.9, 100] {
      let quantiles = HistogramQuantiles<Number>(
        chunks, .stored(slots, count: 6), percentage
      ) { chunk in
        chunk.integers as? [Number] ?? chunk.doubles as? [Number]
      }
      let found = quantiles.found.map { $0.map { [$0.first, $0.second] } }
      let wanted = all.dropFirst().map { numbers -> [Number]? in
        let sorted = numbers.sorted()
        if sorted.isEmpty { return nil }
        let place = Double(sorted.count - 1) * percentage / 100
        return [sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))]]
      }
      #expect(found == wanted, "seed \(seed), \(percentage)")
    }
  }
}
