import Foundation
import KuraBytes
import KuraGraph

/// How the columns of stores are cached, and where.
package struct CacheSettings: Sendable {
  /// `~/.cache/kura`, the folder of one person alone.
  package var folder: String
  /// Whether caches are made; what is there is read in any case.
  package var writes = true
  /// How much all of them may take; the least recently used goes first.
  package var limit: Int64 = 1_000_000_000
  /// How much of the disk is left to others.
  package var reserve: Int64 = 1_000_000_000
  /// What is smaller is not cached, however slow the machine is at the moment.
  package var leastSize: UInt64 = 1 << 20
  /// What was read faster is not cached.
  package var leastTime: Duration = .milliseconds(50)
  /// How long a document must not have been changed before it is read, in nanoseconds: two changes in
  /// one tick of a clock have one time.
  package var rest: Int64 = 2_000_000_000
  /// Which program this is.
  package var program: String
  /// Ends the process, where a damaged cache and a changed document leave nothing to answer from.
  package var lost: @Sendable (_ path: String) -> Never = { _ in exit(3) }
  var files = FileOperations.live

  package init(folder: String, program: String) {
    self.folder = folder
    self.program = program
  }
}

extension CacheSettings {
  /// The version of a program, and which file it was started from: a build that reads documents in
  /// another way is another one.
  package static func program(version: String) -> String {
    var status = stat()
    let path = "/proc/self/exe"
    guard stat(path, &status) == 0 || stat(CommandLine.arguments[0], &status) == 0 else {
      return version
    }
    #if canImport(Darwin)
      let modified = status.st_mtimespec.inNanoseconds
    #else
      let modified = status.st_mtim.inNanoseconds
    #endif
    return "\(version) \(status.st_dev) \(status.st_ino) \(status.st_size) \(modified)"
  }
}

/// The caches that are there, for who looks after them.
package struct KeptCaches {
  /// A store that is cached.
  package struct Entry: Sendable {
    /// Nil where it cannot be told.
    package var path: String?
    package var size: Int64
    /// When it was used last, in microseconds since 1970.
    package var used: Int64
  }

  private let folder: CacheFolder?

  package init(_ settings: CacheSettings) { folder = CacheFolder(settings) }

  /// The most recently used first.
  package var entries: [Entry] {
    guard let folder else { return [] }
    return folder.entries.reversed().map { entry in
      let path = folder.open(entry.name).flatMap { file, size in
        CacheInput(file, .live).binding(size: size)?.path
      }
      return Entry(path: path, size: entry.size, used: entry.used / 1000)
    }
  }

  /// Takes them all away.
  package func clear() {
    guard let folder else { return }
    folder.removeUnfinished()
    for entry in folder.entries { folder.remove(entry.name) }
  }
}

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
