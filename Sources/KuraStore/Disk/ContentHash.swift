/// XXH64 with two seeds at once, computed incrementally: the 128 bits that name a document.
///
///     var hash = ContentHash()
///     hash.add(bytes)            // as often as there is more
///     hash.value.text            // "ef46db3751d8e999d5afba1336a3be4b" of nothing
///
/// The first half is XXH64 with seed 0, the second with seed 1, as the xxHash specification defines
/// it. It detects accidental changes, not forgery. Speed: several gigabytes per second.
package struct ContentHash: Sendable {
  private var first = LaneState(seed: 0)
  private var second = LaneState(seed: 1)
  /// The last bytes, less than a stripe of 32.
  private var rest: [UInt8] = []
  package private(set) var count: UInt64 = 0

  package init() { rest.reserveCapacity(32) }
}

/// 128 bits of a document's content.
package struct HashValue: Sendable, Hashable {
  package var high: UInt64
  package var low: UInt64
}

extension ContentHash {
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(32 - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == 32 else { return }
      addFullRest()
    }
    let end = start + (bytes.count - start) & ~31
    addStripes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    rest += bytes[end...]
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  package var value: HashValue {
    rest.withUnsafeBytes { tail in
      HashValue(high: first.finish(tail, count), low: second.finish(tail, count))
    }
  }

  private mutating func addFullRest() {
    let stripe = rest
    rest.removeAll(keepingCapacity: true)
    stripe.withUnsafeBytes { addStripes($0) }
  }

  private mutating func addStripes(_ bytes: UnsafeRawBufferPointer) {
    // Local values stay in registers.
    var (a, b) = (first, second)
    for offset in stride(from: 0, to: bytes.count, by: 32) {
      a.add(bytes, at: offset)
      b.add(bytes, at: offset)
    }
    (first, second) = (a, b)
  }
}

extension UInt64 {
  /// XXH64 with seed 0: the checksum of records and of a cache's table of contents.
  ///
  ///     UInt64(checksumOf: Array("abc".utf8))   // 0x44bc2cf5ad770999
  package init(checksumOf bytes: some Sequence<UInt8>) {
    self = Array(bytes).withUnsafeBytes { UInt64(checksumOf: $0, seed: 0) }
  }

  /// Computes XXH64 of a complete buffer in one pass with one seed.
  init(checksumOf bytes: UnsafeRawBufferPointer, seed: UInt64) {
    var lanes = LaneState(seed: seed)
    var offset = 0
    while offset + 32 <= bytes.count {
      lanes.add(bytes, at: offset)
      offset += 32
    }
    self = lanes.finish(
      UnsafeRawBufferPointer(rebasing: bytes[offset...]), UInt64(bytes.count))
  }
}

private let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
private let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
private let prime3: UInt64 = 0x1656_67B1_9E37_79F9
private let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
private let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

private func rotate(_ x: UInt64, _ count: UInt64) -> UInt64 { x &<< count | x &>> (64 &- count) }

private func round(_ lane: UInt64, _ product: UInt64) -> UInt64 {
  rotate(lane &+ product, 31) &* prime1
}

/// The four lanes of XXH64 for one seed.
private struct LaneState: Sendable {
  private let seed: UInt64
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  init(seed: UInt64) {
    self.seed = seed
    a = seed &+ prime1 &+ prime2
    b = seed &+ prime2
    c = seed
    d = seed &- prime1
  }

  /// Adds a stripe of 32 bytes.
  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func product(_ lane: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: offset + lane, as: UInt64.self).littleEndian &* prime2
    }
    a = round(a, product(0))
    b = round(b, product(8))
    c = round(c, product(16))
    d = round(d, product(24))
  }

  /// Returns the digest of all stripes and the remaining bytes, fewer than 32.
  func finish(_ tail: UnsafeRawBufferPointer, _ count: UInt64) -> UInt64 {
    var hash = (count >= 32 ? joined : seed &+ prime5) &+ count
    var i = 0
    while i + 8 <= tail.count {
      let word = tail.loadUnaligned(fromByteOffset: i, as: UInt64.self).littleEndian
      hash = rotate(hash ^ round(0, word &* prime2), 27) &* prime1 &+ prime4
      i += 8
    }
    if i + 4 <= tail.count {
      let word = UInt64(tail.loadUnaligned(fromByteOffset: i, as: UInt32.self).littleEndian)
      hash = rotate(hash ^ (word &* prime1), 23) &* prime2 &+ prime3
      i += 4
    }
    for byte in tail[i...] { hash = rotate(hash ^ (UInt64(byte) &* prime5), 11) &* prime1 }
    return avalanche(hash)
  }

  private var joined: UInt64 {
    var hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
    for lane in [a, b, c, d] { hash = (hash ^ round(0, lane &* prime2)) &* prime1 &+ prime4 }
    return hash
  }

  private func avalanche(_ hash: UInt64) -> UInt64 {
    var hash = (hash ^ (hash &>> 33)) &* prime2
    hash = (hash ^ (hash &>> 29)) &* prime3
    return hash ^ (hash &>> 32)
  }
}

extension UInt64 {
  /// Sixteen digits: `00000000000000ff`
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads exactly what `hexadecimal` writes.
  package init?(hexadecimal text: some StringProtocol) {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard text.utf8.count == 16, isPlain else { return nil }
    self.init(text, radix: 16)
  }
}

extension HashValue {
  /// Thirty-two digits.
  package var text: String { high.hexadecimal + low.hexadecimal }

  package init?(text: String) {
    guard text.utf8.count == 32, let high = UInt64(hexadecimal: text.prefix(16)),
      let low = UInt64(hexadecimal: text.suffix(16))
    else { return nil }
    self.init(high: high, low: low)
  }
}
