public import KuraModel
import KuraPredicates

/// A store with an actor of its own, for programs in which many tasks work with one.
///
///     let todo = try ContextActor(opening: "todo.json")
///     try await todo.performAndSave("add") { context in
///       try context.insert("Item", ["title": "掃除"])
///     }
///     let open = try await todo.snapshot.count(FetchRequest("Item", where: "done == NO"))
///
/// What stands in one `perform` is done without anybody between. Long questions are better asked of
/// a ``Snapshot``, which keeps nobody waiting.
public actor ContextActor {
  let store: Store

  /// Opens the store in a file, as ``Store/open(_:model:storing:options:)`` does. Linear in
  /// it.
  public init(
    opening path: String, model: Model? = nil, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws {
    store = try Store.open(path, model: model, storing: types, options: options)
  }

  /// Opens the store in a file, or makes it there. Linear in the file.
  public init(
    openingOrCreating path: String, _ model: Model, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws {
    store = try Store.openOrCreate(path, model, storing: types, options: options)
  }

  /// A store without a file. Linear in the model.
  public init(inMemory model: Model, storing types: [any Storable.Type] = []) throws {
    store = try Store.inMemory(model, storing: types)
  }
}

extension ContextActor {
  /// Does something with the context, and nobody else does meanwhile.
  ///
  /// It is no undo group: an error takes nothing back, and what `body` had changed before it stays, for
  /// whoever comes next too. It costs what `body` costs. Throws what `body` throws.
  @discardableResult public func perform<Result: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) throws -> Result { try body(store.context) }

  /// Does several changes as one undo group: all of them or, with an error, none. Beside what `body`
  /// costs, linear in the changes.
  @discardableResult public func perform<Result: Sendable>(
    _ actionName: String, _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = store.context
    return try context.perform(actionName) { try body(context) }
  }

  /// Does several changes as one undo group, and saves: where either fails, none is done, and no other
  /// task's save meets them.
  ///
  ///     try await todo.performAndSave("add") { context in
  ///       try context.insert("Item", ["title": "掃除"])
  ///     }
  ///
  /// It costs what `perform` and `save` do, and throws as they do.
  @discardableResult public func performAndSave<Result: Sendable>(
    _ actionName: String, _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = store.context
    return try context.performAndSave(actionName) { try body(context) }
  }

  /// The objects as they are now, to be read from anywhere. Constant time.
  public var snapshot: Snapshot { store.context.snapshot }

  /// Saves the changes. It costs what the context's `save` does.
  @discardableResult public func save() throws -> SaveResult { try store.context.save() }

  /// Takes in what others have saved, as ``Store/refresh()`` does and at its cost; nil if nobody has.
  @discardableResult public func refresh() throws -> SaveResult? { try store.refresh() }

  /// Each change from now on, as long as somebody listens. Linear in each change.
  public var changes: AsyncStream<ObjectChanges> { store.context.changes }

  /// How the answer of a request changes with each step from now on, as long as somebody listens: what a
  /// ``FetchedResultsController`` says, which belongs to one isolation.
  ///
  ///     for await change in try await todo.changes(of: FetchRequest("Item").sorted(by: "title")) { … }
  ///
  /// It costs once what `fetch` does without offset and limit. Throws as `fetch` does; the changes
  /// end where the fetch can be asked no more.
  public func changes(of request: FetchRequest) throws -> AsyncStream<FetchedResultsChange> {
    try store.context.changes(of: request)
  }

  /// Says when the store's file has been written, by whomever, as ``Store/fileChanges(every:)`` does and
  /// at its cost.
  ///
  ///     for await _ in await todo.fileChanges() { try await todo.refresh() }
  public func fileChanges(every interval: Duration = .milliseconds(500)) -> AsyncStream<Void> {
    store.fileChanges(every: interval)
  }

  /// Ends the store. It costs what ``Store/close()`` does.
  @discardableResult public func close() -> [String] { store.close() }
}
