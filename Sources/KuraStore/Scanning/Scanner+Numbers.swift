import Foundation
import KuraBytes
import KuraJSON
import KuraValues

/// 10^0 … 10^22: a double holds them exactly.
private let powersOfTen = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

extension Scanner {
  /// A number as it was written.
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

  /// An integer of 19 digits and more, or no number at all.
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

  /// Goes on at the point or the exponent.
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
    // Exact by Clinger: a mantissa below 2^53 divided by a power of ten below 10^23.
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
