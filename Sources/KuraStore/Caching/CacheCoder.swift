import KuraGraph

/// Thrown if a table of contents is incomplete or impossible.
struct BadCache: Error {}

/// Writes or reads the fields of a table of contents, one after the other.
///
/// A type names its fields once, in `code(with:)`, for both directions.
struct CacheCoder {
  private(set) var bytes: [UInt8] = []
  /// The offset of the next field that is read; nil while writing.
  private var place: Int?
  /// The size of the file in which pieces must be.
  let fileSize: UInt64

  /// Creates a coder that writes.
  init() { fileSize = .max }

  init(reading bytes: [UInt8], inFileOf size: UInt64) {
    self.bytes = bytes
    place = 0
    fileSize = size
  }
}

/// A part of a table of contents.
protocol CacheField {
  init()

  /// Writes or reads the fields; throws if a field that was read is impossible.
  mutating func code(with coder: inout CacheCoder) throws(BadCache)
}

extension CacheCoder {
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(BadCache) {
    guard place != nil else {
      return withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
    let start = try take(MemoryLayout<Number>.size)
    number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
  }

  mutating func code(_ flag: inout Bool) throws(BadCache) {
    var byte: UInt8 = flag ? 1 : 0
    try code(&byte)
    flag = byte != 0
  }

  /// Writes or reads bytes after their count.
  mutating func code(_ text: inout [UInt8]) throws(BadCache) {
    let count = try count(text.count)
    guard place != nil else { return bytes += text }
    let start = try take(count)
    text = Array(bytes[start..<start + count])
  }

  mutating func code(_ text: inout String) throws(BadCache) {
    var utf8 = Array(text.utf8)
    try code(&utf8)
    text = String(decoding: utf8, as: UTF8.self)
  }

  mutating func code<Field: CacheField>(_ field: inout Field?) throws(BadCache) {
    var exists = field != nil
    try code(&exists)
    guard exists else { return }
    var known = field ?? Field()
    try known.code(with: &self)
    field = known
  }

  /// Writes or reads fields after their count.
  mutating func code<Field: CacheField>(_ list: inout [Field]) throws(BadCache) {
    let count = try count(list.count)
    for i in 0..<count {
      if place != nil { list.append(Field()) }
      try list[i].code(with: &self)
    }
  }

  /// Writes a number that is the same in all caches; throws if another number is read.
  mutating func code(constant: some FixedWidthInteger) throws(BadCache) {
    var number = constant
    try code(&number)
    try check(number == constant)
  }

  /// Throws if something that was read is impossible.
  func check(_ condition: Bool) throws(BadCache) {
    if place != nil, !condition { throw BadCache() }
  }

  /// Throws unless all bytes have been read.
  func end() throws(BadCache) { try check(place == bytes.count) }

  /// Writes or reads a number of elements, each of at least one byte.
  private mutating func count(_ count: Int) throws(BadCache) -> Int {
    var number = UInt32(truncatingIfNeeded: count)
    try code(&number)
    try check(Int(number) <= bytes.count - (place ?? 0))
    return Int(number)
  }

  /// Returns the place of the next bytes, and moves after them.
  private mutating func take(_ count: Int) throws(BadCache) -> Int {
    let start = place ?? 0
    try check(count <= bytes.count - start)
    place = start + count
    return start
  }
}

/// The first bytes of a cache: its format, and where its table of contents is.
///
/// Numbers have this machine's byte order, which a mark identifies.
struct CacheHead: CacheField {
  var fileSize: UInt64 = 0
  var contentsOffset: UInt64 = 0
  var contentsLength: UInt64 = 0
  var contentsChecksum: UInt64 = 0

  static let size = 64
  /// Increased with each change of the format.
  private static let format: UInt32 = 1
  private static let magic: UInt64 = UInt64(littleEndian: 0x314C_4F43_4152_554B)  // KURACOL1
  private static let order: UInt32 = 0x0102_0304
}

extension CacheHead {
  /// Reads the head of a file of a size; throws for another format or another kind of machine.
  init(_ bytes: [UInt8], fileSize size: UInt64) throws(BadCache) {
    self.init()
    var coder = CacheCoder(reading: bytes, inFileOf: size)
    try code(with: &coder)
    try coder.end()
    guard fileSize == size, contentsOffset <= size, contentsLength == size - contentsOffset else {
      throw BadCache()
    }
  }

  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(constant: Self.magic)
    try coder.code(constant: Self.format)
    try coder.code(constant: Self.order)
    try coder.code(constant: UInt32(MemoryLayout<Int>.size))
    try coder.code(constant: UInt32(ColumnChunk.capacity))
    try coder.code(&fileSize)
    try coder.code(&contentsOffset)
    try coder.code(&contentsLength)
    try coder.code(&contentsChecksum)
    try coder.code(constant: UInt64(checksumOf: coder.bytes.prefix(Self.size - 8)))
  }
}

extension CacheField {
  /// The bytes that are read as this value.
  var cacheBytes: [UInt8] {
    get throws(BadCache) {
      var (field, coder) = (self, CacheCoder())
      try field.code(with: &coder)
      return coder.bytes
    }
  }
}
