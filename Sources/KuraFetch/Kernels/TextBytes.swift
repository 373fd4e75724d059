import Foundation
import KuraBytes
import KuraGraph
import KuraValues

/// Searches in texts that are stored consecutively.
enum TextBytes {
  /// Calls `hit` with each row that contains the needle, in order.
  static func find(
    _ test: TextTest, _ needle: [UInt8], _ bytes: [UInt8], _ ends: [UInt32], _ hit: (Int) -> Void
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      needle.withUnsafeBufferPointer { needle in
        ends.withUnsafeBufferPointer { ends in
          switch test {
          case .contains: search(needle, bytes, ends, hit)
          case .begins, .ends, .equals: compareEach(test, needle, bytes, ends, hit)
          }
        }
      }
    }
  }

  /// Finds the needle in the bytes of all rows; a hit across two rows does not count.
  private static func search(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ hit: (Int) -> Void
  ) {
    guard !needle.isEmpty else { return }
    let search = ByteSearch(Array(needle), sample: bytes)
    var place = 0
    var row = 0
    while let at = search.next(in: bytes, from: place) {
      while Int(ends[row]) <= at { row += 1 }
      if at + needle.count <= Int(ends[row]) {
        hit(row)
        place = Int(ends[row])
      } else {
        place = at + 1
      }
    }
  }

  private static func compareEach(
    _ test: TextTest, _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ ends: UnsafeBufferPointer<UInt32>, _ hit: (Int) -> Void
  ) {
    guard let start = bytes.baseAddress, let pattern = needle.baseAddress else { return }
    let first = pattern[0]
    var from = 0
    for row in ends.indices {
      let end = Int(ends[row])
      let length = end - from
      let at = test == .ends ? end - needle.count : from
      if test == .equals ? length == needle.count : length >= needle.count,
        start[at] == first, memcmp(start + at, pattern, needle.count) == 0
      {
        hit(row)
      }
      from = end
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first eight bytes, the first in the highest place, padded with 0.
  @inline(__always)
  var firstWord: UInt64 { eight(from: 0).byteSwapped }
}
