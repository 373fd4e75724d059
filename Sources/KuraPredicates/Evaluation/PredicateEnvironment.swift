public import Foundation
import KuraBytes
import KuraValues
import Synchronization

/// The clock, time zone, calendar, locale and random source of an evaluation.
///
///     let tokyo = PredicateEnvironment(timeZone: TimeZone(identifier: "Asia/Tokyo") ?? .gmt)
///     try "hour(born) == 9".predicate().evaluate(person, in: tokyo)
///
/// The defaults are the system's time zone, locale and calendar, and the current time. If a test
/// sets all of them, it has the same result on every machine.
public struct PredicateEnvironment: Sendable {
  /// The time zone of dates, and of texts that are dates without a zone.
  public var timeZone: TimeZone
  /// The locale of `[l]` and `natural`, and of written dates and numbers.
  public var locale: Locale
  /// The calendar of `year(d)`, `month(d)` and `day(d)`.
  public var calendar: Calendar.Identifier
  /// The value of `now()`; nil means the start of each evaluation.
  public var now: Date?
  /// The source of random bits for `random()`.
  public var random: @Sendable () -> UInt64
  /// The maximum time for one evaluation, or for filtering one collection; nil means no limit.
  public var timeLimit: Duration?
  private let zone: ZoneRules

  /// Creates an environment; the defaults are the system's.
  ///
  /// It takes less than a millisecond, because the rules of the time zone are read once.
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

  /// The system's environment at the time of its first use.
  public static let current = PredicateEnvironment()
}

extension PredicateEnvironment {
  /// Returns a generator of pseudorandom numbers that repeat for the same seed.
  ///
  ///     environment.random = PredicateEnvironment.random(seed: 7)
  public static func random(seed: UInt64) -> @Sendable () -> UInt64 {
    let numbers = SeededBits(seed)
    return { numbers.next() }
  }

  /// The rules of the time zone. They are read again if the time zone was changed.
  package var rules: ZoneRules {
    zone.identifier == timeZone.identifier ? zone : ZoneRules(timeZone)
  }

  /// The environment with the rules of its time zone loaded.
  package var settled: PredicateEnvironment {
    var settled = PredicateEnvironment(
      timeZone: timeZone, locale: locale, calendar: calendar, now: now, random: random)
    settled.timeLimit = timeLimit
    return settled
  }

  /// The calendar for years, months and days; nil means the Gregorian calendar.
  package var otherCalendar: Calendar.Identifier? {
    calendar == .gregorian || calendar == .iso8601 ? nil : calendar
  }

  /// Returns the context of an evaluation with these variables.
  func context(_ variables: [String: Value]) -> EvaluationContext {
    var context = EvaluationContext(
      variables: variables, now: moment, zone: rules, locale: locale, random: random)
    context.exactDates = true
    context.time = timeLimit.map(TimeLimit.init)
    context.calendar = otherCalendar
    return context
  }

  /// The current value of `now()`.
  package var moment: Timestamp { now.flatMap { Timestamp(nearest: $0) } ?? .now }
}

extension EvaluationContext {
  /// The calendar for years, months and days; nil means the Gregorian calendar.
  var otherCalendar: Calendar? {
    guard let identifier = calendar, let zone = TimeZone(identifier: zone.identifier) else {
      return nil
    }
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = zone
    return calendar
  }
}

/// A pseudorandom generator that repeats for the same seed, safe for concurrent use.
private final class SeededBits: Sendable {
  private let numbers: Mutex<SplitMix64>

  init(_ seed: UInt64) { numbers = Mutex(SplitMix64(state: seed)) }

  func next() -> UInt64 { numbers.withLock { $0.next() } }
}
