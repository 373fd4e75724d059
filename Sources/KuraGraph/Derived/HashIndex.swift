/// An index of rows by the hash of their values, which is shared by all copies except for rows added later.
package struct HashIndex: Sendable {
  private let sealed: HashBuckets
  /// Rows that have changed since the index was built, by new hash. Outdated entries are harmless,
  /// because the caller compares the values.
  private var added: [UInt64: [UInt32]] = [:]
  private(set) var addedCount = 0

  /// Creates an index for about `count` rows; `each` enumerates every row and its hash, and is called twice.
  init(count: Int, _ each: ((Int, UInt64) -> Void) -> Void) {
    sealed = HashBuckets(count: count, each)
  }

  /// Builds the index of a column's texts, integers or dates in two passes over the values.
  init(_ column: Column, count: Int) {
    self.init(count: count, column.forEachHash)
  }

  /// Returns the rows that can have a value with this hash, ascending.
  func candidates(_ hash: UInt64) -> [UInt32] {
    guard let added = added[hash] else { return Array(sealed[hash]) }
    return Set(sealed[hash]).union(added).sorted()
  }

  mutating func add(_ row: Int, _ hash: UInt64) {
    added[hash, default: []].append(UInt32(truncatingIfNeeded: row))
    addedCount += 1
  }

  /// Whether to rebuild: more than 1,024 rows and a quarter of the others were added.
  var needsRebuild: Bool { addedCount > 1024 + sealed.count / 4 }
}

/// Hashes with well distributed high bits.
package enum IndexHash {
  static func of(_ number: Int64) -> UInt64 {
    let word = UInt64(bitPattern: number) &* 0x9FB2_1C65_1E98_DF25
    return (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Returns a hash that mixes eight bytes at a time.
  package static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var place = 0
    while place + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
      place += 8
    }
    var rest: UInt64 = 0
    for byte in raw[place...] { rest = rest << 8 | UInt64(byte) }
    hash = (hash ^ rest) &* 0x9FB2_1C65_1E98_DF25
    return (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15
  }
}

extension Column {
  /// Returns the hash of a row's value; nil for null.
  func hash(_ row: Int) -> UInt64? {
    let chunk = row >> ColumnChunk.shift
    guard let i = chunks[chunk].place(of: row & ColumnChunk.mask) else { return nil }
    return switch chunks[chunk].compactValues {
    case .text(let text): text.hash(i)
    case .integers(let values): IndexHash.of(values[i])
    case .doubles(let values): values[i].bitPattern
    case .bytes(let codes): dictionary.map { $0.texts.hash(Int(codes[i])) } ?? UInt64(codes[i])
    case .codes(let codes): dictionary?.texts.hash(Int(codes[i]))
    case .links, .linkLists: nil
    }
  }

  /// Calls `body` with each row that is not null, and the hash of its value.
  fileprivate func forEachHash(_ body: (Int, UInt64) -> Void) {
    let codes = dictionary.map { dictionary in
      (0..<dictionary.count).map { dictionary.texts.hash($0) }
    }
    for (number, chunk) in chunks.enumerated() {
      let first = number << ColumnChunk.shift
      switch chunk.values {
      case .text(let text):
        for row in 0..<text.count where !chunk.isNull(row) { body(first + row, text.hash(row)) }
      case .integers(let values):
        for row in values.indices where !chunk.isNull(row) {
          body(first + row, IndexHash.of(values[row]))
        }
      case .bytes(let places):
        guard let codes else { continue }
        for row in places.indices where !chunk.isNull(row) {
          body(first + row, codes[Int(places[row])])
        }
      case .codes(let places):
        guard let codes else { continue }
        for row in places.indices where !chunk.isNull(row) {
          body(first + row, codes[Int(places[row])])
        }
      case .doubles, .links, .linkLists: continue
      }
    }
  }
}

extension TextChunk {
  package func hash(_ row: Int) -> UInt64 {
    if let patched = patch[row] { return patched.withUnsafeBufferPointer(IndexHash.of) }
    return bytes.withUnsafeBufferPointer {
      IndexHash.of(UnsafeBufferPointer(rebasing: $0[packedRange(row)]))
    }
  }
}

/// Rows grouped by the high bits of a hash.
///
/// Building is linear: buckets are counted, then filled.
struct HashBuckets: Sendable {
  /// The end of each bucket in `rows`.
  private var ends: [UInt32]
  private var rows: [UInt32]
  private let shift: UInt64

  /// Creates buckets for about `count` rows; `each` enumerates every row and its hash, and is called twice.
  init(count: Int, _ each: ((Int, UInt64) -> Void) -> Void) {
    let bits = max(1, Int.bitWidth - count.leadingZeroBitCount)
    let shift = UInt64(64 - bits)
    var ends = [UInt32](repeating: 0, count: 1 << bits)
    each { _, hash in ends[Int(hash >> shift)] += 1 }
    let total = ends.turnIntoStarts()
    var rows = [UInt32](repeating: 0, count: total)
    each { row, hash in
      let bucket = Int(hash >> shift)
      rows[Int(ends[bucket])] = UInt32(truncatingIfNeeded: row)
      ends[bucket] += 1
    }
    self.ends = ends
    self.rows = rows
    self.shift = shift
  }

  var count: Int { rows.count }

  /// The rows with hashes that have the same high bits.
  subscript(hash: UInt64) -> ArraySlice<UInt32> {
    let bucket = Int(hash >> shift)
    return rows[(bucket == 0 ? 0 : Int(ends[bucket - 1]))..<Int(ends[bucket])]
  }
}

extension [UInt32] {
  /// Replaces each count by the sum of the previous ones, and returns the total.
  fileprivate mutating func turnIntoStarts() -> Int {
    var sum: UInt32 = 0
    for i in indices {
      let count = self[i]
      self[i] = sum
      sum += count
    }
    return Int(sum)
  }
}
