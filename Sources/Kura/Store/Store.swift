public import Foundation
public import KuraDiagnostics
import KuraGraph
public import KuraModel
import KuraStore
import KuraValues

/// An object graph in a file of JSON, or in memory, with a context of its objects.
///
///     let store = try Store.open("todo.json")
///     try store.context.insert("Item", ["title": "掃除"])
///     try store.context.save()
///
/// It belongs to one isolation, as its context does. Several programs, and several stores of one
/// program, may have a file open: what others have saved comes in with `refresh` or with a save.
public final class Store {
  /// Its objects.
  public let context: ManagedObjectContext
  /// What there is to know of the file, as that it can only be read.
  public let notes: [Diagnostic]
  let connection: StoreConnection

  init(_ opened: StoreOpenResult, path: String?, _ options: StoreOptions) {
    connection = StoreConnection(opened.store, opened.keeper, path: path, options)
    notes = opened.notes
    let zone = opened.store.timeZoneID.flatMap(TimeZone.init(identifier:))
    let storage = ContextStorage(
      opened.store.graph, zone: zone.map { ZoneRules($0) } ?? .utc, SharedSurroundings(zone: zone),
      of: StoreOrigin(path.map(StorePlace.resolved)))
    context = ManagedObjectContext(storage, home: .store(connection))
  }
}

// Opening
extension Store {
  /// Opens the store in a file, or reads plain JSON, which can be saved as a store elsewhere.
  ///
  ///     let store = try Store.open("todo.json", model: model, storing: [Item.self])
  ///
  /// With a model, the file must have it; `options` may say that it is changed to it. Types are held
  /// against the model: a key that it does not have, and a value of another type, are found here.
  /// Linear in the file. Throws ``StoreError``.
  public static func open(
    _ path: String, model: Model? = nil, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    let opened = try StoreError.saying {
      try StoreKeeper.open(path: path, KeepingOptions(options))
    }
    let store = Store(opened, path: path, options)
    if let model { try store.adopt(model, path, options.migration) }
    try store.context.check(types)
    return store
  }

  /// Makes a store in a file where there is none, or in the place of another, and opens it.
  ///
  ///     let store = try Store.create("todo.json", model)
  ///
  /// With a time zone of its own, a store's texts that are dates without a zone are read in that everywhere,
  /// by the shell too; without one in the system's. Linear in the model. Throws
  /// ``StoreError/exists(path:)`` where there is a file that is not to be replaced, and other
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

  /// A store without a file: for tests, and for what nobody keeps.
  ///
  ///     let context = try Store.inMemory(model).context
  ///
  /// Linear in the model. Throws ``StoreError/model(_:)`` where the model does not hold together.
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

  /// Opens the store in a file, or makes it there.
  ///
  ///     let store = try Store.openOrCreate("todo.json", model)
  ///
  /// One that it makes has the time zone. Linear in the file. Throws as
  /// ``open(_:model:storing:options:)`` does.
  public static func openOrCreate(
    _ path: String, _ model: Model, timeZone: TimeZone? = nil,
    storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    // What is there is opened without a lock, which whoever may only read it cannot take.
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
  /// Whether a program of the other model may have its objects: saved requests, and the indexes of the
  /// entities, do not matter to it.
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
  /// Saves the changes: into the file, or, of a child, to its parent as one undo group.
  ///
  ///     try context.save()
  ///
  /// It returns when what it wrote outlasts a loss of power. Where others have saved meanwhile, the
  /// changes come on top of that by `mergePolicy`. What can be undone stays so. Linear in the
  /// changes and the model, and in the history where one is kept, without regard to the size of the
  /// store; but where others have saved meanwhile the file is read, and now and then, when its
  /// journal has grown to a quarter of it, written anew.
  ///
  /// A store in memory is asked its rules, and has no unsaved changes then; plain JSON that was read is no
  /// store, and throws ``StoreError/notKept``.
  ///
  /// Throws ``StoreError/invalid(_:)`` for broken rules, ``StoreError/conflicts(_:)``, and other
  /// ``StoreError``s; nothing is saved then, and the changes are still here.
  @discardableResult public func save(actionName: String = "child context") throws -> SaveResult {
    switch home {
    case .store(let connection):
      try connection.save(storage, mergePolicy, author: transactionAuthor)
    case .parent(let parent, let version): try commit(to: parent, version, actionName)
    }
  }
}

extension Store {
  /// Where it is; nil in memory.
  public var path: String? { connection.path }

  /// Why it cannot be saved; nil if it can.
  public var readOnlyReason: String? { connection.readOnlyReason }

  /// Takes in what others have saved, below the unsaved changes; nil if nobody has. Which objects came or
  /// changed, `context.changes` tells.
  ///
  ///     try store.refresh()?.settledConflicts
  ///
  /// Linear in what others have saved where nothing is unsaved here; else, and behind a folded journal,
  /// in the file. Throws as a save does; nothing is taken in then.
  @discardableResult public func refresh() throws -> SaveResult? {
    try connection.refresh(context.storage, context.mergePolicy)
  }

  /// Writes everything to another file, and goes on there.
  ///
  /// Linear in the store. Throws ``StoreError/exists(path:)`` where there is a file that is not to be
  /// replaced.
  public func save(as path: String, replacing: Bool = false) throws {
    try connection.save(context.storage, as: path, replaces: replacing)
  }

  /// Ends it: a small store that was saved is one file then. What is not saved is gone.
  ///
  /// Gives what there is to know, as that the file was taken away. A store that is not closed loses
  /// nothing: its saves stand in a journal beside it. Linear in the store where it is small and has
  /// a journal, else constant time.
  @discardableResult public func close() -> [String] { connection.close(context.storage) }
}
