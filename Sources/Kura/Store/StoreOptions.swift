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
