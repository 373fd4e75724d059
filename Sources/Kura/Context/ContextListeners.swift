import Foundation
import KuraDiagnostics
import KuraFetch
import KuraPredicates
import KuraSentences
import KuraStore
import KuraValues
import Synchronization

/// The streams of a context's changes. They end when the context is released, because nothing can
/// change it after that.
final class ContextListeners: Sendable {
  private struct State {
    var last = 0
    var endings: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Adds a closure that ends a stream, and returns the number that removes it.
  func add(_ end: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.endings[state.last] = end
      return state.last
    }
  }

  func remove(_ number: Int) {
    // The closure is released after the lock.
    _ = state.withLock { $0.endings.removeValue(forKey: number) }
  }

  /// Ends all streams. It does so outside the lock, because a stream that ends removes itself.
  func endAll() {
    let endings = state.withLock { state in
      defer { state.endings = [:] }
      return state.endings
    }
    for end in endings.values { end() }
  }
}

/// The environment in which a context evaluates expressions. All of its objects share this
/// reference.
final class SharedPredicateEnvironment: Sendable {
  let environment: PredicateEnvironment
  var rules: ZoneRules { environment.rules }

  init(_ environment: PredicateEnvironment) { self.environment = environment.settled }

  /// Creates the environment of a store, with the store's time zone if it has one.
  convenience init(zone: TimeZone?) {
    var environment = PredicateEnvironment.current
    environment.timeZone = zone ?? environment.timeZone
    self.init(environment)
  }
}

extension ManagedObjectContext {
  /// The locale, time zone and other settings for evaluating requests and expressions, and for
  /// reading and writing dates.
  ///
  ///     context.environment.locale = Locale(identifier: "sv")   // `sorted(by: "title[l]")` is Swedish
  ///     try items.filter(by: "hour(due) == 9", in: context.environment)   // as a request evaluates it
  ///
  /// Initially it has the time zone of the store, if there is one, and the system's settings. Rules
  /// of the model and derived attributes use the store's time zone, or UTC, so that a file has the
  /// same content on every machine. Setting the environment takes less than a millisecond; existing
  /// snapshots and children keep theirs.
  public var environment: PredicateEnvironment {
    get { storage.environment.environment }
    set { storage.setEnvironment(newValue) }
  }
}

/// The store that an object belongs to. Objects of two stores can have equal identities by
/// coincidence.
final class StoreOrigin: Sendable {
  private let path: String?
  /// The tables of fetches such as `fetch Order.lines`, shared by all contexts and snapshots.
  let elements = ElementTables { json in try StoreReader(json).read().graph }

  init(_ path: String?) { self.path = path }

  /// Whether both have the same objects, because they were opened from the same file.
  private func isSame(as other: StoreOrigin) -> Bool {
    self === other || path != nil && path == other.path
  }

  /// Throws if a value contains an object of another store.
  func check(_ value: Value) throws(Diagnostic) {
    guard value.holdsObjects else { return }
    switch value {
    case .object(let reference):
      if let object = reference.reader as? ManagedObject { try check(object) }
      if let object = reference.reader as? ObjectSnapshot { try check(object.id, object.origin) }
    case .list(let values): for value in values { try check(value) }
    case .set(let set): for value in set.elements { try check(value) }
    default: break
    }
  }

  func check(_ object: ManagedObject) throws(Diagnostic) {
    try check(object.id, object.storage.origin)
  }

  private func check(_ object: ObjectID, _ other: StoreOrigin) throws(Diagnostic) {
    guard !isSame(as: other) else { return }
    throw Diagnostic(OriginProblem(object: object.description))
  }
}

/// An object that belongs to another store: `bills.delete(milk)`.
private struct OriginProblem: DiagnosticFacts {
  let object: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("this \(object) belongs to another store") }
  var help: String? {
    localized("insert an object here; the same number does not make it the same object")
  }
}

/// The streams that receive the changes of fetched results.
final class ChangeListeners: Sendable {
  typealias Stream = AsyncStream<FetchedResultsChange>

  private struct State {
    /// The stream that buffers changes from the beginning, for the first caller of `next`.
    var first: Stream?
    var tellers: [Stream.Continuation]
    var hasEnded = false
  }

  private let state: Mutex<State>

  init() {
    let (stream, teller) = Stream.makeStream()
    state = Mutex(State(first: stream, tellers: [teller]))
  }

  deinit { for teller in state.withLock({ $0.tellers }) { teller.finish() } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Returns a new stream. It retains `teller` as long as it is read.
  func next(keeping teller: some AnyObject & Sendable) -> Stream {
    let keep: @Sendable (Stream.Continuation.Termination) -> Void = { _ in
      withExtendedLifetime(teller) {}
    }
    return state.withLock { state in
      if let first = state.first.take() {
        state.tellers.first?.onTermination = keep
        return first
      }
      let (stream, teller) = Stream.makeStream()
      teller.onTermination = keep
      if state.hasEnded { teller.finish() } else { state.tellers.append(teller) }
      return stream
    }
  }

  /// Sends a change to all streams, or ends them if it is nil. Removes streams that are no longer
  /// read.
  func tell(_ change: FetchedResultsChange?) {
    guard let change else { return end() }
    state.withLock { state in
      state.tellers.removeAll { if case .terminated = $0.yield(change) { true } else { false } }
    }
  }

  /// Ends all streams. A stream that ends releases its teller, so this happens outside the lock.
  private func end() {
    let tellers = state.withLock { state in
      defer { (state.hasEnded, state.tellers) = (true, []) }
      return state.tellers
    }
    for teller in tellers { teller.finish() }
  }
}
