import KuraBytes

/// Pseudorandom numbers, which are the same for the same seed and differ for neighboring seeds.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var numbers: SplitMix64

  package init(seed: UInt64) {
    numbers = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x2545_F491_4F6C_DD1D)
  }

  package mutating func next() -> UInt64 { numbers.next() }
}

extension SeededNumbers {
  /// Returns true with a probability in percent.
  package mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}
