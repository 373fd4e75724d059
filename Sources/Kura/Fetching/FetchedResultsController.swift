public import Foundation
import KuraBytes
public import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraValues

/// A fetch that stays: the answer, in its sections, and how each step of the context changes it.
///
///     let open = try context.results(of: FetchRequest("Item", where: "done == NO").sorted(by: "title"))
///     open.objects.count                     // 2
///     for await change in open.changes { … } // .insert(Item/3, at: [0, 1])
///
/// A step that concerns one object costs about as much as finding its place; what cannot be kept so
/// is asked anew and compared, as `explain watch` in the shell says. It belongs to the isolation of its
/// context; its changes are `Sendable`.
public final class FetchedResultsController {
  private let watch: Watch
  var storage: ContextStorage { watch.storage }
  var results: FetchedResults { watch.results }

  fileprivate init(_ watch: Watch) { self.watch = watch }

  /// What is kept as long as somebody has the controller, or listens to its changes.
  fileprivate final class Watch: Sendable {
    let storage: ContextStorage
    let results: FetchedResults
    let listeners: ChangeListeners
    private let number: Int

    init(_ storage: ContextStorage, _ results: FetchedResults, _ listeners: ChangeListeners) {
      (self.storage, self.results, self.listeners) = (storage, results, listeners)
      number = storage.listeners.add { [weak listeners] in listeners?.tell(nil) }
    }

    deinit {
      storage.listeners.remove(number)
      // One that has come to its end says so within a step, and does no more.
      if listeners.hasEnded { return }
      let results = results
      storage.withOutermost { $0.stop(results) }
    }
  }
}

extension ManagedObjectContext {
  /// Keeps a fetch, and tells behind each step how its answer changed, until nobody has it any more or
  /// listens to it.
  ///
  ///     let results = try context.results(of: FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs once what `fetch` does without offset and limit. Throws as `fetch` does.
  public func results(of request: FetchRequest) throws -> FetchedResultsController {
    let listeners = ChangeListeners()
    let results = try watch(request) { listeners.tell($0) }
    return FetchedResultsController(.init(storage, results, listeners))
  }

  /// How the answer of a request changes with each step from now on, as long as somebody listens.
  func changes(of request: FetchRequest) throws -> AsyncStream<FetchedResultsChange> {
    try stream(of: request, .unbounded) { $0 }.stream
  }

  /// That there is an answer, now and after each step that changes it: once for all that nobody has heard.
  func steps(of request: FetchRequest) throws -> AsyncStream<Void> {
    let (stream, continuation) = try stream(of: request, .bufferingNewest(1)) { _ in }
    continuation.yield()
    return stream
  }

  private func stream<Told: Sendable>(
    of request: FetchRequest, _ buffering: AsyncStream<Told>.Continuation.BufferingPolicy,
    _ told: @escaping @Sendable (FetchedResultsChange) -> Told
  ) throws -> (stream: AsyncStream<Told>, continuation: AsyncStream<Told>.Continuation) {
    let (stream, continuation) = AsyncStream.makeStream(of: Told.self, bufferingPolicy: buffering)
    let results = try watch(request) { change in
      if let change { continuation.yield(told(change)) } else { continuation.finish() }
    }
    let storage = storage
    let number = storage.listeners.add { continuation.finish() }
    continuation.onTermination = { reason in
      storage.listeners.remove(number)
      // One that has come to its end says so within a step, and does no more.
      if case .cancelled = reason { storage.withOutermost { $0.stop(results) } }
    }
    return (stream, continuation)
  }

  /// Tells each change, and nil at the end.
  private func watch(
    _ request: FetchRequest, _ tell: @escaping @Sendable (FetchedResultsChange?) -> Void
  ) throws -> FetchedResults {
    let reader = reader
    let tree = try reader.tree(request)
    let environment = try reader.environment(request, CancelFlag())
    return try storage.withOutermost { context throws(Diagnostic) in
      try context.results(of: tree, environment) { change, end in
        if !change.isEmpty { tell(FetchedResultsChange(change)) }
        if end != nil { tell(nil) }
      }
    }
  }
}

extension FetchedResultsController {
  /// Each change in its order: for the first who asks from the beginning on, for any other from now on.
  ///
  ///     for await change in try context.results(of: request).changes { … }
  ///
  /// They end where the fetch can be asked no more, as when a key of it is dropped: ``endReason`` says why; and
  /// when nobody has the context any more.
  /// As long as somebody listens, the fetch is kept. A stream keeps what nobody has taken from it yet,
  /// however many; who stops listening and asks again, begins anew. Constant time.
  public var changes: AsyncStream<FetchedResultsChange> { watch.listeners.next(keeping: watch) }

  /// Why there are no changes any more: the fetch does not fit the model that there is now; nil as long as it
  /// does. The answer stays what it was last. Constant time.
  public var endReason: Diagnostic? {
    results.read { if case .failed(let reason)? = $0.end { reason } else { nil } }
  }

  /// Why the answer is the last one that there was, and not that of now: an object makes the fetch fail, as
  /// a division by zero does. It is asked again behind each step, and the changes go on when it can be; nil
  /// as long as all is well. Constant time.
  public var failure: Diagnostic? { results.read { $0.failure } }

  /// The objects as they are now. Linear in them.
  public var objects: [ManagedObject] {
    results.answer.objects.map { ManagedObject($0, storage) }
  }

  /// The objects as they are now, as a type of Swift.
  ///
  ///     struct Item: Decodable { var title: String }
  ///     try open.objects(as: Item.self).map(\.title)   // ["掃除", "報告"]
  ///
  /// Linear in them, and in the keys that the type asks for. Throws a `DecodingError` where the type wants
  /// what an object does not have.
  public func objects<Wanted: Decodable>(as type: Wanted.Type) throws -> [Wanted] {
    try objects.map { try $0.decode(type) }
  }

  /// How many rows there are. Constant time.
  public var count: Int { results.read { $0.count } }

  /// The object at `[section, row]`; nil if there is none, or the row is no object. Linear in the
  /// sections, and in the objects before it, some hundred at a time.
  public func object(at place: IndexPath) -> ManagedObject? {
    guard place.count == 2 else { return nil }
    let row = results.read { $0.object(at: ResultsPlace(section: place[0], row: place[1])) }
    return row.map { ManagedObject($0, storage) }
  }

  /// Where an object stands, as `[section, row]`; nil if it is not in the answer. Linear in the
  /// sections, and in the objects before it, some hundred at a time; where the fetch is asked anew
  /// behind each step, in the rows.
  public func indexPath(of object: ManagedObject) -> IndexPath? {
    let id = object.id
    return results.read { $0.place(of: id) }.map(IndexPath.init)
  }
}

/// How the answer of a fetch changed with one step.
///
/// What goes, and where a move begins, is said by the old answer, what comes, where a move ends and what
/// was updated by the new one, as a table view takes it: deletions in descending, then insertions in
/// ascending order make the old answer the new one.
public struct FetchedResultsChange: Sendable, Equatable {
  /// What became of a row or a section.
  public enum Event: Sendable, Equatable {
    case insert(Row, at: IndexPath)
    case delete(Row, from: IndexPath)
    /// With the keys that have other values; none where others made it move.
    case move(Row, from: IndexPath, to: IndexPath, keys: [String])
    case update(Row, at: IndexPath, keys: [String])
    case insertSection(heading: Value, at: Int)
    case deleteSection(heading: Value, at: Int)
  }

  /// A row of the answer.
  public enum Row: Sendable, Hashable {
    case object(ObjectID)
    /// The row of a group, by the names of its columns.
    case values(ValueDictionary)
  }

  /// The events of the step.
  public let events: [Event]

  init(_ change: ResultsChange) { events = change.events.map(Event.init) }
}

extension FetchedResultsChange.Event {
  fileprivate init(_ event: ResultsEvent) {
    switch event {
    case .insert(let row, let place): self = .insert(.init(row), at: .init(place))
    case .delete(let row, let place): self = .delete(.init(row), from: .init(place))
    case .move(let row, let from, let to, let keys):
      self = .move(.init(row), from: .init(from), to: .init(to), keys: keys)
    case .update(let row, let place, let keys):
      self = .update(.init(row), at: .init(place), keys: keys)
    case .sectionInsert(let heading, let place): self = .insertSection(heading: heading, at: place)
    case .sectionDelete(let heading, let place): self = .deleteSection(heading: heading, at: place)
    }
  }
}

extension FetchedResultsChange.Row {
  fileprivate init(_ row: ResultsRow) {
    switch row {
    case .object(let id): self = .object(id)
    case .values(let values): self = .values(values)
    }
  }
}

extension IndexPath {
  fileprivate init(_ place: ResultsPlace) { self = [place.section, place.row] }
}
