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
        let isAlone =
          (place == 0 || text[place - 1] < 0x80) && (end == text.count || text[end] < 0x80)
        guard isAlone else { return false }
        body(start..<place)
        start = end
      }
      body(start..<text.count)
      return true
    }
  }
}
