/// A key and its closing quote, compared with the input in words of eight bytes.
struct KeyPattern {
  let name: String
  /// The key's bytes and the quote behind it.
  let length: Int
  private let first: UInt64
  private let firstMask: UInt64
  /// All bytes in memory that is kept as long as the loader; only for more than eight.
  private let bytes: UnsafeMutablePointer<UInt8>

  init(_ name: String) {
    self.name = name
    let text = Array(name.utf8) + [0x22]
    length = text.count
    bytes = .allocate(capacity: text.count)
    bytes.initialize(from: text, count: text.count)
    // A key with characters that JSON escapes never stands there as it is.
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else {
      (first, firstMask) = (1, 0)
      return
    }
    firstMask = text.count >= 8 ? .max : 1 << UInt64(text.count * 8) &- 1
    first = text.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func free() { bytes.deallocate() }

  /// Whether the key stands at `p`, which is behind the opening quote.
  @inline(__always)
  func matches(_ p: UnsafePointer<UInt8>) -> Bool {
    let word = UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
    guard word & firstMask == first else { return false }
    return length <= 8 || restMatches(p)
  }

  @inline(__always)
  private func restMatches(_ p: UnsafePointer<UInt8>) -> Bool {
    for i in 8..<length where p[i] != bytes[i] { return false }
    return true
  }
}
