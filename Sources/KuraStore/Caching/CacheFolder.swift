import Foundation

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
}

extension CacheFolder {
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
