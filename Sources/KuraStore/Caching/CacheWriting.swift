import Foundation
import KuraGraph
import KuraValues

/// Writes the columns of a store that was just read.
struct CacheWriting {
  let contents: StoreContents
  let binding: CacheBinding
  let name: () throws -> DocumentName?
  let settings: CacheSettings
}

/// Thrown if the store is not cached, for example because it no longer equals its document.
private struct NotCached: Error {}

extension CacheWriting {
  /// Writes the cache under a temporary name first, so that a file with the final name is complete.
  ///
  /// It does not sync: what a loss of power damages has another checksum.
  func write(in folder: CacheFolder) throws -> Int64 {
    let files = settings.files
    let final = CacheFolder.name(binding.path, binding.entityName)
    let random = UInt64.random(in: .min ... .max).hexadecimal
    let temporary = "\(getpid())-\(random)\(CacheFolder.unfinished)"
    let file = OpenFile(
      try files.open(folder.descriptor, temporary, .fresh, 0o600), as: .cache, files)
    do {
      guard try file.lock() else { throw NotCached() }
      let size = try write(to: file)
      guard folder.makeRoom(for: size, limit: settings.limit, replacing: final) else {
        throw NotCached()
      }
      try files.rename(folder.descriptor, temporary, final)
      return size
    } catch {
      folder.remove(temporary)
      throw error
    }
  }

  private func write(to file: OpenFile) throws -> Int64 {
    guard contents.graph.pieces * Self.bytesOfPiece <= max(UInt64(binding.state.size), 1 << 20)
    else {
      // The description of the chunks is larger than the document, as with thousands of rare keys.
      throw NotCached()
    }
    var output = CacheOutput(file, after: CacheHead.size)
    let tables = try contents.graph.tables.map { try put($0, in: &output) }
    let head = try contents.withoutObjects
    try checkHead(head)
    let store = CachedStore(
      binding: binding, name: try name(), head: head, isStore: contents.isStore,
      zoneDigest: contents.zoneDigest, tables: tables)
    let offset = output.offset
    let bytes = try store.cacheBytes
    try bytes.withUnsafeBytes { try output.put($0) }
    try output.flush()
    let size = offset + UInt64(bytes.count)
    let first = CacheHead(
      fileSize: size, contentsOffset: offset, contentsLength: UInt64(bytes.count),
      contentsChecksum: UInt64(checksumOf: bytes))
    try file.write(first.cacheBytes, at: 0)
    return Int64(size)
  }

  /// The size of a chunk's description in memory, without its values.
  private static let bytesOfPiece: UInt64 = 600

  /// Throws if the model would not be read as it was written.
  private func checkHead(_ head: [UInt8]) throws {
    let again = try StoreReader(head).read()
    guard again.graph.model == contents.graph.model, again.timeZoneID == contents.timeZoneID,
      again.userInfo == contents.userInfo
    else { throw NotCached() }
  }

  private func put(_ table: Table, in output: inout CacheOutput) throws -> CachedTable {
    guard table.live == nil else { throw NotCached() }
    var cached = CachedTable(
      root: table.layout.root, count: UInt64(table.count), nextNumber: table.nextNumber,
      soleEntity: UInt32(table.soleEntity), lastNumber: 0, columns: [])
    switch table.identifiers {
    case .dense(let first, let count):
      if count > 0 { cached.lastNumber = first &+ Int64(count) &- 1 }
    case .ascending(let numbers):
      cached.lastNumber = numbers.last ?? 0
      cached.numbers = try output.put(ColumnChunk(.integers(numbers)))
    case .scattered, .deferred: throw NotCached()
    }
    cached.entityCodes = try table.entityCodes.map { try output.put(ColumnChunk(.codes($0))) }
    for column in table.columns { cached.columns.append(try put(column, in: &output)) }
    return cached
  }

  private func put(_ column: Column, in output: inout CacheOutput) throws -> CachedColumn {
    var cached = CachedColumn(chunks: [])
    // The texts of the dictionary are a chunk with a row for each.
    cached.dictionary = try column.dictionary.map { try output.put(ColumnChunk(.text($0.texts))) }
    for chunk in column.chunks {
      guard !chunk.isPatched else { throw NotCached() }
      cached.chunks.append(try output.put(chunk))
    }
    return cached
  }
}

extension Graph {
  fileprivate var pieces: UInt64 {
    tables.lazy.flatMap(\.columns).reduce(0) { $0 + UInt64($1.chunks.count) }
  }
}

extension ColumnChunk {
  fileprivate var isPatched: Bool {
    if case .text(let text) = stored.packed.values { !text.patch.isEmpty } else { false }
  }
}

extension StoreContents {
  /// A checksum of the rules by which dates without a zone were read.
  var zoneDigest: UInt64 {
    guard let zone = timeZoneID.flatMap({ TimeZone(identifier: $0) }) else { return 0 }
    return ZoneRules(zone).numbers.withUnsafeBytes { UInt64(checksumOf: $0, seed: 0) }
  }
}
