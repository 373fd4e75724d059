import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Strings as UTF-8 bytes, which have the same order as their Unicode scalars.
package enum Bytes {
  /// Compares two strings by Unicode scalars.
  package static func compare(_ a: String, _ b: String) -> ValueOrder {
    with(a, b) { compare($0, $1) }
  }

  /// Compares two UUIDs, which have the order of their texts.
  static func compare(_ a: UUID, _ b: UUID) -> ValueOrder {
    withUnsafeBytes(of: a.uuid) { a in
      withUnsafeBytes(of: b.uuid) {
        compare(a.bindMemory(to: UInt8.self), $0.bindMemory(to: UInt8.self))
      }
    }
  }

  /// Compares bytes; a prefix comes first.
  package static func compare(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> ValueOrder {
    let common = min(a.count, b.count)
    if common > 0, let x = a.baseAddress, let y = b.baseAddress {
      let order = memcmp(x, y, common)
      if order != 0 { return order < 0 ? .before : .after }
    }
    return ValueOrder(a.count, b.count)
  }

  /// Returns whether the text contains the bytes; false for an empty needle.
  package static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    first(needle, in: text, from: 0) != nil
  }

  /// Returns the first index of the bytes in the text at or after `start`; nil for an empty needle.
  @inline(__always)
  static func first(
    _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let x = text.baseAddress, let y = needle.baseAddress, let last = needle.last
    else { return nil }
    // The last byte is more selective than the first, which many letters of a script share.
    let reach = needle.count - 1
    var place = start + reach
    while place < text.count {
      guard let hit = memchr(x + place, Int32(last), text.count - place) else { return nil }
      place = UnsafeRawPointer(x).distance(to: hit)
      if memcmp(x + (place - reach), y, reach) == 0 { return place - reach }
      place += 1
    }
    return nil
  }

  /// Returns whether the text begins with the bytes; false for an empty needle.
  package static func begins(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    has(needle, in: text, at: 0)
  }

  /// Returns whether the text ends with the bytes; false for an empty needle.
  package static func ends(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    has(needle, in: text, at: text.count - needle.count)
  }

  @inline(__always)
  private static func has(
    _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Bool {
    guard place >= 0, let x = text.baseAddress, let y = needle.baseAddress, !needle.isEmpty
    else { return false }
    return place + needle.count <= text.count && memcmp(x + place, y, needle.count) == 0
  }

  /// Calls a closure with the UTF-8 bytes of two strings.
  static func with<Result>(
    _ a: String, _ b: String,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var a = a
    var b = b
    return a.withUTF8 { x in b.withUTF8 { y in body(x, y) } }
  }
}

/// A separator of ASCII characters, found in texts byte by byte.
///
///     ByteSeparator(",")?.parts(of: bytes) { range in … }    // called with 0..<1 and 2..<3 for "a,b"
package struct ByteSeparator: Sendable {
  private let bytes: [UInt8]

  /// Returns nil for an empty separator and for other characters, which can be equal to other bytes, or part of a longer
  /// character such as CR LF.
  package init?(_ separator: String) {
    let bytes = Array(separator.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }) else {
      return nil
    }
    self.bytes = bytes
  }

  /// Calls the body with the range of each part. Returns false, after some calls, if a character next to a separator may
  /// belong to it, as combining marks do.
  @inline(__always)
  package func parts(of text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void) -> Bool {
    bytes.withUnsafeBufferPointer { wanted in
      var start = 0
      while let place = Bytes.first(wanted, in: text, from: start) {
        let end = place + wanted.count
        let isAlone = !Self.mayJoin(text, before: place) && !Self.mayJoin(text, at: end)
        guard isAlone else { return false }
        body(start..<place)
        start = end
      }
      body(start..<text.count)
      return true
    }
  }

  /// Returns whether a scalar may belong to the character before it.
  @inline(__always)
  private static func mayJoin(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    guard place < text.count, text[place] >= 0x80 else { return false }
    let scalar = UTF8Scalar.read(text, at: place).value
    return isOfComplexScript(scalar) || OddScalars.contains(scalar) && extendsCharacters(scalar)
  }

  /// Returns whether the scalar before a place may belong to the character after it.
  @inline(__always)
  private static func mayJoin(_ text: UnsafeBufferPointer<UInt8>, before place: Int) -> Bool {
    guard place > 0, text[place - 1] >= 0x80 else { return false }
    let scalar = UTF8Scalar.read(text, at: UTF8Scalar.start(in: text, to: place)).value
    // Joiners join both characters around them.
    return isOfComplexScript(scalar) || [0x34F, 0x200C, 0x200D].contains(scalar)
  }

  /// In these scripts, some ordinary signs join others: Arabic number signs, Thai vowels.
  private static func isOfComplexScript(_ scalar: UInt32) -> Bool {
    0x0600..<0x2000 ~= scalar || 0xA800..<0xAC00 ~= scalar || 0x10000..<0x1F000 ~= scalar
  }

  /// Returns whether a scalar is a mark, a joiner, or a modifier of emoji.
  private static func extendsCharacters(_ scalar: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(scalar) else { return true }
    return scalar.isMark || scalar.properties.isGraphemeExtend
      || scalar.properties.isEmojiModifier || scalar.properties.generalCategory == .format
  }
}

/// For each block of 64 scalars of the Basic Multilingual Plane, whether it contains an odd one.
private let oddBlocks: [Bool] = (0..<1024).map { OddScalars.areInBlock($0) }

/// Returns the first byte that is not UTF-8, or nil. Sets whether the text has odd scalars
/// (``OddScalars``), for which a byte search can differ from Foundation.
package func firstInvalidUTF8(
  _ start: UnsafePointer<UInt8>, _ count: Int, _ isOdd: inout Bool
) -> UnsafePointer<UInt8>? {
  oddBlocks.withUnsafeBufferPointer { blocks in
    var p = start
    let end = start + count
    var odd = false
    while p < end {
      let b0 = p[0]
      if b0 < 0x80 {
        p += 1
        continue
      }
      let left = end - p
      var scalar: UInt32
      if b0 < 0xE0 {
        guard b0 >= 0xC2, left >= 2, isContinuation(p[1]) else { return p }
        scalar = UInt32(b0 & 0x1F) << 6 | UInt32(p[1] & 0x3F)
        p += 2
      } else if b0 < 0xF0 {
        guard left >= 3, isContinuation(p[1]), isContinuation(p[2]) else { return p }
        scalar = UInt32(b0 & 0x0F) << 12 | UInt32(p[1] & 0x3F) << 6 | UInt32(p[2] & 0x3F)
        guard scalar >= 0x800, scalar & 0xF800 != 0xD800 else { return p }
        p += 3
      } else {
        guard b0 < 0xF5, left >= 4, isContinuation(p[1]), isContinuation(p[2]), isContinuation(p[3])
        else { return p }
        scalar = UInt32(b0 & 0x07) << 18 | UInt32(p[1] & 0x3F) << 12
        scalar |= UInt32(p[2] & 0x3F) << 6 | UInt32(p[3] & 0x3F)
        guard scalar >= 0x10000, scalar < 0x110000 else { return p }
        odd = odd || OddScalars.contains(scalar)
        p += 4
        continue
      }
      if blocks[Int(scalar >> 6)], !odd { odd = OddScalars.contains(scalar) }
    }
    isOdd = odd
    return nil
  }
}

@inline(__always)
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
