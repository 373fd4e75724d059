import KuraGraph

/// The place, form and size of a chunk's memory in a cache.
struct CachedPiece: CacheField, Sendable {
  enum Form: UInt8 {
    case integers, doubles, bytes, codes, text, links, linkLists
  }

  /// The number of rows of the chunk.
  var count: UInt32 = 0
  /// The number of stored values; smaller if few rows have one.
  var storedCount: UInt32 = 0
  /// The number of bytes of the texts, or of links of the lists.
  var extent: UInt32 = 0
  var form = Form.integers
  var isSparse = false
  var hasNulls = false
  var hasOddRows = false
  var offset: UInt64 = 0
  var checksum: UInt64 = 0
}

extension CachedPiece {
  /// Returns the number of words of a bitmap.
  private static func words(_ count: UInt32) -> UInt64 { (UInt64(count) + 63) / 64 }

  /// The number of bytes in the file.
  var length: UInt64 {
    let stored = UInt64(storedCount)
    let bitmaps = (hasNulls ? 8 : 0) + (hasOddRows ? 8 : 0) as UInt64
    let values: UInt64 =
      switch form {
      case .integers, .doubles: 8 * stored
      case .bytes: stored
      case .codes: 2 * stored
      case .links: 4 * stored
      case .text: 4 * stored + UInt64(extent)
      case .linkLists: 4 * stored + 4 * UInt64(extent)
      }
    return values + (isSparse ? 2 * stored : 0) + bitmaps * Self.words(storedCount)
  }

  /// Returns whether the numbers are possible, and the piece is in a file of this size.
  private func isPossible(inFileOf size: UInt64) -> Bool {
    storedCount <= count && (isSparse || storedCount == count)
      && (form != .linkLists || !isSparse) && offset <= size && length <= size - offset
  }

  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&count)
    try coder.code(&storedCount)
    try coder.code(&extent)
    var (formNumber, flags) = (form.rawValue, flags)
    try coder.code(&formNumber)
    guard let form = Form(rawValue: formNumber) else { throw BadCache() }
    try coder.code(&flags)
    (self.form, self.flags) = (form, flags)
    try coder.code(&offset)
    try coder.code(&checksum)
    try coder.check(isPossible(inFileOf: coder.fileSize))
  }

  private var flags: UInt8 {
    get { (isSparse ? 1 : 0) | (hasNulls ? 2 : 0) | (hasOddRows ? 4 : 0) }
    set {
      (isSparse, hasNulls, hasOddRows) = (newValue & 1 != 0, newValue & 2 != 0, newValue & 4 != 0)
    }
  }
}
