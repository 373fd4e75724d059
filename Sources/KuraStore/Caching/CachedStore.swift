import KuraGraph
import KuraValues

/// The document and program for which a cache is valid.
struct CacheBinding: Sendable, Equatable {
  /// The document's path, with symbolic links resolved.
  var path: String
  /// The program that wrote the cache: another version may read a document in another way.
  var program: String
  var state: FileState
  /// The entity name of plain JSON's rows.
  var entityName: String
}

/// A cache's table of contents.
struct CachedStore: Sendable, Equatable {
  var binding: CacheBinding
  /// H(D), the document's name, with which a save begins.
  var name: DocumentName?
  /// The document without its objects: the model, the zone and the next numbers.
  var head: [UInt8]
  var isStore: Bool
  /// A checksum of the rules of the zone in which dates without a zone were read.
  var zoneDigest: UInt64
  var tables: [CachedTable]
}

struct CachedTable: Sendable, Equatable {
  var root: String
  var count: UInt64
  var nextNumber: Int64
  var soleEntity: UInt32
  /// The first objectID; without a piece of numbers they ascend from here by one.
  var firstNumber: Int64
  var numbers: CachedPiece?
  var entityCodes: CachedPiece?
  var columns: [CachedColumn]
}

extension CachedTable {
  /// Whether a document can have this many rows, and the objectIDs are possible and below the next number.
  fileprivate var isPlausible: Bool {
    let greatest = ObjectID.greatestNumber
    guard count <= UInt64(UInt32.max), (1...greatest + 1).contains(nextNumber),
      numbers != nil || count == 0 || (1...greatest).contains(firstNumber)
    else { return false }
    return numbers != nil || count == 0 || firstNumber - 1 <= nextNumber - 1 - Int64(count)
  }
}

struct CachedColumn: Sendable, Equatable {
  var dictionary: CachedPiece?
  var chunks: [CachedPiece]
}

extension CacheBytes {
  init(_ store: CachedStore) {
    self.init(store.binding)
    put(store.name != nil)
    if let name = store.name {
      put(name.hash.high)
      put(name.hash.low)
      put(name.size)
    }
    put(store.head)
    put(store.isStore)
    put(store.zoneDigest)
    put(UInt32(store.tables.count))
    for table in store.tables { put(table) }
  }

  private init(_ binding: CacheBinding) {
    put(binding.path)
    put(binding.program)
    put(binding.entityName)
    put(binding.state.device)
    put(binding.state.inode)
    put(binding.state.size)
    put(binding.state.modified)
    put(binding.state.changed)
    put(binding.state.owner)
  }

  private mutating func put(_ table: CachedTable) {
    put(table.root)
    put(table.count)
    put(table.nextNumber)
    put(table.soleEntity)
    put(table.firstNumber)
    put(table.numbers)
    put(table.entityCodes)
    put(UInt32(table.columns.count))
    for column in table.columns {
      put(column.dictionary)
      put(UInt32(column.chunks.count))
      for chunk in column.chunks { put(chunk) }
    }
  }

  private mutating func put(_ piece: CachedPiece?) {
    put(piece != nil)
    if let piece { put(piece) }
  }
}

extension CacheBinding {
  /// Reads the start of a table of contents, which all versions of this form share.
  init(_ reader: inout CacheReader) throws(BadCache) {
    path = try reader.string()
    program = try reader.string()
    entityName = try reader.string()
    state = FileState(
      device: try reader.number(), inode: try reader.number(), size: try reader.number(),
      modified: try reader.number(), changed: try reader.number(), owner: try reader.number())
  }
}

extension CachedStore {
  /// Reads a table of contents; nil if it belongs to another document or program.
  init?(_ bytes: [UInt8], for wanted: CacheBinding, fileSize: UInt64) throws(BadCache) {
    var reader = CacheReader(bytes)
    binding = try CacheBinding(&reader)
    guard binding == wanted else { return nil }
    name = try reader.flag() ? try reader.documentName() : nil
    head = try reader.text()
    isStore = try reader.flag()
    zoneDigest = try reader.number()
    tables = []
    for _ in 0..<(try reader.count()) { tables.append(try reader.table(fileSize)) }
    try reader.end()
  }
}

extension CacheReader {
  fileprivate mutating func documentName() throws(BadCache) -> DocumentName {
    let hash = HashValue(high: try number(), low: try number())
    return DocumentName(hash: hash, size: try number())
  }

  fileprivate mutating func table(_ size: UInt64) throws(BadCache) -> CachedTable {
    var table = CachedTable(
      root: try string(), count: try number(), nextNumber: try number(),
      soleEntity: try number(), firstNumber: try number(), numbers: try optionalPiece(size),
      entityCodes: try optionalPiece(size), columns: [])
    for _ in 0..<(try count()) { table.columns.append(try column(size)) }
    guard table.isPlausible else { throw BadCache() }
    return table
  }

  private mutating func column(_ size: UInt64) throws(BadCache) -> CachedColumn {
    var column = CachedColumn(dictionary: try optionalPiece(size), chunks: [])
    let count = try count()
    column.chunks.reserveCapacity(count)
    for _ in 0..<count { column.chunks.append(try piece(inFileOf: size)) }
    guard column.chunks.dropLast().allSatisfy({ $0.count == ColumnChunk.capacity }),
      column.chunks.last?.count ?? 0 <= ColumnChunk.capacity
    else { throw BadCache() }
    return column
  }

  private mutating func optionalPiece(_ size: UInt64) throws(BadCache) -> CachedPiece? {
    try flag() ? try piece(inFileOf: size) : nil
  }
}
