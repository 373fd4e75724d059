import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraSentences
public import KuraValues

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// Whether it is only read; a save throws ``StoreError/readOnly(_:)`` then.
  public var isReadOnly = false
  /// How long a save waits while somebody else saves; nil: as long as it takes.
  public var lockTimeout: Duration? = .seconds(10)
  /// Whether saves take a lock; false where a file system has none.
  public var takesLock = true
  /// What happens where the store has another model than the one that is given.
  public var migration = MigrationPolicy.refuse

  /// The usual ones, or some others.
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

/// What happens to a store with another model than the one that a program was written for.
public enum MigrationPolicy: Sendable {
  /// It is not opened, ``StoreError/otherModel(path:)``, unless only saved requests or indexes are others;
  /// those of the file stay then.
  case refuse
  /// Its objects come under the new model, and the next save writes that.
  ///
  /// What has values and is not in the new model is refused, ``StoreError/migration(_:)``, unless it was
  /// renamed, or is named in `dropping`: `["Item.note", "Tag"]`, keys and entities of the store.
  case automatic(renaming: ModelRenames = ModelRenames(), dropping: Set<String> = [])
}

/// What entities and keys were called before.
///
///     ModelRenames(entities: ["Task": "Item"], keys: ["Task.name": "title"])
public struct ModelRenames: Sendable, Equatable {
  /// By the new name the old one.
  public var entities: [String: String]
  /// By the new entity and key the old key: `["Task.name": "title"]`.
  public var keys: [String: String]

  /// No other names, or some.
  public init(entities: [String: String] = [:], keys: [String: String] = [:]) {
    (self.entities, self.keys) = (entities, keys)
  }
}

/// What came of a save.
public struct SaveResult: Sendable {
  /// Whether there was something to save.
  public var hasSaved = false
  /// Whether saves of others were taken in.
  public var tookInOthers = false
  /// New objects that got other numbers, because others had used theirs.
  public var renumbered: [ObjectID: ObjectID] = [:]
  /// Changes that met those of others, which the merge policy has settled.
  public var settledConflicts: [MergeConflict] = []
  /// Whether what was done before can no longer be undone, for the model was changed.
  public var endedHistory = false
  /// Things to know that do not matter for what was saved.
  public var notes: [String] = []
}

/// What objects have that another model has no place for.
struct LostValues {
  private let graph: Graph
  private let target: Model
  /// By the old name the new one.
  private let entities: [String: String]
  /// By the new entity and the old key whether it has another name.
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

  /// A problem for each entity and key. Linear in the objects of those that go.
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
    count == 0 || dropping.contains(name) ? [] : [Diagnostic(LostFacts(name: name, count: count))]
  }

  /// How many objects there are, or have something under a key.
  private func count(_ entity: String, having key: String? = nil) -> Int {
    let snapshot = GraphSnapshot(graph)
    return graph.objectIDs(of: entity).count { id in
      guard let key else { return true }
      guard let place = graph.find(id) else { return false }
      let object = snapshot.object(table: place.table, row: place.row)
      guard let value = try? object.value(forKey: key) else { return false }
      switch value {
      case .null: return false
      case .list, .set: return !value.elements.isEmpty
      default: return true
      }
    }
  }
}

/// `"Item.title" has values in 3 objects`
private struct LostFacts: DiagnosticFacts {
  let name: String
  let count: Int

  var sentence: String {
    count == 1
      ? localized("one object has something for \(name), which is not in the new model")
      : localized("\(count) objects have something for \(name), which is not in the new model")
  }

  var help: String? {
    localized("say its new name in renaming:, or \"\(name)\" in dropping: where it is to go")
  }
}
