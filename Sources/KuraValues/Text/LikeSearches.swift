#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Searches for bytes in linear time: with the system's search for one byte, and without backtracking in the text
/// (Knuth-Morris-Pratt) where that byte occurs too often.
struct LiteralSearch: Sendable {
  let bytes: [UInt8]
  /// For each byte, the length of the needle's prefix that still matches after a mismatch.
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

  /// Returns the end of the first occurrence at or after a place.
  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    guard let last = bytes.last else { return place }
    guard let base = text.baseAddress else { return nil }
    let reach = bytes.count - 1
    var (next, rest) = (place + reach, text.count - place)
    defer { count += min(next, text.count) - place }
    while next < text.count {
      guard let hit = memchr(base + next, Int32(last), text.count - next) else {
        next = text.count
        return nil
      }
      next = UnsafeRawPointer(base).distance(to: hit) + 1
      let start = next - bytes.count
      if memcmp(base + start, bytes, reach) == 0 {
        return next
      }
      // Each miss may have compared the whole needle.
      rest -= bytes.count
      count += bytes.count
      if rest < 0 { return endWithoutBacktracking(in: text, from: start + 1, &count) }
    }
    return nil
  }

  private func endWithoutBacktracking(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
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

/// Searches for scalars and question marks at all starting points in parallel (bitap), with a bit
/// for each partial match. Where none is open, it continues at the next place of the first literal.
struct ScalarSearch: Sendable {
  private let first: LiteralSearch
  /// The positions at which any scalar fits.
  private var open: [UInt64]
  /// The positions at which a scalar fits, by its bytes.
  private var fits: [UInt32: [UInt64]] = [:]
  private let length: Int
  /// The positions of each ASCII scalar, if the part has at most 64 scalars; otherwise empty.
  private var asciiFits: [UInt64] = []

  /// The first step must be a literal.
  init(_ steps: [LikeSegment.Step]) {
    first = LiteralSearch(steps.first?.literal ?? [])
    let scalars = steps.flatMap(\.scalars)
    length = scalars.count
    open = [UInt64](repeating: 0, count: (length + 63) >> 6)
    for (i, scalar) in scalars.enumerated() where scalar == nil { open[i >> 6] |= 1 << (i & 63) }
    for (i, scalar) in scalars.enumerated() {
      guard let scalar else { continue }
      fits[scalar, default: open][i >> 6] |= 1 << (i & 63)
    }
    if open.count == 1 { asciiFits = (0..<128).map { (fits[$0] ?? open)[0] } }
  }

  func end(
    in text: UnsafeBufferPointer<UInt8>, from place: Int, _ count: inout Int
  ) -> Int? {
    asciiFits.isEmpty
      ? endOfLong(in: text, from: place, &count) : endOfShort(in: text, from: place, &count)
  }

  /// Searches for a part whose partial matches fit into one word.
  private func endOfShort(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ count: inout Int
  ) -> Int? {
    let last = UInt64(1) << UInt64(length - 1)
    return asciiFits.withUnsafeBufferPointer { ascii in
      var (state, place, skipped) = (UInt64(0), start, 0)
      defer { count += place - start - skipped }
      while place < text.count {
        if state == 0 {
          guard let end = first.end(in: text, from: place, &count) else { return nil }
          skipped += end - first.bytes.count - place
          place = end - first.bytes.count
        }
        let byte = text[place]
        let fit: UInt64
        if byte < 0x80 {
          fit = ascii[Int(byte)]
          place += 1
        } else {
          let next = UTF8Scalar.end(in: text, from: place)
          fit = (fits[UnsafeBufferPointer(rebasing: text[place..<next]).packed] ?? open)[0]
          place = next
        }
        state = (state << 1 | 1) & fit
        if state & last != 0 { return place }
      }
      return nil
    }
  }

  private func endOfLong(
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
  /// The bytes of each scalar as a number; nil for a question mark.
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
