import KuraGraph

/// The place, form and size of a chunk's memory in a cache.
struct CachedPiece: Sendable, Equatable {
  enum Form: UInt8 {
    case integers, doubles, bytes, codes, text, links, linkLists
  }

  /// The number of rows of the chunk.
  var count: UInt32
  /// The number of stored values; smaller if few rows have one.
  var storedCount: UInt32
  /// The number of bytes of the texts, or of links of the lists.
  var extent: UInt32 = 0
  var form: Form
  var isSparse = false
  var hasNulls = false
  var hasOddRows = false
  var offset: UInt64
  var checksum: UInt64 = 0
}

extension CachedPiece {
  /// Returns the number of words of a bitmap.
  private static func words(_ count: UInt32) -> UInt64 { (UInt64(count) + 63) / 64 }

  /// The number of bytes in the file.
  var length: UInt64 {
    let kept = UInt64(storedCount)
    let bitmaps = (hasNulls ? 8 : 0) + (hasOddRows ? 8 : 0) as UInt64
    let values: UInt64 =
      switch form {
      case .integers, .doubles: 8 * kept
      case .bytes: kept
      case .codes: 2 * kept
      case .links: 4 * kept
      case .text: 4 * kept + UInt64(extent)
      case .linkLists: 4 * kept + 4 * UInt64(extent)
      }
    return values + (isSparse ? 2 * kept : 0) + bitmaps * Self.words(storedCount)
  }

  /// Whether the numbers are possible: at most a chunk's capacity of rows, and no more values than rows.
  var isPlausible: Bool {
    storedCount <= count && (isSparse || storedCount == count)
      && (form != .linkLists || !isSparse)
  }
}

extension CacheBytes {
  mutating func put(_ piece: CachedPiece) {
    put(piece.count)
    put(piece.storedCount)
    put(piece.extent)
    put(piece.form.rawValue)
    put(
      (piece.isSparse ? 1 : 0) | (piece.hasNulls ? 2 : 0) | (piece.hasOddRows ? 4 : 0) as UInt8)
    put(piece.offset)
    put(piece.checksum)
  }
}

extension CacheReader {
  /// Reads a piece and checks that it fits into a file of this size.
  mutating func piece(inFileOf size: UInt64) throws(BadCache) -> CachedPiece {
    let (count, storedCount, extent): (UInt32, UInt32, UInt32) = (
      try number(), try number(), try number()
    )
    guard let form = CachedPiece.Form(rawValue: try number()) else { throw BadCache() }
    let flags: UInt8 = try number()
    let piece = CachedPiece(
      count: count, storedCount: storedCount, extent: extent, form: form, isSparse: flags & 1 != 0,
      hasNulls: flags & 2 != 0, hasOddRows: flags & 4 != 0, offset: try number(),
      checksum: try number())
    guard piece.isPlausible, piece.offset <= size, piece.length <= size - piece.offset else {
      throw BadCache()
    }
    return piece
  }
}
