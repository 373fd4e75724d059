public import Foundation
public import KuraDiagnostics
import KuraGraph
public import KuraModel
import KuraStore
import KuraValues

/// An object graph in a JSON file or in memory, with a context for its objects.
///
///     let store = try Store.open("todo.json")
///     try store.context.insert("Item", ["title": "掃除"])
///     try store.context.save()
///
/// A store belongs to one isolation, as its context does. Several programs, and several stores of
/// one program, can have the same file open: `refresh` and saves merge what others have saved.
public final class Store {
  /// The context with the store's objects.
  public let context: ManagedObjectContext
  /// Notes from opening the file, for example that it is read-only.
  public let notes: [Diagnostic]
  let connection: StoreConnection

  init(_ opened: StoreOpenResult, path: String?, _ options: StoreOptions) {
    connection = StoreConnection(opened.store, opened.keeper, path: path, options)
    notes = opened.notes
    let zone = opened.store.timeZoneID.flatMap(TimeZone.init(identifier:))
    let storage = ContextStorage(
      opened.store.graph, zone: zone.map { ZoneRules($0) } ?? .utc,
      SharedPredicateEnvironment(zone: zone),
      of: StoreOrigin(path.map(StorePlace.resolvingSymlinks)))
    context = ManagedObjectContext(storage, home: .store(connection))
  }
}

// Opening
extension Store {
  /// Opens the store in a file. Plain JSON can be opened too, and saved as a store elsewhere.
  ///
  ///     let store = try Store.open("todo.json", model: model, storing: [Item.self])
  ///
  /// If you pass a model, the file must have the same one; `options` can allow a migration. The
  /// types are checked against the model, which reports missing keys and values of other types.
  /// Linear in the file. Throws ``StoreError``.
  public static func open(
    _ path: String, model: Model? = nil, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    let opened = try StoreError.convertingErrors {
      try StoreKeeper.open(path: path, KeepingOptions(options))
    }
    let store = Store(opened, path: path, options)
    if let model { try store.adopt(model, path, options.migration) }
    try store.context.check(types)
    return store
  }

  /// Creates a store in a new file, or replaces an existing file, and opens the store.
  ///
  ///     let store = try Store.create("todo.json", model)
  ///
  /// Texts that are dates without a time zone are read in the store's time zone on every machine,
  /// also by the shell. Without one, they are read in the system's. Linear in the model. Throws
  /// ``StoreError/exists(path:)`` if the file exists and `replacing` is false, and other
  /// ``StoreError``s.
  public static func create(
    _ path: String, _ model: Model, replacing: Bool = false, timeZone: TimeZone? = nil,
    storing types: [any Storable.Type] = [], options: StoreOptions = StoreOptions()
  ) throws -> Store {
    try model.check()
    let contents = StoreContents(
      graph: Graph(model: model), isStore: true, timeZoneID: timeZone?.identifier)
    let keeper = try make(contents, path, replaces: replacing, options)
    let store = Store(StoreOpenResult(store: contents, keeper: keeper), path: path, options)
    try store.context.check(types)
    return store
  }

  /// Creates a store in memory, for tests and temporary data.
  ///
  ///     let context = try Store.inMemory(model).context
  ///
  /// Linear in the model. Throws ``StoreError/model(_:)`` if the model is inconsistent.
  public static func inMemory(
    _ model: Model, timeZone: TimeZone? = nil, storing types: [any Storable.Type] = []
  ) throws -> Store {
    try model.check()
    let contents = StoreContents(
      graph: Graph(model: model), isStore: true, timeZoneID: timeZone?.identifier)
    let store = Store(StoreOpenResult(store: contents, keeper: nil), path: nil, StoreOptions())
    try store.context.check(types)
    return store
  }

  /// Opens the store in a file, or creates it if the file does not exist.
  ///
  ///     let store = try Store.openOrCreate("todo.json", model)
  ///
  /// The time zone applies only to a new store. Linear in the file. Throws as
  /// ``open(_:model:storing:options:)`` does.
  public static func openOrCreate(
    _ path: String, _ model: Model, timeZone: TimeZone? = nil,
    storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    // An existing file is opened without a lock, which a program without write access could not
    // take.
    if FileManager.default.fileExists(atPath: path) {
      return try open(path, model: model, storing: types, options: options)
    }
    do {
      return try create(path, model, timeZone: timeZone, storing: types, options: options)
    } catch StoreError.exists {
      return try open(path, model: model, storing: types, options: options)
    }
  }

  static func make(
    _ contents: StoreContents, _ path: String, replaces: Bool, _ options: StoreOptions
  ) throws -> StoreKeeper {
    do {
      let keeper = try StoreKeeper.make(
        contents, path: path, replaces: replaces, KeepingOptions(options))
      if let keeper { return keeper }
    } catch {
      throw error.isFileThere ? .exists(path: path) : StoreError.file(error.diagnostics.forPrograms)
    }
    throw StoreError.notKept
  }

  private func adopt(_ model: Model, _ path: String, _ policy: MigrationPolicy) throws {
    guard context.model != model else { return }
    guard case .automatic(let renames, let dropping) = policy else {
      if context.model.holdsSame(as: model) { return }
      throw StoreError.otherModel(path: path)
    }
    let lost = LostValues(context.storage.context.graph, model, renames, dropping).diagnostics
    if !lost.isEmpty { throw StoreError.migration(lost) }
    try context.migrate(to: model, renaming: renames)
  }
}

extension Model {
  /// Whether a program written for the other model can use these objects. Saved requests and
  /// indexes may differ.
  fileprivate func holdsSame(as other: Model) -> Bool {
    func unindexed(_ entity: Entity) -> Entity {
      var entity = entity
      entity.indexes = []
      return entity
    }
    return entities.map(unindexed) == other.entities.map(unindexed)
  }
}

extension KeepingOptions {
  init(_ options: StoreOptions) {
    self.init()
    (takesLock, lockTimeout) = (options.takesLock, options.lockTimeout)
  }
}

extension ManagedObjectContext {
  /// Saves the changes to the file; in a child context, adds them to the parent as one undo group.
  ///
  ///     try context.save()
  ///
  /// The call returns when the data would survive a power failure. If others have saved in the
  /// meantime, the changes are merged according to `mergePolicy`. Undo remains possible. Linear in
  /// the changes and the model, and independent of the size of the store; with a history, also
  /// linear in the changes of the previous save. The file is read only if others have saved. It is
  /// rewritten only if the model changed, or if its journal is larger than 4 MB and than a quarter
  /// of the file.
  ///
  /// A store in memory checks its rules, and then has no unsaved changes. A context of plain JSON
  /// has no store, and throws ``StoreError/notKept``.
  ///
  /// Throws ``StoreError/invalid(_:)`` if rules are broken, ``StoreError/conflicts(_:)``, and other
  /// ``StoreError``s. In those cases nothing is saved, and the changes remain unsaved.
  @discardableResult public func save(actionName: String = "child context") throws -> SaveResult {
    switch home {
    case .store(let connection):
      try connection.save(storage, mergePolicy, author: transactionAuthor)
    case .parent(let parent, let version): try commit(to: parent, version, actionName)
    }
  }
}

extension Store {
  /// The path of the file; nil for a store in memory.
  public var path: String? { connection.path }

  /// The reason why the store cannot be saved; nil if it can.
  public var readOnlyReason: String? { connection.readOnlyReason }

  /// Merges what others have saved, and keeps the unsaved changes; returns nil if there is nothing
  /// new. `context.changes` reports the inserted, changed and deleted objects.
  ///
  ///     try store.refresh()?.settledConflicts
  ///
  /// Linear in what others have saved if there are no unsaved changes. With unsaved changes, or if
  /// the journal was folded, linear in the file. Throws as a save does; nothing is merged in that
  /// case.
  @discardableResult public func refresh() throws -> SaveResult? {
    try connection.refresh(context.storage, context.mergePolicy)
  }

  /// Saves everything to another file, which becomes the file of this store.
  ///
  /// Linear in the store. Throws ``StoreError/exists(path:)`` if the file exists and `replacing` is
  /// false.
  public func save(as path: String, replacing: Bool = false) throws {
    try connection.save(context.storage, as: path, replaces: replacing)
  }

  /// Closes the store, and folds the journal of a small store into its file. Unsaved changes are
  /// lost.
  ///
  /// Returns notes, for example that the file was deleted. A store that is not closed loses
  /// nothing: its saves are in the journal next to the file. Linear in a small store with a
  /// journal, otherwise constant time.
  @discardableResult public func close() -> [String] { connection.close(context.storage) }
}
