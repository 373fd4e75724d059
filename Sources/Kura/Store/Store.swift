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
