/// The rows of a column's texts by a hash of their bytes: each bucket's rows stand together.
package struct TextIndex: Sendable {
  /// Where each bucket ends in `rows`.
  private var ends: [UInt32]
  private var rows: [UInt32]
  private let shift: UInt64
  /// Rows whose text was changed since: each text is compared with what is sought anyway.
  private var changedRows: Set<UInt32> = []

  /// Two passes over the texts: the buckets are counted, then filled.
  init(_ column: Column, count: Int) {
    let bits = max(1, Int.bitWidth - count.leadingZeroBitCount)
    shift = UInt64(64 - bits)
    ends = Array(repeating: 0, count: 1 << bits)
    rows = []
    var total: UInt32 = 0
    TextIndex.forEachHash(column) { _, hash in
      ends[Int(hash >> shift)] += 1
      total += 1
    }
    var sum: UInt32 = 0
    for bucket in ends.indices {
      let count = ends[bucket]
      ends[bucket] = sum
      sum += count
    }
    rows = Array(repeating: 0, count: Int(total))
    TextIndex.forEachHash(column) { row, hash in
      let bucket = Int(hash >> shift)
      rows[Int(ends[bucket])] = UInt32(truncatingIfNeeded: row)
      ends[bucket] += 1
    }
  }

  /// The rows that may have the text.
  func candidates(_ text: [UInt8]) -> [UInt32] {
    let bucket = Int(text.withUnsafeBufferPointer(TextIndex.hash) >> shift)
    let sealed = rows[(bucket == 0 ? 0 : Int(ends[bucket - 1]))..<Int(ends[bucket])]
    return changedRows.isEmpty ? Array(sealed) : changedRows.union(sealed).sorted()
  }

  /// Whether so many rows have changed that looking at each of them is too slow.
  var isWorn: Bool { changedRows.count > 256 }

  mutating func add(_ rows: [Int]) {
    // More than make the index worn are of no use.
    for row in rows.prefix(512) { changedRows.insert(UInt32(truncatingIfNeeded: row)) }
  }

  private static func forEachHash(_ column: Column, _ body: (Int, UInt64) -> Void) {
    for (number, chunk) in column.chunks.enumerated() {
      guard case .text(let text) = chunk.values else { continue }
      let first = number << ColumnChunk.shift
      text.bytes.withUnsafeBufferPointer { bytes in
        for row in 0..<text.count where !chunk.isNull(row) {
          if let patched = text.patch[row] {
            body(first + row, patched.withUnsafeBufferPointer(hash))
          } else {
            body(first + row, hash(UnsafeBufferPointer(rebasing: bytes[text.packedRange(row)])))
          }
        }
      }
    }
  }

  /// Mixes eight bytes at a time; the high bits are the good ones.
  fileprivate static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
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

extension TextChunk {
  /// A hash of a row's bytes.
  func hash(_ row: Int) -> UInt64 {
    if !patch.isEmpty, let text = patch[row] {
      return text.withUnsafeBufferPointer(TextIndex.hash)
    }
    return bytes.withUnsafeBufferPointer {
      TextIndex.hash(UnsafeBufferPointer(rebasing: $0[packedRange(row)]))
    }
  }
}

extension Table {
  /// From which use on an index of a column's texts is worth its making: about what it costs.
  package static let usesForTextIndex = 8

  /// The rows whose text has the bytes, ascending; nil where there is no index (yet), and where
  /// they are so many that a search of all texts is as good.
  package func rows(ofColumn column: Int, withText text: [UInt8]) -> [Int]? {
    guard
      let index = derived.textIndex(
        ofColumn: column,
        make: {
          TextIndex(columns[column], count: count)
        })
    else { return nil }
    let candidates = index.candidates(text)
    guard candidates.count <= 1024 else { return nil }
    return candidates.map { Int($0) }.filter {
      columns[column].text($0)?.utf8.elementsEqual(text) ?? false
    }
  }
}
