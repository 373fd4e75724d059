import KuraGraph
import KuraValues

/// The document and program for which a cache is valid.
struct CacheBinding: CacheField, Sendable {
  /// The document's path, with symbolic links resolved.
  var path = ""
  /// The program that wrote the cache: another version may read a document in another way.
  var program = ""
  /// The entity name of plain JSON's rows.
  var entityName = ""
  var state = FileStatus(inode: 0, size: 0)
}

extension CacheBinding {
  /// All versions of a table of contents begin with these fields.
  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&path)
    try coder.code(&program)
    try coder.code(&entityName)
    try coder.code(&state.device)
    try coder.code(&state.inode)
    try coder.code(&state.size)
    try coder.code(&state.modified)
    try coder.code(&state.changed)
    try coder.code(&state.owner)
  }

  func isValid(for wanted: CacheBinding) -> Bool {
    path == wanted.path && program == wanted.program && entityName == wanted.entityName
      && state.isSurelyUntouched(since: wanted.state)
  }
}

/// A cache's table of contents.
struct CachedStore: CacheField, Sendable {
  var binding = CacheBinding()
  /// H(D), the document's name, with which a save begins.
  var name: DocumentName?
  /// The document without its objects: the model, the zone and the next numbers.
  var head: [UInt8] = []
  var isStore = false
  /// A checksum of the rules of the zone in which dates without a zone were read.
  var zoneDigest: UInt64 = 0
  var tables: [CachedTable] = []
}

extension CachedStore {
  /// Reads a table of contents; nil if it belongs to another document or program.
  init?(_ bytes: [UInt8], for wanted: CacheBinding, fileSize: UInt64) throws(BadCache) {
    var coder = CacheCoder(reading: bytes, inFileOf: fileSize)
    try binding.code(with: &coder)
    guard binding.isValid(for: wanted) else { return nil }
    try codeContents(with: &coder)
    try coder.end()
  }

  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try binding.code(with: &coder)
    try codeContents(with: &coder)
  }

  private mutating func codeContents(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&name)
    try coder.code(&head)
    try coder.code(&isStore)
    try coder.code(&zoneDigest)
    try coder.code(&tables)
  }
}

extension DocumentName: CacheField {
  init() { self.init(hash: HashValue(high: 0, low: 0), size: 0) }

  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&hash.high)
    try coder.code(&hash.low)
    try coder.code(&size)
  }
}

struct CachedTable: CacheField, Sendable {
  var root = ""
  var count: UInt64 = 0
  var nextNumber: Int64 = 0
  var soleEntity: UInt32 = 0
  /// The greatest objectID, 0 without rows. Without a piece of numbers they ascend to here by one.
  var lastNumber: Int64 = 0
  var numbers: CachedPiece?
  var entityCodes: CachedPiece?
  var columns: [CachedColumn] = []
}

extension CachedTable {
  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&root)
    try coder.code(&count)
    try coder.code(&nextNumber)
    try coder.code(&soleEntity)
    try coder.code(&lastNumber)
    try coder.code(&numbers)
    try coder.code(&entityCodes)
    try coder.code(&columns)
    try coder.check(isPossible && columns.allSatisfy { $0.hasChunks(of: count) })
  }

  /// Whether a document can have this many rows, and the objectIDs are possible and below the next number.
  private var isPossible: Bool {
    let greatest = ObjectID.greatestNumber
    guard count <= UInt64(UInt32.max), (1...greatest + 1).contains(nextNumber) else { return false }
    return count == 0 ? lastNumber == 0 : Int64(count) <= lastNumber && lastNumber < nextNumber
  }
}

struct CachedColumn: CacheField, Sendable {
  var dictionary: CachedPiece?
  var chunks: [CachedPiece] = []
}

extension CachedColumn {
  mutating func code(with coder: inout CacheCoder) throws(BadCache) {
    try coder.code(&dictionary)
    try coder.code(&chunks)
    try coder.check(hasTexts)
  }

  /// Whether the dictionary has a text for each code.
  private var hasTexts: Bool {
    guard let dictionary else { return true }
    return chunks.allSatisfy { $0.isCoded && $0.extent < max(dictionary.count, 1) }
  }

  /// Returns whether the chunks have the rows of a table; only the last one may have less than its capacity.
  fileprivate func hasChunks(of count: UInt64) -> Bool {
    chunks.reduce(0) { $0 + UInt64($1.count) } == count
      && chunks.dropLast().allSatisfy { $0.count == ColumnChunk.capacity }
      && chunks.last?.count ?? 0 <= ColumnChunk.capacity
  }
}

/// The place, form and size of a chunk's memory in a cache.
struct CachedPiece: CacheField, Sendable {
  enum Form: UInt8 {
    case integers, doubles, bytes, codes, text, links, linkLists
  }

  /// The number of rows of the chunk.
  var count: UInt32 = 0
  /// The number of stored values; smaller if few rows have one.
  var storedCount: UInt32 = 0
  /// The number of bytes of the texts, or of links of the lists; the greatest code.
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

  /// Whether the values can be codes of a dictionary.
  var isCoded: Bool { form == .bytes || form == .codes }

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
