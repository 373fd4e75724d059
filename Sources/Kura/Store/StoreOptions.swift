import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences
import KuraStore
public import KuraValues

/// Options for opening a store.
public struct StoreOptions: Sendable {
  /// Whether the store is read-only. Saves then throw ``StoreError/readOnly(_:)``.
  public var isReadOnly = false
  /// The maximum time that a save waits for another program's save; nil means no limit.
  public var lockTimeout: Duration? = .seconds(10)
  /// Whether saves take a lock; false for file systems that support none.
  public var takesLock = true
  /// The action if the store's model differs from the given one.
  public var migration = MigrationPolicy.refuse

  /// Creates options; each has a default.
  ///
  ///     StoreOptions(migration: .automatic(renaming: ModelRenames(keys: ["Item.name": "title"])))
  public init(
    isReadOnly: Bool = false, lockTimeout: Duration? = .seconds(10), takesLock: Bool = true,
    migration: MigrationPolicy = .refuse
  ) {
    (self.isReadOnly, self.lockTimeout) = (isReadOnly, lockTimeout)
    (self.takesLock, self.migration) = (takesLock, migration)
  }
}

/// The action if the store's model differs from the program's.
public enum MigrationPolicy: Sendable {
  /// Throws ``StoreError/otherModel(path:)``, unless the models only differ in saved requests or
  /// indexes. In that case, the file keeps its own.
  case refuse
  /// Migrates the objects to the new model; the next save writes it.
  ///
  /// Opening throws ``StoreError/migration(_:)`` if the new model has no key or entity for existing
  /// values, unless the key or entity was renamed or is in `dropping`. That set contains keys and
  /// entities of the store, such as `["Item.note", "Tag"]`.
  case automatic(renaming: ModelRenames = ModelRenames(), dropping: Set<String> = [])
}

/// The previous names of entities and keys.
///
///     ModelRenames(entities: ["Task": "Item"], keys: ["Task.name": "title"])
public struct ModelRenames: Sendable, Equatable {
  /// The old names of entities, by new name.
  public var entities: [String: String]
  /// The old names of keys, by new entity and key: `["Task.name": "title"]`.
  public var keys: [String: String]

  /// Creates a mapping from new to old names.
  public init(entities: [String: String] = [:], keys: [String: String] = [:]) {
    (self.entities, self.keys) = (entities, keys)
  }
}

/// The result of a save.
public struct SaveResult: Sendable {
  /// Whether there were changes to save.
  public var hasSaved = false
  /// Whether saves of others were merged.
  public var tookInOthers = false
  /// The new identities of inserted objects whose numbers others had used, by old identity.
  public var renumbered: [ObjectID: ObjectID] = [:]
  /// The conflicts that the merge policy resolved.
  public var settledConflicts: [MergeConflict] = []
  /// Whether earlier changes can no longer be undone, because the model changed.
  public var endedHistory = false
  /// Notes that do not affect the saved data.
  public var notes: [String] = []
}

/// The values for which the new model has no entity or key.
struct LostValues {
  private let graph: Graph
  private let target: Model
  /// The new names of entities, by old name.
  private let entities: [String: String]
  /// The keys with another name, by new entity and old key.
  private let renamed: Set<String>
  private let dropping: Set<String>

  init(_ graph: Graph, _ target: Model, _ renames: ModelRenames, _ dropping: Set<String>) {
    (self.graph, self.target, self.dropping) = (graph, target, dropping)
    entities = renames.entities.reduce(into: [:]) { $0[$1.value] = $1.key }
    renamed = renames.keys.reduce(into: []) { names, rename in
      let entity = rename.key.split(separator: ".", maxSplits: 1).first ?? ""
      names.insert("\(entity).\(rename.value)")
    }
  }

  /// One problem per lost entity or key. Linear in the objects of the affected entities.
  var diagnostics: [Diagnostic] {
    graph.model.entities.flatMap { entity -> [Diagnostic] in
      let name = entities[entity.name] ?? entity.name
      guard target[name] != nil else { return problem(entity.name, count(entity.name)) }
      let attributes = entity.attributes.filter { $0.derivation == nil && !$0.isTransient }
      return (attributes.map(\.name) + entity.relationships.map(\.name)).flatMap { key in
        isKept(key, of: name)
          ? [] : problem("\(entity.name).\(key)", count(entity.name, having: key))
      }
    }
  }

  private func isKept(_ key: String, of entity: String) -> Bool {
    target.property(named: key, of: entity) != nil || renamed.contains("\(entity).\(key)")
  }

  private func problem(_ name: String, _ count: Int) -> [Diagnostic] {
    count == 0 || dropping.contains(name)
      ? [] : [Diagnostic(LostValuesProblem(name: name, count: count))]
  }

  /// Returns the number of objects, or of those with a value for a key.
  private func count(_ entity: String, having key: String? = nil) -> Int {
    let snapshot = GraphSnapshot(graph)
    return graph.objectIDs(of: entity).count { id in
      guard let key else { return true }
      guard let place = graph.find(id) else { return false }
      let object = snapshot.object(table: place.table, row: place.row)
      guard let value = try? object.value(forKey: key) else { return false }
      return value.arrayValue.map { !$0.isEmpty } ?? !value.isNull
    }
  }
}

/// Values that a migration would lose: `3 objects use Item.title, which is not in the new model`.
private struct LostValuesProblem: DiagnosticFacts {
  let name: String
  let count: Int

  var sentence: String {
    count == 1
      ? localized("one object uses \(name), which is not in the new model")
      : localized("\(count) objects use \(name), which is not in the new model")
  }

  var help: String? {
    localized("give its new name in renaming:, or list \"\(name)\" in dropping: to discard it")
  }
}

extension Store {
  /// Returns a stream with an element whenever any program writes the store's file.
  ///
  ///     for await _ in store.fileChanges() {
  ///       try store.refresh()   // nil if it was our own save
  ///     }
  ///
  /// It covers writes since the call. After each interval, the file's metadata is checked without
  /// reading the file; several writes within one interval are one element. Each check takes
  /// constant time.
  public func fileChanges(every interval: Duration = .milliseconds(500)) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let path else {
      continuation.finish()
      return stream
    }
    let first = Store.marks(of: path)
    let task = Task.detached {
      var known = first
      while !Task.isCancelled {
        do { try await Task.sleep(for: interval) } catch { break }
        let now = Store.marks(of: path)
        if now != known { continuation.yield() }
        known = now
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Returns the metadata of a store's document and its journal that change when a file is written; nil for a missing
  /// file.
  private static func marks(of path: String) -> [[Int64]?] {
    [path, path + ".journal"].map { path in
      (try? FileStatus(path: path)).map {
        [Int64(truncatingIfNeeded: $0.inode), $0.size, $0.seconds, $0.nanoseconds]
      }
    }
  }
}
