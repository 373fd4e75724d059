public import Foundation
import KuraBytes
import KuraValues
import Synchronization

/// Where and when a predicate is evaluated: clock, zone, calendar, locale, chance.
///
///     let tokyo = PredicateEnvironment(timeZone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt)
///     try "hour(born) == 9".predicate().evaluate(person, in: tokyo)
///
/// What is not said is the system's: its time zone, its locale, its calendar, this moment. A test of
/// yours says all of it, and has the same answer everywhere.
public struct PredicateEnvironment: Sendable {
  /// Where dates have a day and an hour, and in which a text without a zone is read.
  public var timeZone: TimeZone
  /// What `[l]` and `natural` go by, and in which dates and numbers are written.
  public var locale: Locale
  /// By which `year(d)`, `month(d)` and `day(d)` count.
  public var calendar: Calendar.Identifier
  /// What `now()` is; nil: the moment at which an evaluation begins.
  public var now: Date?
  /// Where `random()` takes its bits from.
  public var random: @Sendable () -> UInt64
  /// How long one evaluation, or the filtering of one collection, may take; nil: as long as it takes.
  public var timeLimit: Duration?
  private let zone: ZoneRules

  /// Makes an environment; what is not said is the system's.
  ///
  /// Under a millisecond: the rules of a zone are read once.
  public init(
    timeZone: TimeZone = .current, locale: Locale = .current,
    calendar: Calendar.Identifier = Calendar.current.identifier, now: Date? = nil,
    random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  ) {
    self.timeZone = timeZone
    self.locale = locale
    self.calendar = calendar
    self.now = now
    self.random = random
    zone = ZoneRules(timeZone)
  }

  /// The system's, as it was when it was first asked for.
  public static let current = PredicateEnvironment()
}

extension PredicateEnvironment {
  /// Numbers by chance from a generator that gives the same ones each time.
  ///
  ///     environment.random = PredicateEnvironment.random(seed: 7)
  public static func random(seed: UInt64) -> @Sendable () -> UInt64 {
    let numbers = SeededBits(seed)
    return { numbers.next() }
  }

  /// The rules of its zone, which are read anew where that is another one than it was made with.
  package var rules: ZoneRules {
    zone.identifier == timeZone.identifier ? zone : ZoneRules(timeZone)
  }

  /// The same, with the rules of its zone read.
  package var settled: PredicateEnvironment {
    var settled = PredicateEnvironment(
      timeZone: timeZone, locale: locale, calendar: calendar, now: now, random: random)
    settled.timeLimit = timeLimit
    return settled
  }

  /// By which years, months and days are counted; nil: the Gregorian one.
  package var otherCalendar: Calendar.Identifier? {
    calendar == .gregorian || calendar == .iso8601 ? nil : calendar
  }

  /// What an evaluation knows.
  func context(_ variables: [String: Value]) -> EvaluationContext {
    var context = EvaluationContext(
      variables: variables, now: moment, zone: rules, locale: locale, random: random)
    context.exactDates = true
    context.time = timeLimit.map(TimeLimit.init)
    context.calendar = otherCalendar
    return context
  }

  /// What `now()` is at this moment.
  package var moment: Timestamp { now.flatMap { Timestamp(nearest: $0) } ?? .now }
}

extension EvaluationContext {
  /// The calendar by which years, months and days count; nil: the Gregorian one.
  var otherCalendar: Calendar? {
    guard let identifier = calendar, let zone = TimeZone(identifier: zone.identifier) else {
      return nil
    }
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = zone
    return calendar
  }
}

/// Numbers that are the same for the same seed, one after the other for whoever asks.
private final class SeededBits: Sendable {
  private let numbers: Mutex<SplitMix64>

  init(_ seed: UInt64) { numbers = Mutex(SplitMix64(state: seed)) }

  func next() -> UInt64 { numbers.withLock { $0.next() } }
}
