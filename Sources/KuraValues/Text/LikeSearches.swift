/// Looks for bytes, never going back in the text (Knuth, Morris and Pratt).
struct LiteralSearch: Sendable {
  private let bytes: [UInt8]
  /// How much of the bytes is still found where the next one is not.
  private let borders: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var borders = [Int](repeating: 0, count: bytes.count)
    var border = 0
    for i in bytes.indices.dropFirst() {
      while border > 0, bytes[border] != bytes[i] { border = borders[border - 1] }
      if bytes[border] == bytes[i] { border += 1 }
      borders[i] = border
    }
    self.borders = borders
  }

  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    guard !bytes.isEmpty else { return place }
    var found = 0
    for i in place..<text.count {
      count += 1
      while found > 0, bytes[found] != text[i] {
        found = borders[found - 1]
        count += 1
      }
      if bytes[found] == text[i] { found += 1 }
      if found == bytes.count { return i + 1 }
    }
    return nil
  }
}

/// Looks for scalars with question marks among them, for all beginnings at once: a bit is set for
/// each that fits so far.
struct ScalarSearch: Sendable {
  /// Where any scalar fits.
  private var open: [UInt64]
  /// Where a scalar fits, by its bytes.
  private var fits: [UInt32: [UInt64]] = [:]
  private let length: Int

  init(_ steps: [LikeSegment.Step]) {
    let scalars = steps.flatMap(\.scalars)
    length = scalars.count
    open = [UInt64](repeating: 0, count: (length + 63) >> 6)
    for (i, scalar) in scalars.enumerated() where scalar == nil { open[i >> 6] |= 1 << (i & 63) }
    for (i, scalar) in scalars.enumerated() {
      guard let scalar else { continue }
      fits[scalar, default: open][i >> 6] |= 1 << (i & 63)
    }
  }

  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    var state = [UInt64](repeating: 0, count: open.count)
    let last = UInt64(1) << ((length - 1) & 63)
    var place = place
    while place < text.count {
      let next = UTF8Scalar.end(in: text, from: place)
      let fit = fits[UnsafeBufferPointer(rebasing: text[place..<next]).packed] ?? open
      var carry: UInt64 = 1
      for word in state.indices {
        let shifted = state[word] << 1 | carry
        carry = state[word] >> 63
        state[word] = shifted & fit[word]
      }
      count += state.count
      place = next
      if state[state.count - 1] & last != 0 { return place }
    }
    return nil
  }
}

extension LikeSegment.Step {
  /// The bytes of each scalar as a number, nil for any.
  fileprivate var scalars: [UInt32?] {
    switch self {
    case .one: [nil]
    case .literal(let bytes):
      bytes.withUnsafeBufferPointer { bytes in
        var scalars: [UInt32?] = []
        var place = 0
        while place < bytes.count {
          let next = UTF8Scalar.end(in: bytes, from: place)
          scalars.append(UnsafeBufferPointer(rebasing: bytes[place..<next]).packed)
          place = next
        }
        return scalars
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Up to four bytes as a number.
  fileprivate var packed: UInt32 { reduce(0) { $0 << 8 | UInt32($1) } }
}
