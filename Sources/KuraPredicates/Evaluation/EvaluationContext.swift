package import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraValues

/// What an evaluation knows besides the object: one for a whole statement.
package struct EvaluationContext: Sendable {
  /// What `$name` means.
  package var variables: [String: Value]
  /// What `now()` gives, the same for every object.
  package var now: Timestamp
  /// Whether a text such as 今日 means the day on which it is asked: what is prepared may wait.
  package var readsClock = false
  /// Where dates have a day and an hour.
  package var zone: ZoneRules
  /// What `[l]` goes by.
  package var locale: Locale
  /// By which years, months and days are counted; nil: the Gregorian one.
  package var calendar: Calendar.Identifier?
  /// In which dates and numbers are written; nil: none was chosen, and a pattern says it itself.
  package var writtenLocale: Locale?
  /// In a fetch arithmetic over nil is nil, as in Core Data's SQLite store; elsewhere an error.
  package var nilArithmeticIsNil: Bool
  /// In a fetch json values may be of any class: one of another class than the operand makes `<`
  /// false, and one without keys has null for each key.
  package var lenientOrdering: Bool
  /// Whether `CAST(seconds, "NSDate")` is the date of these seconds to the last bit, as objects in memory
  /// have it, or whole microseconds as those of a graph.
  package var exactDates = false
  /// Runs a fetch that stands in an expression; nil where there is no store.
  package var fetches: (any FetchRunner)?
  /// Where `random()` takes its bits from.
  package var random: @Sendable () -> UInt64
  /// How long an evaluation may take, and when it began.
  package var time: TimeLimit?
  /// Who asks for it ends an evaluation: a person, who pressed Control-C.
  package var cancel: CancelFlag

  /// Made once: finding a locale by its name costs more than evaluating most predicates.
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
  /// Throws if the evaluation is to stop.
  func checkCancel() throws(EvaluationFacts) {
    if cancel.isRequested { throw .stopped }
    if let time, time.isOver { throw .overTime(time.limit) }
  }
}

/// A time in which an evaluation must be done.
package struct TimeLimit: Sendable {
  let limit: Duration
  private let end: ContinuousClock.Instant

  /// From now on.
  init(_ limit: Duration) { (self.limit, end) = (limit, .now + limit) }

  var isOver: Bool { ContinuousClock.now >= end }
}

/// Runs the fetches that stand in expressions and read a variable of the place where they stand.
package protocol FetchRunner: Sendable {
  /// What a fetch is worth, with the variables of a context.
  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value
}
