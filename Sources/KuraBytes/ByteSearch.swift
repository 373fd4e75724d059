#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A search for bytes that scans for the rarest byte of the needle.
///
///     let search = ByteSearch(Array("生".utf8), sample: bytes)
///     search.next(in: bytes, from: 0)   // the place of the first 生, or nil
///
/// The system's search for one byte compares many bytes at a time; the rarer the byte, the less
/// often it stops. A sample of the text determines which byte of the needle is rare.
package struct ByteSearch: Sendable {
  private let needle: [UInt8]
  /// The index of the byte to scan for.
  private let anchor: Int

  /// Prepares a needle of at least one byte, for texts like the sample.
  package init(_ needle: [UInt8], sample: UnsafeBufferPointer<UInt8>) {
    self.needle = needle
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample.prefix(2048) { counts[Int(byte)] += 1 }
    anchor = needle.indices.min { counts[Int(needle[$0])] < counts[Int(needle[$1])] } ?? 0
  }

  /// Returns the first index of the needle at or after `start`; nil if there is none.
  ///
  /// Linear in the bytes except for contrived texts; in the worst case, linear in the product of
  /// both lengths.
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
  /// Returns whether the array contains any of some bytes, with the system's search for each.
  package func has(anyOf others: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return others.contains { memchr(start, Int32($0), bytes.count) != nil }
    }
  }
}

/// A pseudorandom generator that gives the same numbers for the same state on every machine.
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
