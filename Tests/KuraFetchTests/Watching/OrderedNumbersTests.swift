import TestSupport
import Testing

@testable import KuraFetch

@Suite("Numbers in an order of their own")
struct OrderedNumbersTests {
  @Test("agree with a plain array after any insertions and removals")
  func againstArray() {
    var dice = SeededNumbers(seed: 7)
    for start in [0, 1, 600, 3000] {
      var plain = (0..<start).map { Int64($0 * 2) }
      var ordered = OrderedNumbers(plain)
      for _ in 0..<3000 {
        let number = Int64(dice.below(6000))
        if let index = plain.firstIndex(of: number) {
          #expect(ordered.index(of: number) == index)
          plain.remove(at: index)
          ordered.remove(number)
        } else {
          plain.insert(number, at: plain.firstIndex { $0 > number } ?? plain.count)
          ordered.insert(number) { $0 > number }
        }
      }
      #expect(ordered.count == plain.count && ordered[0..<plain.count] == plain)
      #expect(plain.indices.allSatisfy { ordered[$0] == plain[$0] })
      #expect(!ordered.contains(9999) && ordered.index(of: 9999) == nil)
    }
  }

  @Test("can be inserted at any place including the last, and all be removed")
  func places() {
    var ordered = OrderedNumbers()
    for number in 0..<2000 as Range<Int64> { ordered.insert(number, at: Int(number)) }
    ordered.insert(-1, at: 1000)
    #expect(ordered[998..<1003] == [998, 999, -1, 1000, 1001])
    for number in -1..<2000 as Range<Int64> { ordered.remove(number) }
    #expect(ordered.count == 0 && ordered[0..<0] == [])
    ordered.insert(5, at: 0)
    #expect(ordered[0] == 5)
  }

  @Test("keep the heaviest ascending run, in any order")
  func heaviest() {
    var dice = SeededNumbers(seed: 3)
    for _ in 0..<300 {
      let places = (0..<dice.below(8)).map { $0 }.shuffled(using: &dice).map {
        WeighedPlace(old: $0, weight: 1 + dice.below(4))
      }
      let stays = heaviestRun(places)
      let kept = zip(places, stays).filter(\.1).map(\.0)
      #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.old < $1.old })
      let best = (0..<1 << places.count).map { choice -> Int in
        let chosen = places.indices.filter { choice >> $0 & 1 == 1 }.map { places[$0] }
        let ascends = zip(chosen, chosen.dropFirst()).allSatisfy { $0.old < $1.old }
        return ascends ? chosen.reduce(0) { $0 + $1.weight } : 0
      }.max()
      #expect(kept.reduce(0) { $0 + $1.weight } == best)
    }
  }
}
