import KuraBytes

/// Numbers as by chance, which come again with their seed.
struct Seeds {
  private var numbers: SplitMix64

  init(_ seed: UInt64) { numbers = SplitMix64(state: seed) }
}

extension Seeds {
  mutating func next() -> UInt64 { numbers.next() }

  /// A number from 0, below another, which is not 0.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// Whether one of so many cases came.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// One of some; nil of none.
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[below(choices.count)]
  }
}
