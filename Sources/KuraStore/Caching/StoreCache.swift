import Foundation
import KuraGraph

/// Reads a store through the cache of its columns, and writes the cache when the store is left:
///
///     let contents = try cache.read(place, file) { try reader.read() }   // from the cache, or `body`
///     …
///     cache.keep()                                                       // at a clean end
package final class StoreCache {
  package let settings: CacheSettings
  /// Contents that were slow to read, to be written at the end.
  private var candidate: CacheCandidate?
  /// The graph that came from a cache, and may not have been read completely.
  private var graph: Graph?
  /// Whether changes have begun: contents that are read from then on are read completely, too.
  private var hasBegunChanges = false
  /// H(D) of the document with columns from a cache.
  private(set) var name: DocumentName?

  package init(_ settings: CacheSettings) { self.settings = settings }

  /// Whether the store came from a cache.
  var isUsed: Bool { graph != nil }
}

/// Contents that equal a document in a known state.
private struct CacheCandidate {
  var contents: StoreContents
  var binding: CacheBinding
  var document: OpenFile
}

extension StoreCache {
  /// Returns the contents of an open document: from its cache if that is valid, otherwise what `body` reads.
  func read(
    _ place: StorePlace, _ file: OpenFile, _ body: () throws -> StoreContents
  ) rethrows -> StoreContents {
    (candidate, graph, name) = (nil, nil, nil)
    guard let binding = binding(place, file) else { return try body() }
    if let contents = contents(binding, file) {
      if hasBegunChanges { contents.graph.readAll() }
      return contents
    }
    let mayBeKept =
      settings.writes && binding.state.size >= settings.leastSize && isAtRest(binding.state)
    let start = ContinuousClock.now
    let contents = try body()
    // A cache would hide the warnings.
    guard mayBeKept, contents.warnings.isEmpty, start.duration(to: .now) > settings.leastTime,
      file.isUntouched(since: binding)
    else { return contents }
    candidate = CacheCandidate(contents: contents, binding: binding, document: file)
    return contents
  }

  /// Returns nil if a cache would not be safe: for a document of another owner, or if this machine
  /// does not set its change time.
  private func binding(_ place: StorePlace, _ file: OpenFile) -> CacheBinding? {
    guard let state = try? file.status, state.isRegular, state.owner == geteuid(),
      isOnLocalFileSystem(file.descriptor)
    else { return nil }
    return CacheBinding(
      path: StorePlace.resolvingSymlinks(place.path), program: settings.program,
      entityName: StoreReader(path: place.path).entityName, state: state)
  }

  /// Returns whether a change from now on would get a later time than the last one.
  private func isAtRest(_ state: FileStatus) -> Bool {
    state.changed < timespec.now.inNanoseconds - settings.rest
  }

  private func contents(_ binding: CacheBinding, _ file: OpenFile) -> StoreContents? {
    guard let folder = CacheFolder(settings) else { return nil }
    let name = CacheFolder.name(binding.path, binding.entityName)
    guard let input = folder.open(name) else { return nil }
    do {
      guard let store = try input.contents(for: binding) else { return nil }
      let source = source(input, binding, file, store)
      let contents = try store.contents(from: source)
      (graph, self.name) = (contents.graph, store.name)
      if settings.writes { folder.touch(input.file) }
      return contents
    } catch {
      if settings.writes { folder.remove(name) }
      return nil
    }
  }

  /// Returns a source of pieces, with the document for damaged ones.
  private func source(
    _ input: CacheInput, _ binding: CacheBinding, _ document: OpenFile, _ store: CachedStore
  ) -> CachedSource {
    let (settings, shape) = (settings, store.shape)
    return CachedSource(
      input,
      document: {
        settings.removeCache(binding)
        // This must not be cancelled, because the open store depends on it.
        let reader = StoreReader(path: binding.path, file: document.descriptor)
        guard document.isUntouched(since: binding), let again = try? reader.read(),
          document.isUntouched(since: binding), again.graph.shape == shape
        else { return nil }
        return again.graph
      },
      lost: { settings.lost(binding.path) })
  }

  /// Reads the remaining columns before the first change: unsaved changes never depend on a cache.
  package func beginChanges() {
    hasBegunChanges = true
    candidate = nil
    graph?.readAll()
    graph = nil
  }

  /// Reads the remaining columns in another thread.
  package func readAhead() {
    guard let graph else { return }
    DispatchQueue.global(qos: .utility).async { graph.readAll() }
  }

  /// Ends the session: writes contents that were slow to read, and returns their size; nil if they were not written.
  package func keep() -> WrittenCache? {
    guard let candidate, settings.writes else { return nil }
    self.candidate = nil
    let size = candidate.binding.state.size
    guard candidate.document.isUntouched(since: candidate.binding),
      size / 4 <= settings.limit, let folder = CacheFolder(settings, makes: true),
      isOnLocalFileSystem(folder.descriptor)
    else { return nil }
    folder.removeUnfinished()
    guard folder.room - size > settings.reserve else { return nil }
    return try? write(candidate, in: folder)
  }

  private func write(_ candidate: CacheCandidate, in folder: CacheFolder) throws -> WrittenCache {
    let name = PrecomputedName(candidate.document)
    let writing = CacheWriting(
      contents: candidate.contents, binding: candidate.binding,
      name: {
        let name = try name.name()
        // The name is valid only if the document has not been written meanwhile.
        return candidate.document.isUntouched(since: candidate.binding) ? name : nil
      }, settings: settings)
    return WrittenCache(size: try writing.write(in: folder), isFirst: folder.isNew)
  }
}

package struct WrittenCache: Sendable {
  package var size: Int64
  /// Whether it is the first one in a new folder.
  package var isFirst: Bool
}

extension CacheSettings {
  fileprivate func removeCache(_ binding: CacheBinding) {
    guard writes else { return }
    CacheFolder(self)?.remove(CacheFolder.name(binding.path, binding.entityName))
  }
}

extension OpenFile {
  /// Returns whether the document is in the state for which a cache is valid.
  fileprivate func isUntouched(since binding: CacheBinding) -> Bool {
    (try? status)?.isSurelyUntouched(since: binding.state) ?? false
  }
}
