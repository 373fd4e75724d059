#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Looks for a needle in many bytes by its rarest byte.
///
///     let search = ByteSearch(Array("生".utf8), sample: bytes)
///     search.next(in: bytes, from: 0)   // the place of the first 生, or nil
///
/// The system's search for one byte takes many bytes at a time; the rarer the byte, the farther it
/// goes without stopping. Which byte of the needle is rare is counted in a sample of the text.
package struct ByteSearch: Sendable {
  private let needle: [UInt8]
  /// The place of the byte that is looked for.
  private let anchor: Int

  /// Prepares a needle of one byte or more for texts like the sample.
  package init(_ needle: [UInt8], sample: UnsafeBufferPointer<UInt8>) {
    self.needle = needle
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample.prefix(2048) { counts[Int(byte)] += 1 }
    anchor = needle.indices.min { counts[Int(needle[$0])] < counts[Int(needle[$1])] } ?? 0
  }

  /// The first place from `start` on where the needle stands, or nil.
  ///
  /// Linear in the bytes for all but contrived texts; there it is their product at the worst.
  package func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, !needle.isEmpty else { return nil }
    return needle.withUnsafeBufferPointer { pattern -> Int? in
      guard let pattern = pattern.baseAddress else { return nil }
      var place = start + anchor
      let last = bytes.count - needle.count + anchor
      while place <= last, let hit = memchr(base + place, Int32(pattern[anchor]), last - place + 1)
      {
        let at = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
        if memcmp(base + (at - anchor), pattern, needle.count) == 0 { return at - anchor }
        place = at + 1
      }
      return nil
    }
  }
}

extension [UInt8] {
  /// Whether one of some bytes is among these, by the system's search for each.
  package func has(anyOf others: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return others.contains { memchr(start, Int32($0), bytes.count) != nil }
    }
  }
}

/// Numbers as by chance, which are the same for the same state on every machine.
///
/// Sebastiano Vigna's SplitMix64, https://prng.di.unimi.it/splitmix64.c
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
