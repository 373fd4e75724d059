public import KuraModel
import KuraPredicates

/// An actor with a store, for programs in which several tasks share one.
///
///     let todo = try ContextActor(opening: "todo.json")
///     try await todo.performAndSave("add") { context in
///       try context.insert("Item", ["title": "掃除"])
///     }
///     let open = try await todo.snapshot.count(FetchRequest("Item", where: "done == NO"))
///
/// No other task runs between the changes of one `perform`. Run long fetches on a ``Snapshot``,
/// which blocks no other task.
public actor ContextActor {
  let store: Store

  /// Opens the store in a file, as ``Store/open(_:model:storing:options:)`` does. Linear in the
  /// file.
  public init(
    opening path: String, model: Model? = nil, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws {
    store = try Store.open(path, model: model, storing: types, options: options)
  }

  /// Opens the store in a file, or creates it if the file does not exist. Linear in the file.
  public init(
    openingOrCreating path: String, _ model: Model, storing types: [any Storable.Type] = [],
    options: StoreOptions = StoreOptions()
  ) throws {
    store = try Store.openOrCreate(path, model, storing: types, options: options)
  }

  /// Creates a store in memory. Linear in the model.
  public init(inMemory model: Model, storing types: [any Storable.Type] = []) throws {
    store = try Store.inMemory(model, storing: types)
  }
}

extension ContextActor {
  /// Calls a closure with the context, exclusively.
  ///
  /// This is not an undo group: if `body` throws, its earlier changes remain, also for later
  /// callers. It costs what `body` costs. Throws what `body` throws.
  @discardableResult public func perform<Result: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) throws -> Result { try body(store.context) }

  /// Performs several changes as one undo group. If `body` throws, none is applied. In addition to
  /// the cost of `body`, linear in the changes.
  @discardableResult public func perform<Result: Sendable>(
    _ actionName: String, _ body: @Sendable (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = store.context
    return try context.perform(actionName) { try body(context) }
  }

  /// Performs several changes as one undo group, and saves. If either fails, no change is applied.
  /// No other task can save in between.
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

  /// The objects in their current state, readable from any isolation. Constant time.
  public var snapshot: Snapshot { store.context.snapshot }

  /// Saves the changes. It costs what the context's `save` does.
  @discardableResult public func save() throws -> SaveResult { try store.context.save() }

  /// Merges the saves of others, as ``Store/refresh()`` does, with the same cost; nil if there are
  /// none.
  @discardableResult public func refresh() throws -> SaveResult? { try store.refresh() }

  /// A stream of all changes from now on. Linear in each change.
  public var changes: AsyncStream<ObjectChanges> { store.context.changes }

  /// Returns a stream of changes to the result of a request, from now on. They are the changes of a
  /// ``FetchedResultsController``, which itself belongs to one isolation.
  ///
  ///     for await change in try await todo.changes(of: FetchRequest("Item").sorted(by: "title")) { … }
  ///
  /// It costs one `fetch` without offset and limit. Throws as `fetch` does. The stream ends if the
  /// fetch can no longer run.
  public func changes(of request: FetchRequest) throws -> AsyncStream<FetchedResultsChange> {
    try store.context.changes(of: request)
  }

  /// Returns a stream with an element whenever any program writes the store's file, as
  /// ``Store/fileChanges(every:)`` does, with the same cost.
  ///
  ///     for await _ in await todo.fileChanges() { try await todo.refresh() }
  public func fileChanges(every interval: Duration = .milliseconds(500)) -> AsyncStream<Void> {
    store.fileChanges(every: interval)
  }

  /// Closes the store. It costs what ``Store/close()`` does.
  @discardableResult public func close() -> [String] { store.close() }
}
