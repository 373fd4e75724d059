import KuraBytes

/// Pseudorandom numbers, which are the same for the same seed.
struct Seeds {
  private var numbers: SplitMix64

  init(_ seed: UInt64) { numbers = SplitMix64(state: seed) }
}

extension Seeds {
  mutating func next() -> UInt64 { numbers.next() }

  /// Returns a number from 0 up to, but not including, `count`, which must not be 0.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// Returns true in one of `cases` cases.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// Returns one of several choices; nil if there are none.
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[below(choices.count)]
  }
}
