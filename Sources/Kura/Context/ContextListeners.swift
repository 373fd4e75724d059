import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues
import Synchronization

/// The streams that tell what becomes of a context: they end when nobody has it any more, for then nobody can
/// change it.
final class ContextListeners: Sendable {
  private struct State {
    var last = 0
    var endings: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// What ends a stream is kept until it is taken out again.
  func add(_ end: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.endings[state.last] = end
      return state.last
    }
  }

  func remove(_ number: Int) {
    // What it held goes behind the lock.
    _ = state.withLock { $0.endings.removeValue(forKey: number) }
  }

  /// Ends all of them: not while the state is locked, for who hears it takes himself out.
  func endAll() {
    let endings = state.withLock { state in
      defer { state.endings = [:] }
      return state.endings
    }
    for end in endings.values { end() }
  }
}

/// Where and when the expressions of a context are evaluated, behind one reference: each of its objects
/// has it.
final class SharedSurroundings: Sendable {
  let environment: PredicateEnvironment
  var rules: ZoneRules { environment.rules }

  init(_ environment: PredicateEnvironment) { self.environment = environment.settled }

  /// Those of a store with a time zone of its own, or without one.
  convenience init(zone: TimeZone?) {
    var environment = PredicateEnvironment.current
    environment.timeZone = zone ?? environment.timeZone
    self.init(environment)
  }
}

extension ManagedObjectContext {
  /// Where and when requests and the expressions of its objects are evaluated, texts are read as dates, and
  /// dates written.
  ///
  ///     context.environment.locale = Locale(identifier: "sv")   // `sorted(by: "title[l]")` is Swedish
  ///     try items.filter(by: "hour(due) == 9", in: context.environment)   // as a request has it
  ///
  /// At first the time zone of the store, where it has one, and the system's for all else. Rules of the
  /// model and derived attributes go by the store's time zone, or UTC: what a file holds is the same on
  /// every machine. Setting it takes under a millisecond; snapshots and children that are there
  /// keep theirs.
  public var environment: PredicateEnvironment {
    get { storage.environment.environment }
    set { storage.setEnvironment(newValue) }
  }
}

/// Which store an object is of: another one's has the same number by chance.
final class StoreOrigin: Sendable {
  private let path: String?

  init(_ path: String?) { self.path = path }

  /// Two that were opened from one file have the same objects.
  private func isSame(as other: StoreOrigin) -> Bool {
    self === other || path != nil && path == other.path
  }

  /// Throws where an object in a value is another store's.
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
    throw Diagnostic(OriginFacts(object: object.description))
  }
}

/// `bills.delete(milk)`, where `milk` is of another store.
private struct OriginFacts: DiagnosticFacts {
  let object: String

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { localized("this \(object) is an object of another store") }
  var help: String? { localized("insert one here: the other one has only the same number") }
}
