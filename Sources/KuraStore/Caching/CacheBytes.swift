import KuraGraph

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

  /// Appends bytes without their count, which the reader must know.
  mutating func put(raw bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
}

/// Thrown if a table of contents is incomplete or impossible.
struct BadCache: Error {}

/// Reads what `CacheBytes` has written; throws at its end.
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

  /// Reads the number of the elements that follow, each of at least one byte.
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

  mutating func raw(_ count: Int) throws(BadCache) -> [UInt8] {
    guard count <= bytes.count - place else { throw BadCache() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func string() throws(BadCache) -> String { String(decoding: try text(), as: UTF8.self) }

  /// Throws unless all bytes have been read.
  func end() throws(BadCache) { if place != bytes.count { throw BadCache() } }
}

/// The first bytes of a cache: its format, and where its table of contents is.
///
/// Numbers have this machine's byte order, which a mark identifies.
struct CacheHead {
  var fileSize: UInt64
  var contentsOffset: UInt64
  var contentsLength: UInt64
  var contentsChecksum: UInt64

  static let size = 64
  /// Increased with each change of the format.
  private static let format: UInt32 = 1
  private static let magic: UInt64 = UInt64(littleEndian: 0x314C_4F43_4152_554B)  // KURACOL1
  private static let order: UInt32 = 0x0102_0304
}

extension CacheHead {
  var bytes: [UInt8] {
    var head = CacheBytes()
    head.put(Self.magic)
    head.put(Self.format)
    head.put(Self.order)
    head.put(UInt32(MemoryLayout<Int>.size))
    head.put(UInt32(ColumnChunk.capacity))
    head.put(fileSize)
    head.put(contentsOffset)
    head.put(contentsLength)
    head.put(contentsChecksum)
    head.put(head.bytes.cacheChecksum)
    return head.bytes
  }

  /// Reads the head of a file of a size; throws for another format or another kind of machine.
  init(_ bytes: [UInt8], fileSize size: UInt64) throws(BadCache) {
    var reader = CacheReader(bytes)
    let (magic, format, order): (UInt64, UInt32, UInt32) = (
      try reader.number(), try reader.number(), try reader.number()
    )
    let (word, capacity): (UInt32, UInt32) = (try reader.number(), try reader.number())
    (fileSize, contentsOffset) = (try reader.number(), try reader.number())
    (contentsLength, contentsChecksum) = (try reader.number(), try reader.number())
    let checksum: UInt64 = try reader.number()
    try reader.end()
    guard magic == Self.magic, format == Self.format, order == Self.order,
      Int(word) == MemoryLayout<Int>.size, Int(capacity) == ColumnChunk.capacity,
      checksum == Array(bytes.dropLast(8)).cacheChecksum, fileSize == size,
      contentsOffset <= size, contentsLength == size - contentsOffset
    else { throw BadCache() }
  }
}

extension [UInt8] {
  var cacheChecksum: UInt64 { withUnsafeBytes { UInt64(checksumOf: $0, seed: 0) } }
}
