import Foundation
import KuraBytes
import KuraGraph

/// The settings of the column cache of stores.
package struct CacheSettings: Sendable {
  /// `~/.cache/kura`, a folder that belongs to one user.
  package var folder: String
  /// Whether caches are written; existing ones are read in any case.
  package var writes = true
  /// The greatest total size of all caches; the least recently used is removed first.
  package var limit: Int64 = 1_000_000_000
  /// The space of the disk that caches leave free.
  package var reserve: Int64 = 1_000_000_000
  /// The size below which a document is never cached, even on a slow machine.
  package var leastSize: Int64 = 1 << 20
  /// The reading time below which a document is not cached.
  package var leastTime: Duration = .milliseconds(50)
  /// The time for which a document must be unchanged before it is read, in nanoseconds: two changes
  /// in one tick of the clock have the same time.
  package var rest: Int64 = 2_000_000_000
  /// The program's version and build.
  package var program: String
  /// Ends the process if a cache is damaged and its document has changed, so that no data is left.
  package var lost: @Sendable (_ path: String) -> Never = { _ in exit(3) }
  var files = FileOperations.live

  package init(folder: String, program: String) {
    self.folder = folder
    self.program = program
  }
}

extension CacheSettings {
  /// Returns the version of a program and the identity of its executable: another build may read
  /// documents in another way.
  package static func program(version: String) -> String {
    let paths = ["/proc/self/exe", CommandLine.arguments[0]]
    guard let file = paths.lazy.compactMap({ try? FileStatus(path: $0) }).first else {
      return version
    }
    return "\(version) \(file.device) \(file.inode) \(file.size) \(file.modified)"
  }
}

/// The existing caches, for listing and removing them.
package struct CacheListing {
  /// A cached store.
  package struct Entry: Sendable {
    /// The store's path; nil if the cache cannot be read.
    package var path: String?
    package var size: Int64
    /// When it was last used, in microseconds since 1970.
    package var used: Int64
  }

  private let folder: CacheFolder?

  package init(_ settings: CacheSettings) { folder = CacheFolder(settings) }

  /// All entries, the most recently used first.
  package var entries: [Entry] {
    guard let folder else { return [] }
    return folder.entries.reversed().map { entry in
      let path = folder.open(entry.name)?.binding?.path
      return Entry(path: path, size: entry.size, used: entry.used / 1000)
    }
  }

  package func clear() {
    guard let folder else { return }
    folder.removeUnfinished()
    for entry in folder.entries { folder.remove(entry.name) }
  }
}

extension CachedStore {
  /// Returns the store with columns that are read on first use.
  func contents(from source: CachedSource) throws -> StoreContents {
    var contents = try StoreReader(head).read()
    guard contents.zoneDigest == zoneDigest else { throw BadCache() }
    let (model, layout) = (contents.graph.model, contents.graph.layout)
    let tables = try source.tables(tables, model, layout)
    contents.graph = Graph(model: model, layout: layout, tables: tables)
    contents.isStore = isStore
    return contents
  }

  /// The number of rows of each chunk, by table and column.
  var shape: [[[Int]]] {
    tables.map { table in table.columns.map { column in column.chunks.map { Int($0.count) } } }
  }
}

extension Graph {
  var shape: [[[Int]]] {
    tables.map { table in table.columns.map { column in column.chunks.map(\.count) } }
  }
}
