/// Random numbers that are the same for the same seed, so that a failure can be repeated
/// (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension SeededNumbers {
  /// Returns a number from 0 up to, but not including, `count`.
  package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  package mutating func flip() -> Bool { next() & 1 == 1 }

  /// Returns true in one of `cases` cases.
  package mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  package mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
    choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
  }

  /// The same without generic indices, which take most of the time in a debug build.
  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
