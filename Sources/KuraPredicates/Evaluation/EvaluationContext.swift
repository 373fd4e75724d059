package import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraValues

/// The environment of an evaluation, one per statement.
package struct EvaluationContext: Sendable {
  /// The values of variables, `$name`.
  package var variables: [String: Value]
  /// The variables that have elements of collections or objects of fetches. Their texts are values, and are not read as
  /// the type of the other side.
  package var elementVariables: Set<String> = []
  /// The value of `now()`, the same for every object.
  package var now: Timestamp
  /// Whether a text such as 今日 means the day of the evaluation, because a prepared predicate can be
  /// evaluated later.
  package var readsClock = false
  /// The time zone of dates.
  package var zone: ZoneRules
  /// The locale of `[l]`.
  package var locale: Locale
  /// The calendar for years, months and days; nil means the Gregorian calendar.
  package var calendar: Calendar.Identifier?
  /// The locale in which dates and numbers are written; nil if none was chosen, so that patterns
  /// determine it.
  package var writtenLocale: Locale?
  /// Whether arithmetic with nil gives nil, as in Core Data's SQLite store. This holds in a fetch;
  /// elsewhere it is an error.
  package var nilArithmeticIsNil: Bool
  /// Whether json values can be of any class, as in a fetch. `<` is then false for a value of
  /// another class than the operand, and a value without keys has null for each key.
  package var lenientOrdering: Bool
  /// Treats values that an operator does not accept as nil. If this property is nil, such a value
  /// is an error.
  package var otherKinds: OtherKinds?
  /// Whether `CAST(seconds, "NSDate")` is exact to the last bit, as for objects in memory.
  /// Otherwise it is rounded to microseconds, as in a graph.
  package var exactDates = false
  /// The variable that nested fetches read for the evaluated object: `s` in `fetch Shop as $s`.
  package var objectName: String?
  /// Runs fetches in expressions; nil without a store.
  package var fetches: (any FetchRunner)?
  /// The source of random bits for `random()`.
  package var random: @Sendable () -> UInt64
  /// The hash tables of SUBQUERYs over fixed collections; nil if each evaluation loops over all elements.
  package var subqueries: SubqueryIndexes?
  /// The time limit and start of the evaluation.
  package var time: TimeLimit?
  /// A flag that ends the evaluation, for example when the user presses Control-C.
  package var cancel: CancelFlag

  /// Created once, because looking up a locale costs more than evaluating most predicates.
  package static let plainLocale = Locale(identifier: "en_US_POSIX")

  package init(
    variables: [String: Value] = [:], now: Timestamp = .now, zone: ZoneRules = .utc,
    locale: Locale = EvaluationContext.plainLocale, nilArithmeticIsNil: Bool = false,
    lenientOrdering: Bool = false,
    random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) },
    cancel: CancelFlag = .current
  ) {
    self.variables = variables
    self.now = now
    self.zone = zone
    self.locale = locale
    self.nilArithmeticIsNil = nilArithmeticIsNil
    self.lenientOrdering = lenientOrdering
    self.random = random
    self.cancel = cancel
  }
}

extension EvaluationContext {
  /// Throws if the evaluation was cancelled or has exceeded its time.
  func checkCancel() throws(EvaluationError) {
    if cancel.isRequested { throw .stopped }
    if let time, time.isOver { throw .overTime(time.limit) }
  }
}

/// A deadline for an evaluation.
package struct TimeLimit: Sendable {
  let limit: Duration
  private let end: ContinuousClock.Instant

  /// Creates a limit that starts now.
  init(_ limit: Duration) { (self.limit, end) = (limit, .now + limit) }

  var isOver: Bool { ContinuousClock.now >= end }
}

/// Runs fetches in expressions that read a variable of the surrounding expression.
package protocol FetchRunner: Sendable {
  /// Returns the value of a fetch with the variables of a context.
  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value
}
