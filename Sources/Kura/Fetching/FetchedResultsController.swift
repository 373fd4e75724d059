public import Foundation
import KuraBytes
public import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraValues

/// The result of a fetch, in sections, which follows every change of its context.
///
///     let open = try context.results(of: FetchRequest("Item", where: "done == NO").sorted(by: "title"))
///     open.objects.count                     // 2
///     for await change in open.changes { … } // .insert(Item/3, at: [0, 1])
///
/// A change of one object costs about as much as finding its place. Fetches that cannot be
/// maintained incrementally run again, and the results are compared; `explain watch` in the shell
/// shows which method applies. A controller belongs to the isolation of its context; its changes
/// are `Sendable`.
public final class FetchedResultsController {
  private let watch: Watch
  var storage: ContextStorage { watch.storage }
  var results: FetchedResults { watch.results }

  fileprivate init(_ watch: Watch) { self.watch = watch }

  /// The observation of a fetch, which lasts as long as the controller or a stream of its changes
  /// exists.
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
      // Results that have ended report this during the step, and need no further cleanup.
      if listeners.hasEnded { return }
      let results = results
      storage.withOutermost { $0.stop(results) }
    }
  }
}

extension ManagedObjectContext {
  /// Fetches, and keeps the result up to date as long as the controller or a stream of its changes
  /// exists.
  ///
  ///     let results = try context.results(of: FetchRequest("Item").sorted(by: "title"))
  ///
  /// It costs one `fetch` without offset and limit. Throws as `fetch` does.
  public func results(of request: FetchRequest) throws -> FetchedResultsController {
    let listeners = ChangeListeners()
    let results = try watch(request) { listeners.tell($0) }
    return FetchedResultsController(.init(storage, results, listeners))
  }

  /// Returns a stream of changes to the result of a request, from now on.
  func changes(of request: FetchRequest) throws -> AsyncStream<FetchedResultsChange> {
    try stream(of: request, .unbounded) { $0 }.stream
  }

  /// Returns a stream with an element for the initial result, and one after each change. Unread
  /// elements are coalesced.
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
      // Results that have ended report this during the step, and need no further cleanup.
      if case .cancelled = reason { storage.withOutermost { $0.stop(results) } }
    }
    return (stream, continuation)
  }

  /// Calls a closure with each change, and with nil at the end.
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
  /// A stream of the changes in order. The first stream begins with the creation of the controller;
  /// later ones begin now.
  ///
  ///     for await change in try context.results(of: request).changes { … }
  ///
  /// A stream ends when the context is released, or when the fetch can no longer run, for example
  /// because one of its keys was dropped; ``endReason`` has the cause. The controller's fetch is
  /// kept as long as a stream is read. A stream buffers all changes until they are read. Constant
  /// time.
  public var changes: AsyncStream<FetchedResultsChange> { watch.listeners.next(keeping: watch) }

  /// The reason why the changes ended: the fetch does not fit the current model. It is nil while
  /// the fetch is active. The result keeps its last state. Constant time.
  public var endReason: Diagnostic? {
    results.read { if case .failed(let reason)? = $0.end { reason } else { nil } }
  }

  /// The error that keeps the result out of date, such as a division by zero for one object; nil if
  /// the result is up to date. The fetch is retried after each step, and the changes continue when
  /// it succeeds. Constant time.
  public var failure: Diagnostic? { results.read { $0.failure } }

  /// The objects in their current state. Linear in them.
  public var objects: [ManagedObject] {
    results.answer.objects.map { ManagedObject($0, storage) }
  }

  /// Returns the objects in their current state, decoded as a Swift type.
  ///
  ///     struct Item: Decodable { var title: String }
  ///     try open.objects(as: Item.self).map(\.title)   // ["掃除", "報告"]
  ///
  /// Linear in the objects and in the keys that the type reads. Throws a `DecodingError` if the
  /// type requires a value that an object does not have.
  public func objects<Wanted: Decodable>(as type: Wanted.Type) throws -> [Wanted] {
    try objects.map { try $0.decode(type) }
  }

  /// The number of rows. Constant time.
  public var count: Int { results.read { $0.count } }

  /// Returns the object at `[section, row]`; nil if there is no such row, or if the row is not an
  /// object. Linear in the sections and, in blocks of several hundred, in the preceding objects.
  public func object(at place: IndexPath) -> ManagedObject? {
    guard place.count == 2 else { return nil }
    let row = results.read { $0.object(at: ResultsPlace(section: place[0], row: place[1])) }
    return row.map { ManagedObject($0, storage) }
  }

  /// Returns the place of an object as `[section, row]`; nil if it is not in the result. Linear in
  /// the sections and, in blocks of several hundred, in the preceding objects. If the fetch runs
  /// again after each step, linear in the rows.
  public func indexPath(of object: ManagedObject) -> IndexPath? {
    let id = object.id
    return results.read { $0.place(of: id) }.map(IndexPath.init)
  }
}

/// The changes that one step made to the result of a fetch.
///
/// Deletions and the origins of moves are index paths of the old result. Insertions, the
/// destinations of moves and updates are index paths of the new one. As a table view expects,
/// applying deletions in descending and then insertions in ascending order turns the old result
/// into the new one.
public struct FetchedResultsChange: Sendable, Equatable {
  /// A change of a row or a section.
  public enum Event: Sendable, Equatable {
    /// A row that joined the result.
    case insert(Row, at: IndexPath)
    /// A row that left the result.
    case delete(Row, from: IndexPath)
    /// A move, with the keys whose values changed; empty if other rows caused the move.
    case move(Row, from: IndexPath, to: IndexPath, keys: [String])
    /// A row that kept its place, with the keys whose values changed.
    case update(Row, at: IndexPath, keys: [String])
    /// A section that appeared, with its index in the new result.
    case insertSection(heading: Value, at: Int)
    /// A section that disappeared, with its index in the old result.
    case deleteSection(heading: Value, at: Int)
  }

  /// A row of the result.
  public enum Row: Sendable, Hashable {
    /// An object.
    case object(ObjectID)
    /// The row of a group, keyed by column name.
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

/// A section of a result: its heading and the range of its rows.
///
///     let items = try context.results(
///       of: FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name"))
///     for section in items.sections { print(section.name, items.objects(in: section)) }
public struct FetchedResultsSection: Sendable, Hashable {
  /// The common value of its rows for the expression after `section by`; null if the request has no
  /// sections.
  public let heading: Value
  /// The heading as a text; empty if it is null.
  public let name: String
  /// The range of its rows in the whole result.
  public let rows: Range<Int>

  init(_ heading: Value, _ rows: Range<Int>, _ zone: ZoneRules) {
    (self.heading, self.rows) = (heading, rows)
    name = heading.headingText(in: zone)
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// The first character of the name, in uppercase, for a section index; nil if the name is empty.
  public var indexTitle: String? { name.first.map { $0.uppercased() } }
}

extension FetchedResultsController {
  /// The sections in order. A request without `sectioned(by:)`, or one that groups rows, has one
  /// unnamed section with all rows. Linear in the sections.
  public var sections: [FetchedResultsSection] {
    let (runs, count) = results.read { ($0.sections, $0.count) }
    let rules = storage.environment.rules
    guard let runs else { return [FetchedResultsSection(.null, 0..<count, rules)] }
    var start = 0
    return runs.map { run in
      defer { start += run.count }
      return FetchedResultsSection(run.heading, start..<start + run.count, rules)
    }
  }

  /// Returns the objects of a section, which must be an element of the current `sections`. Linear
  /// in all objects of the result.
  public func objects(in section: FetchedResultsSection) -> [ManagedObject] {
    Array(objects.dropFirst(section.rows.lowerBound).prefix(section.count))
  }
}

extension Value {
  /// Returns a heading as a text for people.
  fileprivate func headingText(in zone: ZoneRules) -> String {
    switch self {
    case .null: ""
    case .string(let x), .uri(let x): x
    case .boolean(let x): x ? "YES" : "NO"
    case .integer(let x): "\(x)"
    case .double(let x): NumberText.text(x)
    case .decimal(let x): NumberText.text(x)
    case .date(let x): x.documentText(in: zone)
    case .uuid(let x): x.uuidString
    case .object(let x): x.id?.description ?? ""
    case .list(let x): x.map { $0.headingText(in: zone) }.joined(separator: ", ")
    case .set(let x): x.elements.map { $0.headingText(in: zone) }.joined(separator: ", ")
    case .dictionary, .binary: ""
    }
  }
}
