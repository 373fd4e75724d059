/// Writes the numbers and texts of a table of contents.
struct CacheBytes {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ flag: Bool) { put(flag ? UInt8(1) : 0) }

  mutating func put(_ text: [UInt8]) {
    put(UInt32(truncatingIfNeeded: text.count))
    bytes.append(contentsOf: text)
  }

  mutating func put(_ text: String) { put(Array(text.utf8)) }

  /// Bytes whose number is known otherwise.
  mutating func put(raw bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
}

/// What a table of contents lacks, or says that cannot be.
struct BadCache: Error {}

/// Reads what `CacheBytes` has written; past its end there is nothing but an error.
struct CacheReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func number<Number: FixedWidthInteger>() throws(BadCache) -> Number {
    let size = MemoryLayout<Number>.size
    guard size <= bytes.count - place else { throw BadCache() }
    defer { place += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }

  mutating func flag() throws(BadCache) -> Bool {
    let byte: UInt8 = try number()
    return byte != 0
  }

  /// A number of things that follow, of which each takes a byte at least.
  mutating func count() throws(BadCache) -> Int {
    let count: UInt32 = try number()
    guard Int(count) <= bytes.count - place else { throw BadCache() }
    return Int(count)
  }

  mutating func text() throws(BadCache) -> [UInt8] {
    let count = try count()
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// So many bytes.
  mutating func raw(_ count: Int) throws(BadCache) -> [UInt8] {
    guard count <= bytes.count - place else { throw BadCache() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func string() throws(BadCache) -> String { String(decoding: try text(), as: UTF8.self) }

  /// The end, and nothing behind it.
  func end() throws(BadCache) { if place != bytes.count { throw BadCache() } }
}
