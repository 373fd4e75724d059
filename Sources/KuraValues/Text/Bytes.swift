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
    guard let x = text.baseAddress, let y = needle.baseAddress, !needle.isEmpty else {
      return false
    }
    return text.count >= needle.count && memcmp(x, y, needle.count) == 0
  }

  /// Returns whether the text ends with the bytes; false for an empty needle.
  package static func ends(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let x = text.baseAddress, let y = needle.baseAddress, !needle.isEmpty else {
      return false
    }
    return text.count >= needle.count
      && memcmp(x + (text.count - needle.count), y, needle.count) == 0
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
