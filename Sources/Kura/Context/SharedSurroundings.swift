import Foundation
import KuraPredicates
import KuraValues

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
