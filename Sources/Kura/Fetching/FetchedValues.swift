public import KuraPredicates

/// What a request finds, as a type of Swift, now and after each step that changes it.
///
///     for try await items in try await todo.values(of: Item.self, where: "done == NO") {
///       show(items)   // [Item]: at once, and when others are open
///     }
///
/// An element is the whole answer at one moment. Who takes long is given the newest answer next, and
/// those between never: nothing is kept for whoever does not ask. It is gone through once, and goes on as
/// ``FetchedResultsController/changes`` does.
///
/// An answer costs what `fetch` does, where it is taken, and keeps no context waiting. Taking one throws as
/// `fetch` does. A step that changes only objects behind a relationship is none, unless the predicate, the
/// order or the columns read them.
public struct FetchedValues<Wanted: Decodable>: AsyncSequence, Sendable {
  /// The whole answer.
  public typealias Element = [Wanted]

  let request: FetchRequest
  let storage: ContextStorage
  let steps: AsyncStream<Void>

  /// Goes through the answers.
  public struct Iterator: AsyncIteratorProtocol {
    let values: FetchedValues
    var steps: AsyncStream<Void>.Iterator

    /// The newest answer, when there is one that was not given yet; nil at the end. It costs what `fetch`
    /// does.
    public mutating func next() async throws -> [Wanted]? {
      guard await steps.next() != nil else { return nil }
      return try values.current.fetch(values.request, as: Wanted.self)
    }
  }

  /// Begins with the answer that there is. Constant time.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self, steps: steps.makeAsyncIterator())
  }

  /// The objects as they are outside any `perform`.
  private var current: Snapshot {
    Snapshot(
      GraphReader(
        snapshot: storage.withOutermost { $0.snapshot }, surroundings: storage.environment,
        origin: storage.origin))
  }
}

extension ManagedObjectContext {
  /// What a request finds, as a type of Swift, now and after each step that changes it, as long as somebody
  /// listens.
  ///
  ///     for try await items in try context.values(of: request, as: Item.self) { show(items) }
  ///
  /// It costs once what `fetch` does without offset and limit. Throws as `fetch` does.
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> {
    FetchedValues(request: request, storage: storage, steps: try steps(of: request))
  }

  /// The objects of a type's entity that a predicate lets through, now and after each step that changes
  /// them. It costs and throws what that does.
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
  /// What a request finds, as a type of Swift, now and after each step that changes it, as
  /// ``ManagedObjectContext/values(of:as:)`` says, at its cost. Throws as that.
  ///
  ///     for try await items in try await todo.values(of: request, as: Item.self) { await show(items) }
  public func values<Wanted: Decodable>(
    of request: FetchRequest, as type: Wanted.Type
  ) throws -> FetchedValues<Wanted> { try store.context.values(of: request, as: type) }

  /// The objects of a type's entity that a predicate lets through, now and after each step that changes
  /// them. It costs and throws what that does.
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
