import Foundation
import KuraJSON
import KuraValues

/// Reads JSON from the bytes of a window.
///
/// A method that reaches the end of the window returns `needsMore`, and the caller may return to
/// its start. A zero byte follows the window's end.
struct Scanner {
  /// The current place.
  var p: UnsafePointer<UInt8>
  /// The place after the last byte.
  var end: UnsafePointer<UInt8>
  /// The fault, after a `failed`.
  var fault: JSONSyntaxError.Kind?
  /// The place of the fault, after a `failed`.
  var faultPlace: UnsafePointer<UInt8>
  /// The last string, number or nested value.
  var token = Token()
  /// Decoded text of strings with escapes.
  var scratch: [UInt8] = []

  /// The greatest depth of nested brackets.
  static let nestingLimit = 512

  init(_ window: InputWindow) {
    p = UnsafePointer(window.start)
    end = UnsafePointer(window.end)
    faultPlace = p
  }

  /// Reads bytes that have been read before; a zero byte must follow them.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    p = start
    end = start + count
    faultPlace = p
  }

  /// The last value that was read, by its bytes in the window.
  struct Token {
    var start: UnsafePointer<UInt8>! = nil
    var count = 0
    /// Whether all bytes of the string are ASCII.
    var isASCII = true
    /// Whether the string has escapes and must be decoded.
    var hasEscapes = false
    var integer: Int64 = 0
    var double: Double = 0
    /// Whether the digits fit into neither 64 bits nor a double.
    var isWide = false
    /// Whether a number that is not zero is nearer to zero than any double.
    var isTooSmall = false
  }
}

extension Scanner {
  @inline(__always)
  mutating func skipBlanks() {
    while p.pointee <= 0x20 {
      switch p.pointee {
      case 0x20, 0x0A, 0x0D, 0x09: p += 1
      default: return
      }
    }
  }

  /// Records a fault, or returns `needsMore` if the window ended here.
  mutating func fail(_ kind: JSONSyntaxError.Kind, at place: UnsafePointer<UInt8>) -> ScanStatus {
    if place >= end { return .needsMore }
    fault = kind
    faultPlace = place
    return .failed
  }

  /// Skips whitespace and reads the colon after a key.
  @inline(__always)
  mutating func colon() -> ScanStatus {
    skipBlanks()
    guard p.pointee == 0x3A else { return failExpecting(.colon) }
    p += 1
    return .done
  }

  /// Fails because something other than `expected` follows.
  @inline(never)
  mutating func failExpecting(_ expected: JSONSyntaxError.Expectation) -> ScanStatus {
    fail(.unexpectedByte(p.pointee, expected: expected), at: p)
  }
}

/// The result of a step of a scan.
enum ScanStatus {
  /// The step is complete.
  case done
  /// The window ended inside the step: read more and repeat it.
  case needsMore
  /// The bytes are invalid; see `Scanner.fault` and `Scanner.faultPlace`.
  case failed
}

extension Scanner {
  /// Skips the value that begins here; `token` has its bytes.
  mutating func skipValue() -> ScanStatus {
    let start = p
    // A bit for each open bracket; 1 for an object.
    var kinds = [UInt64](repeating: 0, count: Scanner.nestingLimit / 64)
    var depth = 0
    while true {
      skipBlanks()
      switch p.pointee {
      case 0x7B, 0x5B:
        let isObject = p.pointee == 0x7B
        guard depth < Scanner.nestingLimit else {
          return fail(.tooDeep(limit: Scanner.nestingLimit), at: p)
        }
        setBit(&kinds, depth, isObject)
        depth += 1
        p += 1
        skipBlanks()
        if p.pointee == (isObject ? 0x7D : 0x5D) {
          p += 1
          depth -= 1
        } else {
          if isObject, case let status = skipKey(), status != .done { return status }
          continue
        }
      default:
        let status = skipScalar()
        if status != .done { return status }
      }
      // After a value: close what closes here, then move to the next value.
      while depth > 0 {
        skipBlanks()
        let isObject = bit(kinds, depth - 1)
        if p.pointee == (isObject ? 0x7D : 0x5D) {
          p += 1
          depth -= 1
        } else if p.pointee == 0x2C {
          p += 1
          if isObject, case let status = skipKey(), status != .done { return status }
          break
        } else {
          return failExpecting(isObject ? .commaOrObjectEnd : .commaOrArrayEnd)
        }
      }
      if depth == 0 {
        token.start = start
        token.count = p - start
        return .done
      }
    }
  }

  private mutating func skipKey() -> ScanStatus {
    skipBlanks()
    guard p.pointee == 0x22 else { return failExpecting(.key) }
    let status = checkedString()
    return status == .done ? colon() : status
  }

  /// Skips a string, number or word.
  private mutating func skipScalar() -> ScanStatus {
    switch p.pointee {
    case 0x22: return checkedString()
    case 0x2D, 0x30...0x39:
      var kind = NumberKind.integer
      return number(&kind)
    default: return word() == nil ? failWithoutValue() : .done
    }
  }

  /// Fails because no value begins here, unless a word may continue after the window.
  mutating func failWithoutValue() -> ScanStatus {
    isCutWord(before: end) ? .needsMore : failExpecting(.value)
  }

  /// Returns whether the bytes from here to `limit` are the beginning of `null`, `true` or `false`.
  func isCutWord(before limit: UnsafePointer<UInt8>) -> Bool {
    guard p < limit, limit - p < 5 else { return false }
    let bytes = UnsafeBufferPointer(start: p, count: limit - p)
    return Scanner.words.contains { $0.utf8.count > bytes.count && $0.utf8.starts(with: bytes) }
  }

  private static let words = ["null", "true", "false"]

  /// Reads a string and checks its UTF-8 and its escapes.
  mutating func checkedString() -> ScanStatus {
    let status = string()
    guard status == .done else { return status }
    if token.hasEscapes, case let decoded = decode(), decoded != .done { return decoded }
    var oddity = false
    if !token.isASCII, let wrong = firstInvalidUTF8(token.start, token.count, &oddity) {
      return fail(.invalidUTF8, at: wrong)
    }
    return .done
  }

  enum Word {
    case null
    case `true`
    case `false`
  }

  /// Reads `null`, `true` or `false`; nil if no complete word is here.
  @inline(__always)
  mutating func word() -> Word? {
    let bytes = UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)
    switch UInt32(littleEndian: bytes) {
    case 0x6C6C_756E:
      p += 4
      return .null
    case 0x6575_7274:
      p += 4
      return .true
    case 0x736C_6166 where p[4] == 0x65:
      p += 5
      return .false
    default: return nil
    }
  }
}

private func setBit(_ bits: inout [UInt64], _ i: Int, _ value: Bool) {
  if value { bits[i >> 6] |= 1 << UInt64(i & 63) } else { bits[i >> 6] &= ~(1 << UInt64(i & 63)) }
}

private func bit(_ bits: [UInt64], _ i: Int) -> Bool { bits[i >> 6] >> UInt64(i & 63) & 1 == 1 }

/// 10^0 … 10^22, which a double represents exactly.
private let powersOfTen = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

extension Scanner {
  /// The form in which a number is written.
  enum NumberKind {
    case integer
    case double
  }

  /// Reads a number that begins here; `token` has its value and its digits.
  @inline(__always)
  mutating func number(_ kind: inout NumberKind) -> ScanStatus {
    let start = p
    var at = p
    if at.pointee == 0x2D { at += 1 }
    let firstDigit = at
    var mantissa: UInt64 = 0
    while at.pointee &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(at.pointee &- 0x30)
      at += 1
    }
    let count = at - firstDigit
    token.start = start
    if at.pointee | 0x20 == 0x65 || at.pointee == 0x2E {
      kind = .double
      return fraction(from: start, firstDigit, at, mantissa)
    }
    guard count > 0, count < 19, count == 1 || firstDigit.pointee != 0x30, at < end else {
      return unusualInteger(from: start, firstDigit, at, &kind)
    }
    kind = .integer
    token.integer = start.pointee == 0x2D ? -Int64(mantissa) : Int64(mantissa)
    token.count = at - start
    p = at
    return .done
  }

  /// Reads an integer of 19 digits or more, or fails if there is no number.
  @inline(never)
  private mutating func unusualInteger(
    from start: UnsafePointer<UInt8>, _ firstDigit: UnsafePointer<UInt8>,
    _ at: UnsafePointer<UInt8>, _ kind: inout NumberKind
  ) -> ScanStatus {
    if at >= end { return .needsMore }
    if at == firstDigit { return fail(.badNumber, at: at) }
    if at - firstDigit > 1, firstDigit.pointee == 0x30 { return fail(.badNumber, at: firstDigit) }
    token.count = at - start
    let digits = String(
      decoding: UnsafeBufferPointer(start: start, count: at - start), as: UTF8.self)
    p = at
    if let value = Int64(digits) {
      kind = .integer
      token.integer = value
      return .done
    }
    kind = .double
    guard NumberText.decimal(digits) != nil else { return fail(.tooManyDigits, at: start) }
    token.isWide = true
    token.double = Double(digits) ?? .infinity
    return .done
  }

  /// Continues a number at its point or exponent.
  @inline(__always)
  private mutating func fraction(
    from start: UnsafePointer<UInt8>, _ firstDigit: UnsafePointer<UInt8>,
    _ point: UnsafePointer<UInt8>, _ mantissa: UInt64
  ) -> ScanStatus {
    var at = point
    var mantissa = mantissa
    if at.pointee == 0x2E {
      at += 1
      while at.pointee &- 0x30 < 10 {
        mantissa = mantissa &* 10 &+ UInt64(at.pointee &- 0x30)
        at += 1
      }
    }
    let scale = at - point - 1
    let digits = at - firstDigit
    token.isWide = false
    token.isTooSmall = false
    // Exact according to Clinger: a mantissa below 2^53 divided by a power of ten below 10^23.
    guard at.pointee | 0x20 != 0x65, scale > 0, point > firstDigit, digits <= 16,
      firstDigit.pointee != 0x30 || point == firstDigit + 1, mantissa < 1 << 53, at < end
    else { return unusualDouble(from: start, firstDigit, point) }
    let value = Double(mantissa) / powersOfTen[scale]
    token.double = start.pointee == 0x2D ? -value : value
    token.count = at - start
    p = at
    return .done
  }

  @inline(never)
  private mutating func unusualDouble(
    from start: UnsafePointer<UInt8>, _ firstDigit: UnsafePointer<UInt8>,
    _ point: UnsafePointer<UInt8>
  ) -> ScanStatus {
    if point == firstDigit { return fail(.badNumber, at: point) }
    if point - firstDigit > 1, firstDigit.pointee == 0x30 {
      return fail(.badNumber, at: firstDigit)
    }
    var at = point
    if at.pointee == 0x2E {
      guard skipDigits(&at, from: at + 1) else { return fail(.badNumber, at: at) }
    }
    if at.pointee | 0x20 == 0x65 {
      at += 1
      if at.pointee == 0x2B || at.pointee == 0x2D { at += 1 }
      guard skipDigits(&at, from: at) else { return fail(.badNumber, at: at) }
    }
    if at >= end { return .needsMore }
    let text = String(decoding: UnsafeBufferPointer(start: start, count: at - start), as: UTF8.self)
    token.double = Double(text) ?? .infinity
    token.isTooSmall = token.double == 0 && NumberText.isNonzero(text)
    token.count = at - start
    p = at
    return token.double.isFinite ? .done : fail(.numberTooLarge, at: start)
  }

  private func skipDigits(_ at: inout UnsafePointer<UInt8>, from: UnsafePointer<UInt8>) -> Bool {
    at = from
    while at.pointee &- 0x30 < 10 { at += 1 }
    return at > from
  }
}

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highs: UInt64 = 0x8080_8080_8080_8080

extension Scanner {
  /// Reads a string from its opening quote; `token` has the bytes between the quotes.
  @inline(__always)
  mutating func string() -> ScanStatus {
    let start = p + 1
    var at = start
    var seen: UInt64 = 0
    while true {
      let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let escape = word ^ (ones &* 0x5C)
      // The lowest set high bit is exact, because a borrow runs upwards only from a true hit.
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

  /// Continues after the first backslash: finds the end, and marks the string for decoding.
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

  /// The last string that `checkedString` read.
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
