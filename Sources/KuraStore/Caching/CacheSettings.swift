import Foundation
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

/// The folder of the caches, held open. Only its owner may write to it.
final class CacheFolder {
  let path: String
  let descriptor: Int32
  private let files: FileOperations
  /// Whether the folder was created by this object.
  private(set) var isNew = false

  /// Opens the folder, and creates it first if `makes` is set; nil if it cannot be trusted.
  init?(_ settings: CacheSettings, makes: Bool = false) {
    files = settings.files
    path = settings.folder
    if makes { isNew = CacheFolder.make(path) }
    descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, isOwn(makes: makes) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns whether the folder is ours and only we can write to it; revokes other users' read access.
  private func isOwn(makes: Bool) -> Bool {
    guard let status = try? files.status(descriptor), status.owner == geteuid(),
      status.mode & 0o022 == 0
    else { return false }
    guard status.mode & 0o777 != 0o700 else { return true }
    return !makes || fchmod(descriptor, 0o700) == 0
  }

  /// Creates the folder and its parent, inside a folder that is ours; another user's folder is not changed.
  private static func make(_ path: String) -> Bool {
    let parent = (path as NSString).deletingLastPathComponent
    guard isOwn((parent as NSString).deletingLastPathComponent) || isOwn(parent) else {
      return false
    }
    _ = mkdir(parent, 0o700)
    return isOwn(parent) && mkdir(path, 0o700) == 0
  }

  private static func isOwn(_ path: String) -> Bool {
    (try? FileStatus(path: path))?.owner == geteuid()
  }
}

/// A cache file in the folder.
struct CacheEntry {
  var name: String
  var size: Int64
  /// When it was last used, in nanoseconds since 1970.
  var used: Int64
}

extension CacheFolder {
  /// The suffix of cache names; `unfinished` marks a cache that is being written.
  static let suffix = ".columns"

  /// Returns the name of a store's cache.
  static func name(_ path: String, _ entityName: String) -> String {
    UInt64(checksumOf: "\(path)\u{0}\(entityName)".utf8).hexadecimal + suffix
  }

  /// All caches, the least recently used first.
  var entries: [CacheEntry] {
    names.filter { $0.hasSuffix(Self.suffix) }.compactMap(entry).sorted { $0.used < $1.used }
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func entry(_ name: String) -> CacheEntry? {
    guard let status = try? files.statusOfName(descriptor, name), status.isRegular else {
      return nil
    }
    return CacheEntry(name: name, size: status.size, used: status.modified)
  }

  func remove(_ name: String) { try? files.remove(descriptor, name) }

  /// Removes caches that other processes did not finish: their locks are free.
  func removeUnfinished() {
    for name in names where name.hasSuffix(CacheFolder.unfinished) {
      if let file = file(name), (try? file.lock()) == true { remove(name) }
    }
  }

  static let unfinished = suffix + ".new"

  /// Removes the least recently used caches until a cache of this size fits into the limit.
  func makeRoom(for size: Int64, limit: Int64, replacing name: String) -> Bool {
    guard size <= limit else { return false }
    let others = entries.filter { $0.name != name }
    var total = others.reduce(0) { $0 + $1.size }
    for entry in others where total + size > limit {
      remove(entry.name)
      total -= entry.size
    }
    return true
  }

  /// The free bytes on the disk that we may use.
  var room: Int64 {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return 0 }
    let (bytes, overflow) = Int64(status.f_bavail)
      .multipliedReportingOverflow(by: Int64(status.f_frsize))
    return overflow ? .max : bytes
  }

  /// Opens a cache that only this user can have written; nil for anything else.
  func open(_ name: String) -> CacheInput? {
    guard let file = file(name), let status = try? file.status, status.isRegular,
      status.links == 1, status.owner == geteuid(), status.mode & 0o077 == 0,
      isOnLocalFileSystem(file.descriptor)
    else { return nil }
    return CacheInput(file, size: status.size)
  }

  private func file(_ name: String) -> OpenFile? {
    guard let file = try? files.open(descriptor, name, .reading, 0) else { return nil }
    return OpenFile(file, as: .cache, files)
  }

  /// Marks a cache as used now.
  func touch(_ file: OpenFile) { futimens(file.descriptor, nil) }
}
