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
