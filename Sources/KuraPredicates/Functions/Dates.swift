import Foundation
import KuraValues

// `now()`; Kura's own: `today()`, `year(d)`, `daysBetween(a, b)`, `dateByAdding(d, 1, "month")`
extension PredicateFunction {
  static let now = apple(
    .now, "now", [], .date, "the current date and time", ("now()", "2026-03-01T09:30:00Z")
  ) {
    _, context in .date(context.now)
  }.depending(on: .clock).knownElsewhere(as: "getdate")

  static let ownDates = [
    own(.today, "today", [], .date, "the start of today", ("today()", "2026-03-01")) {
      (_, context) throws(EvaluationError) in
      .date(try context.startOfDay(context.now))
    }.depending(on: [.clock, .zone]).knownElsewhere(as: "curdate", "current_date"),
    day(.yesterday, "yesterday", "the start of yesterday", ("yesterday()", "2026-02-28"), -1),
    day(.tomorrow, "tomorrow", "the start of tomorrow", ("tomorrow()", "2026-03-02"), 1),
    own(
      .date, "date", .optional([.date, .dateForm], from: 1), .date,
      "the date of a text, in a pattern if one is given, or of a number since 1970",
      ("date(\"01/31/2024\", \"MM/dd/yyyy\")", "2024-01-31")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments[0].isNull { return .null }
      guard arguments.count > 1 else { return .date(try arguments[0].date(in: context)) }
      return .date(try arguments[0].date(form: try arguments[1].text(), in: context))
    }.depending(on: .zone).knownElsewhere(
      as: "str_to_date", "to_timestamp", "from_unixtime", "strptime"),
    part(.year, "year", "the year of a date", ("year(date(\"1935-06-11\"))", "1935"), .year) {
      $0.date.year
    },
    part(
      .month, "month", "the month of a date, 1 to 12", ("month(date(\"1935-06-11\"))", "6"), .month
    ) {
      $0.date.month
    }.within(1...12),
    part(.day, "day", "the day of the month", ("day(date(\"1935-06-11\"))", "11"), .day) {
      $0.date.day
    }.within(1...31),
    part(.hour, "hour", "the hour of a date", ("hour(date(\"2010-07-20 18:20\"))", "18")) {
      $0.hour
    }
    .within(0...23),
    part(.minute, "minute", "the minute of a date", ("minute(date(\"2010-07-20 18:20\"))", "20")) {
      $0.minute
    }.within(0...59),
    part(.second, "second", "the second of a date", ("second(date(\"2010-07-20 18:20\"))", "0")) {
      $0.second
    }.within(0...60),
    part(
      .weekday, "weekday", "the day of the week, 1 for Sunday",
      ("weekday(date(\"1935-06-11\"))", "3")
    ) { $0.date.weekday }.within(1...7).knownElsewhere(as: "dayofweek"),
    own(
      .startOfDay, "startOfDay", [.date], .date, "0:00 on the same day",
      ("startOfDay(date(\"2010-07-20 18:20\"))", "2010-07-20"),
      ofDate { (moment, context) throws(EvaluationError) in .date(try context.startOfDay(moment)) }
    ).depending(on: .zone),
    own(
      .daysBetween, "daysBetween", [.date, .date], .number,
      "the number of calendar days between two dates",
      ("daysBetween(date(\"2026-07-25\"), date(\"2026-07-27\"))", "2")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments.contains(where: \.isNull) { return .null }
      let from = context.zone.civil(try arguments[0].date(in: context)).date
      let to = context.zone.civil(try arguments[1].date(in: context)).date
      return .integer(Int64(to.daysSince1970 - from.daysSince1970))
    }.depending(on: .zone).knownElsewhere(as: "datediff"),
    own(
      .dateByAdding, "dateByAdding",
      [.date, .integer, .word(of: DateUnit.allCases.map(\.rawValue))], .date,
      "a date plus a number of days, months or other units",
      ("dateByAdding(date(\"2026-01-31\"), 1, \"month\")", "2026-02-28")
    ) { (arguments, context) throws(EvaluationError) in
      if arguments[0].isNull || arguments[1].isNull { return .null }
      let unit = try DateUnit(try arguments[2].text())
      return .date(
        try unit.add(try arguments[1].integer(), to: try arguments[0].date(in: context), context))
    }.depending(on: .zone).knownElsewhere(as: "dateadd"),
    timeBetween,
  ]

  /// Creates a function for a day relative to today.
  private static func day(
    _ builtIn: BuiltInFunction, _ name: String, _ summary: String, _ example: Example, _ days: Int64
  ) -> PredicateFunction {
    own(builtIn, name, [], .date, summary, example) { (_, context) throws(EvaluationError) in
      let today = try context.startOfDay(context.now)
      return .date(try DateUnit.day.add(days, to: today, context))
    }.depending(on: [.clock, .zone])
  }

  /// Creates a function for a part of a date; in another calendar, for the given component.
  private static func part(
    _ builtIn: BuiltInFunction, _ name: String, _ summary: String, _ example: Example,
    _ component: Calendar.Component? = nil,
    _ body: @escaping @Sendable (CivilTime) -> Int
  ) -> PredicateFunction {
    own(
      builtIn, name, [.date], .number, summary, example,
      ofDate { moment, context in
        if let component, let calendar = context.otherCalendar {
          return .integer(Int64(calendar.component(component, from: moment.date)))
        }
        return .integer(Int64(body(context.zone.civil(moment))))
      }
    ).depending(on: .zone)
  }

  /// Creates the body of a function of a date, which returns nil for nil.
  private static func ofDate(
    _ body: @escaping @Sendable (Timestamp, EvaluationContext) throws(EvaluationError) -> Value
  ) -> Body {
    unlessNil { (value, context) throws(EvaluationError) in
      try body(try value.date(in: context), context)
    }
  }
}

/// The units of `dateByAdding`.
enum DateUnit: String, CaseIterable {
  case year, month, week, day, hour, minute, second

  /// Parses `day`, also as `Days`.
  init(_ name: String) throws(EvaluationError) {
    let lower = name.lowercased()
    guard let unit = DateUnit(rawValue: lower.hasSuffix("s") ? String(lower.dropLast()) : lower)
    else { throw .unknownUnit(name) }
    self = unit
  }

  /// Adds units. Years, months, weeks and days follow the calendar and keep the time of day.
  func add(
    _ count: Int64, to moment: Timestamp, _ context: EvaluationContext
  ) throws(EvaluationError) -> Timestamp {
    // Beyond the calendar's range in seconds; prevents overflow in the arithmetic that follows.
    guard count.magnitude < 400_000_000_000 else { throw .badDate(.outOfRange) }
    let result: Timestamp? =
      switch self {
      case .year: added(months: count * 12, to: moment, context)
      case .month: added(months: count, to: moment, context)
      case .week: added(days: count * 7, to: moment, context)
      case .day: added(days: count, to: moment, context)
      case .hour: moment.adding(seconds: Double(count) * 3600)
      case .minute: moment.adding(seconds: Double(count) * 60)
      case .second: moment.adding(seconds: Double(count))
      }
    guard let result else { throw .badDate(.outOfRange) }
    return result
  }

  private func added(
    months: Int64, to moment: Timestamp, _ context: EvaluationContext
  ) -> Timestamp? {
    var civil = context.zone.civil(moment)
    civil.date = civil.date.adding(months: Int(months))
    return Self.moment(civil, context)
  }

  private func added(
    days: Int64, to moment: Timestamp, _ context: EvaluationContext
  ) -> Timestamp? {
    var civil = context.zone.civil(moment)
    civil.date = CivilDate(daysSince1970: civil.date.daysSince1970 + Int(days))
    return Self.moment(civil, context)
  }

  private static func moment(_ civil: CivilTime, _ context: EvaluationContext) -> Timestamp? {
    (1...9999).contains(civil.date.year) ? context.zone.moment(civil) : nil
  }
}

extension EvaluationContext {
  func startOfDay(_ moment: Timestamp) throws(EvaluationError) -> Timestamp {
    guard let start = zone.startOfDay(moment) else { throw .badDate(.outOfRange) }
    return start
  }
}

/// The units of a number that `date` reads as the time since 1970.
package enum DateNumber: String, CaseIterable {
  case unix, milliseconds

  fileprivate var microseconds: Int64 { self == .unix ? 1_000_000 : 1000 }
}

extension Value {
  /// Returns the date of a text in a pattern, or of a number since 1970.
  fileprivate func date(
    form: String, in context: EvaluationContext
  ) throws(EvaluationError) -> Timestamp {
    if let unit = DateNumber(rawValue: form) { return try date(since1970: unit) }
    if case .date(let moment) = self { return moment }
    let text = try text()
    let moment: Timestamp?
    do { moment = try Timestamp.read(text, pattern: form, in: context.zone) } catch {
      throw .badFormat(error)
    }
    guard let moment else { throw .badDate(.notInPattern(form)) }
    return moment
  }

  private func date(since1970 unit: DateNumber) throws(EvaluationError) -> Timestamp {
    var number: Value? = self
    if case .string(let text) = self { number = NumberText.number(text) }
    guard let number, let approximate = number.approximateNumber, number.kind != .boolean else {
      throw kind == .string ? .badDate(.notADate) : .wrongArgument(expected: "a number", kind)
    }
    func moment(_ unit: DateNumber) -> Timestamp? {
      let microseconds: Int64?
      if case .integer(let whole) = number {
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit.microseconds)
        microseconds = overflow ? nil : product
      } else {
        microseconds = Int64(exactly: (approximate * Double(unit.microseconds)).rounded())
      }
      let moment = microseconds.map { Timestamp(microseconds: $0) }
      return moment?.isInRange == true ? moment : nil
    }
    guard let date = moment(unit) else {
      throw .badDate(moment(.milliseconds) == nil ? .outOfRange : .milliseconds)
    }
    return date
  }

  /// Returns the date, or the date that a text represents. A text that depends on the clock, such
  /// as 今日, is an error.
  func date(in context: EvaluationContext) throws(EvaluationError) -> Timestamp {
    switch self {
    case .date(let moment): return moment
    case .string(let text):
      do { return try Timestamp(written: text, in: context.zone) } catch { throw .badDate(error) }
    default: throw .wrongArgument(expected: "a date", kind)
    }
  }
}
