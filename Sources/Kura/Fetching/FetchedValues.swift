public import KuraPredicates

/// The results of a request as a Swift type: the current result, then a new one after each change.
///
///     for try await items in try await todo.values(of: Item.self, where: "done == NO") {
///       show(items)   // [Item]: now, and after each change
///     }
///
/// Each element is the complete result at one moment. A slow reader receives the newest result next
/// and skips those in between, so nothing is buffered. A sequence can be iterated once, and ends as
/// ``FetchedResultsController/changes`` does.
///
/// Reading an element costs what `fetch` does, in the isolation of the reader, without blocking the
/// context. It throws as `fetch` does. A change that only concerns related objects produces an
/// element only if the predicate, the order or the columns read them.
public struct FetchedValues<Wanted: Decodable>: AsyncSequence, Sendable {
  /// The complete result.
  public typealias Element = [Wanted]

  let request: FetchRequest
  let storage: ContextStorage
  let steps: AsyncStream<Void>

  /// An iterator over the results.
  public struct Iterator: AsyncIteratorProtocol {
    let values: FetchedValues
    var steps: AsyncStream<Void>.Iterator

    /// Waits for a change and returns the newest result; nil at the end. It costs what `fetch`
    /// does.
    public mutating func next() async throws -> [Wanted]? {
      guard await steps.next() != nil else { return nil }
      return try values.current.fetch(values.request, as: Wanted.self)
    }
  }

  /// Returns an iterator that begins with the current result. Constant time.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self, steps: steps.makeAsyncIterator())
  }

  /// The objects outside any `perform`.
  private var current: Snapshot {
    Snapshot(
      GraphReader(
        snapshot: storage.withOutermost { $0.snapshot }, sharedEnvironment: storage.environment,
        origin: storage.origin))
  }
}

extension ManagedObjectContext {
  /// Returns the results of a request as a Swift type: the current result, then a new one after
  /// each change.
  ///
  ///     for try await items in try context.values(of: request, as: Item.self) { show(items) }
  ///
  /// It costs one `fetch` without offset and limit. Throws as `fetch` does.
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> {
    FetchedValues(request: request, storage: storage, steps: try steps(of: request))
  }

  /// Returns the objects of a type's entity that match a predicate: the current result, then a new
  /// one after each change. It costs and throws what `values(of:as:)` does.
  ///
  ///     for try await items in try context.values(of: Item.self, where: "done == NO") { show(items) }
  public func values<Wanted: Storable>(
    of type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> FetchedValues<Wanted> {
    try check(type)
    return try values(of: FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }
}

extension ContextActor {
  /// Returns the results of a request as a Swift type, as ``ManagedObjectContext/values(of:as:)``
  /// does. It has the same cost and errors.
  ///
  ///     for try await items in try await todo.values(of: request, as: Item.self) { await show(items) }
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> { try store.context.values(of: request, as: type) }

  /// Returns the objects of a type's entity that match a predicate: the current result, then a new
  /// one after each change. It costs and throws what `values(of:as:)` does.
  ///
  ///     for try await items in try await todo.values(of: Item.self, where: "done == NO") { await show(items) }
  public func values<Wanted: Storable>(
    of type: Wanted.Type, where format: String = "TRUEPREDICATE",
    _ arguments: (any FormatConvertible)?...
  ) throws -> FetchedValues<Wanted> {
    try store.context.check(type)
    return try values(of: FetchRequest(Wanted.entityName, format: format, arguments), as: type)
  }
}
