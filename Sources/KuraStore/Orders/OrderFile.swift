import KuraGraph

/// The bytes of a file that keeps the order of a request: what it belongs to, and the objects.
///
/// A checksum of all that stands before it is at the end.
struct OrderFile: Equatable {
  /// The name that was given behind `cache`.
  var name: String
  /// The state of the store, as `StoreKeeper.stateName` has it.
  var state: String
  /// What was asked, by which program.
  var request: HashValue
  var order: KeptOrder
}

extension OrderFile {
  /// Numbers stand as the machine has them: on another one the mark reads otherwise.
  private static let mark: UInt64 = 0x6B75_7261_6F72_6431

  /// Whether bytes are those of such a file, whole or not.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    var reader = CacheReader(bytes)
    return (try? reader.number()) == mark
  }

  var bytes: [UInt8] {
    var bytes = CacheBytes()
    bytes.put(Self.mark)
    for text in [name, state, request.text] { bytes.put(text) }
    bytes.put(Int64(order.total ?? -1))
    bytes.put(order.sections != nil)
    bytes.put(order.sections?.key ?? "")
    bytes.put(numbers: (order.sections?.counts ?? []).map(Int64.init))
    bytes.put(numbers: order.numbers)
    return bytes.bytes.withUnsafeBytes { all in
      var end = CacheBytes()
      end.put(UInt64(checksumOf: all, seed: 0))
      return bytes.bytes + end.bytes
    }
  }

  /// Throws where they are not as they were written.
  init(_ bytes: [UInt8]) throws(BadCache) {
    guard bytes.count > 8 else { throw BadCache() }
    var end = CacheReader(Array(bytes.suffix(8)))
    let checksum: UInt64 = try end.number()
    let content = Array(bytes.dropLast(8))
    guard content.withUnsafeBytes({ UInt64(checksumOf: $0, seed: 0) }) == checksum else {
      throw BadCache()
    }
    var reader = CacheReader(content)
    let mark: UInt64 = try reader.number()
    guard mark == Self.mark else { throw BadCache() }
    (name, state) = (try reader.string(), try reader.string())
    guard let request = HashValue(text: try reader.string()) else { throw BadCache() }
    self.request = request
    let total: Int64 = try reader.number()
    let hasSections = try reader.flag()
    let key = try reader.string()
    let counts = try reader.numbers().map { Int(truncatingIfNeeded: $0) }
    order = KeptOrder(
      numbers: try reader.numbers(), total: total < 0 ? nil : Int(total),
      sections: hasSections ? KeptOrder.Sections(by: key, counts: counts) : nil)
    try reader.end()
  }

  /// The name of what was asked.
  static func request(_ text: String, of program: String) -> HashValue {
    var hash = ContentHash()
    hash.add(Array("\(program)\u{0}\(text)".utf8))
    return hash.value
  }
}

extension CacheBytes {
  fileprivate mutating func put(numbers: [Int64]) {
    put(UInt32(truncatingIfNeeded: numbers.count))
    numbers.withUnsafeBytes { put(raw: $0) }
  }
}

extension CacheReader {
  fileprivate mutating func numbers() throws(BadCache) -> [Int64] {
    let count = try count()
    return try raw(count * MemoryLayout<Int64>.size).withUnsafeBytes { bytes in
      (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
    }
  }
}
