import KuraBytes
import KuraGraph

extension CacheInput {
  /// The table of contents; nil where it belongs to something else. Throws what is damaged.
  func contents(of size: UInt64, for binding: CacheBinding) throws -> CachedStore? {
    let head = try CacheHead(bytes(at: 0, count: CacheHead.size), fileSize: size)
    let bytes = try contents(of: head)
    return try CachedStore(bytes, for: binding, fileSize: size)
  }

  private func contents(of head: CacheHead) throws -> [UInt8] {
    guard head.contentsLength <= FileLimit.cacheContents.bytes else { throw BadCache() }
    let bytes = try bytes(at: Int64(head.contentsOffset), count: Int(head.contentsLength))
    guard bytes.count == head.contentsLength, bytes.cacheChecksum == head.contentsChecksum else {
      throw BadCache()
    }
    return bytes
  }

  /// What a cache belongs to, be it of use or not.
  func binding(size: UInt64) -> CacheBinding? {
    guard let head = try? CacheHead(bytes(at: 0, count: CacheHead.size), fileSize: size),
      let bytes = try? contents(of: head)
    else { return nil }
    var reader = CacheReader(bytes)
    return try? CacheBinding(&reader)
  }
}

extension CachedStore {
  /// The store, of which nothing has been read but this.
  func contents(from source: CachedSource) throws -> StoreContents {
    var contents = try StoreReader(head).read()
    guard contents.zoneDigest == zoneDigest else { throw BadCache() }
    let (model, layout) = (contents.graph.model, contents.graph.layout)
    let tables = try source.tables(tables, model, layout)
    contents.graph = Graph(model: model, layout: layout, tables: tables)
    contents.isStore = isStore
    contents.leftOut = leftOut
    return contents
  }

  /// How many rows the chunks of each column have.
  var shape: [[[Int]]] {
    tables.map { table in table.columns.map { column in column.chunks.map { Int($0.count) } } }
  }
}

extension Graph {
  var shape: [[[Int]]] {
    tables.map { table in table.columns.map { column in column.chunks.map(\.count) } }
  }
}
