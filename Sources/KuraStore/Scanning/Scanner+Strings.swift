import KuraBytes
import KuraJSON

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highs: UInt64 = 0x8080_8080_8080_8080

extension Scanner {
  /// Reads a string whose opening quote is here; `token` has its bytes between the quotes.
  @inline(__always)
  mutating func string() -> ScanStatus {
    let start = p + 1
    var at = start
    var seen: UInt64 = 0
    while true {
      let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let escape = word ^ (ones &* 0x5C)
      // The lowest set high bit is exact: a borrow runs upwards from a true hit only.
      let stop =
        ((quote &- ones) & ~quote | (escape &- ones) & ~escape | (word &- ones &* 0x20) & ~word)
        & highs
      if stop == 0 {
        seen |= word
        at += 8
        if at >= end { return .needsMore }
        continue
      }
      let ahead = stop.trailingZeroBitCount & ~7
      seen |= word & (1 << UInt64(ahead) &- 1)
      at += ahead >> 3
      break
    }
    guard at.pointee == 0x22 else { return stringWithEscapes(from: start, at: at) }
    token.start = start
    token.count = at - start
    token.isASCII = seen & highs == 0
    token.hasEscapes = false
    p = at + 1
    return .done
  }

  /// Goes on behind the first backslash: finds the end and says that the string is to be decoded.
  @inline(never)
  private mutating func stringWithEscapes(
    from start: UnsafePointer<UInt8>, at: UnsafePointer<UInt8>
  ) -> ScanStatus {
    var at = at
    var isASCII = true
    while at.pointee != 0x22 {
      if at >= end { return .needsMore }
      if at.pointee < 0x20 { return fail(.controlCharacter(at.pointee), at: at) }
      if at.pointee == 0x5C { at += 1 }
      if at.pointee >= 0x80 { isASCII = false }
      at += 1
    }
    if at >= end { return .needsMore }
    token.start = start
    token.count = at - start
    token.isASCII = isASCII
    token.hasEscapes = true
    p = at + 1
    return .done
  }
}

extension Scanner {
  /// The string that `checkedString` read last.
  var tokenText: String {
    if token.hasEscapes { return String(decoding: scratch, as: UTF8.self) }
    return String(
      decoding: UnsafeBufferPointer(start: token.start, count: token.count), as: UTF8.self)
  }

  /// Decodes the token's escapes into `scratch`.
  mutating func decode() -> ScanStatus {
    scratch.removeAll(keepingCapacity: true)
    var at: UnsafePointer<UInt8> = token.start
    let stop = at + token.count
    while at < stop {
      guard at.pointee == 0x5C else {
        scratch.append(at.pointee)
        at += 1
        continue
      }
      guard let next = decodeEscape(at, stop) else { return .failed }
      at = next
    }
    return .done
  }

  private mutating func decodeEscape(
    _ at: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    switch at[1] {
    case 0x22, 0x5C, 0x2F: scratch.append(at[1])
    case 0x62: scratch.append(0x08)
    case 0x66: scratch.append(0x0C)
    case 0x6E: scratch.append(0x0A)
    case 0x72: scratch.append(0x0D)
    case 0x74: scratch.append(0x09)
    case 0x75: return decodeUnicode(at, stop)
    default:
      _ = fail(.badEscape, at: at)
      return nil
    }
    return at + 2
  }

  private mutating func decodeUnicode(
    _ at: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    guard let first = hexadecimal(at + 2, stop) else {
      _ = fail(.badEscape, at: at)
      return nil
    }
    if let scalar = UnicodeScalar(first), let encoded = UTF8.encode(scalar) {
      scratch.append(contentsOf: encoded)
      return at + 6
    }
    let low = at + 6 < stop && at[6] == 0x5C && at[7] == 0x75 ? hexadecimal(at + 8, stop) : nil
    guard first < 0xDC00, let low, (0xDC00..<0xE000).contains(low),
      let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00)),
      let encoded = UTF8.encode(scalar)
    else {
      _ = fail(.loneSurrogate, at: at)
      return nil
    }
    scratch.append(contentsOf: encoded)
    return at + 12
  }

  private func hexadecimal(_ at: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>) -> UInt32? {
    guard at + 4 <= stop else { return nil }
    var value: UInt32 = 0
    for i in 0..<4 {
      guard let digit = hexadecimalDigit(at[i]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46, 0x61...0x66: UInt32(byte | 0x20) - 0x61 + 10
    default: nil
    }
  }
}
