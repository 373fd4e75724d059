/// Numbers as by chance, which come again with their seed (SplitMix64).
struct Seeds {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }
}

extension Seeds {
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0, below another, which is not 0.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// Whether one of so many cases came.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// One of some; nil of none.
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[below(choices.count)]
  }
}
