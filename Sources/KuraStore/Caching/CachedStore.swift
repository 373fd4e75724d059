import KuraGraph
import KuraValues

/// What a cache belongs to: of anything else it says nothing.
struct CacheBinding: Sendable, Equatable {
  /// The document's path, behind symbolic links.
  var path: String
  /// Which program has written it: another version may read a document in another way.
  var program: String
  var state: FileState
  /// What plain JSON's rows are called.
  var entityName: String
}

/// A cache's table of contents.
struct CachedStore: Sendable, Equatable {
  var binding: CacheBinding
  /// H(D), with which a save begins.
  var name: DocumentName?
  /// The document without its objects: the model, the zone, the numbers.
  var head: [UInt8]
  var isStore: Bool
  var leftOut: [String]
  /// Of the zone's rules, by which dates without a zone were read.
  var zoneDigest: UInt64
  var tables: [CachedTable]
}

struct CachedTable: Sendable, Equatable {
  var root: String
  var count: UInt64
  var nextNumber: Int64
  var soleEntity: UInt32
  /// Where there is no piece of numbers, they ascend from here by one.
  var firstNumber: Int64
  var numbers: CachedPiece?
  var entityCodes: CachedPiece?
  var columns: [CachedColumn]
}

extension CachedTable {
  /// Whether a table can have these numbers: rows that a document can have, and objects of numbers that are
  /// given, below the next.
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
    put(UInt32(store.leftOut.count))
    for key in store.leftOut { put(key) }
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
  /// What a table of contents begins with, in all versions that have this form.
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
  /// Reads a table of contents; nil where it belongs to something else.
  init?(_ bytes: [UInt8], for wanted: CacheBinding, fileSize: UInt64) throws(BadCache) {
    var reader = CacheReader(bytes)
    binding = try CacheBinding(&reader)
    guard binding == wanted else { return nil }
    name = try reader.flag() ? try reader.documentName() : nil
    head = try reader.text()
    isStore = try reader.flag()
    leftOut = []
    for _ in 0..<(try reader.count()) { leftOut.append(try reader.string()) }
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
