import Foundation
import KuraGraph

/// Writes pieces one after the other, and collects the bytes of small ones.
struct CacheOutput {
  private let file: OpenFile
  private var waiting: [UInt8] = []
  private var written: UInt64
  private var checksum: UInt64 = 0

  init(_ file: OpenFile, after head: Int) {
    self.file = file
    written = UInt64(head)
  }

  var offset: UInt64 { written + UInt64(waiting.count) }
}

extension CacheOutput {
  mutating func put(_ bytes: UnsafeRawBufferPointer) throws {
    checksum = UInt64(checksumOf: bytes, seed: checksum)
    if bytes.count < 1 << 16 {
      waiting.append(contentsOf: bytes)
      if waiting.count >= 1 << 20 { try flush() }
      return
    }
    try flush()
    try file.write(bytes, at: Int64(written))
    written += UInt64(bytes.count)
  }

  private mutating func put<Element: BitwiseCopyable>(_ array: [Element]) throws {
    try array.withUnsafeBytes { try put($0) }
  }

  mutating func flush() throws {
    try file.write(waiting, at: Int64(written))
    written += UInt64(waiting.count)
    waiting.removeAll(keepingCapacity: true)
  }

  mutating func put(_ chunk: ColumnChunk) throws -> CachedPiece {
    let (rows, packed) = chunk.stored
    let nulls = packed.nulls
    var piece = CachedPiece(
      count: UInt32(chunk.count), storedCount: UInt32(packed.count), form: packed.values.form,
      isSparse: rows != nil, hasNulls: nulls != nil, offset: offset)
    checksum = 0
    if let rows { try put(rows) }
    if let nulls { try put(nulls.words) }
    try put(packed.values, &piece)
    piece.checksum = checksum
    return piece
  }

  private mutating func put(
    _ values: ColumnChunk.Values, _ piece: inout CachedPiece
  ) throws {
    switch values {
    case .integers(let array): try put(array)
    case .doubles(let array): try put(array)
    case .bytes(let array):
      piece.extent = UInt32(array.max() ?? 0)
      try put(array)
    case .codes(let array):
      piece.extent = UInt32(array.max() ?? 0)
      try put(array)
    case .links(let array): try put(array)
    case .text(let text): try put(text, &piece)
    case .linkLists(let lists):
      piece.extent = UInt32(lists.rows.count)
      try put(lists.ends)
      try put(lists.rows)
    }
  }

  private mutating func put(_ text: TextChunk, _ piece: inout CachedPiece) throws {
    guard let extent = UInt32(exactly: text.bytes.count) else { throw FileError(.write, EFBIG) }
    piece.extent = extent
    piece.hasOddRows = text.oddRows != nil
    if let odd = text.oddRows { try put(odd.words) }
    try put(text.ends)
    try put(text.bytes)
  }
}

extension ColumnChunk.Values {
  fileprivate var form: CachedPiece.Form {
    switch self {
    case .integers: .integers
    case .doubles: .doubles
    case .bytes: .bytes
    case .codes: .codes
    case .text: .text
    case .links: .links
    case .linkLists: .linkLists
    }
  }
}
