import Foundation
import KuraValues

extension FunctionMeaning {
  /// Kura's own: `today()`, `year(d)`, `daysBetween(a, b)`, `dateByAdding(d, 1, "month")`
  static let ownDates: [FunctionMeaning] = [
    of("today", taking: 0) { (_, context) throws(EvaluationFacts) in
      .date(try context.startOfDay(context.now))
    },
    ofOne("date") { (value, context) throws(EvaluationFacts) in
      .date(try value.date(in: context))
    },
    part("year") { $0.date.year },
    part("month") { $0.date.month },
    part("day") { $0.date.day },
    part("hour") { $0.hour },
    part("minute") { $0.minute },
    part("second") { $0.second },
    part("weekday") { $0.date.weekday },
    ofOne("startOfDay") { (value, context) throws(EvaluationFacts) in
      .date(try context.startOfDay(try value.date(in: context)))
    },
    of("daysBetween", taking: 2) { (arguments, context) throws(EvaluationFacts) in
      if arguments.contains(where: \.isNull) { return .null }
      let from = context.zone.civil(try arguments[0].date(in: context)).date
      let to = context.zone.civil(try arguments[1].date(in: context)).date
      return .integer(Int64(to.daysSince1970 - from.daysSince1970))
    },
    of("dateByAdding", taking: 3) { (arguments, context) throws(EvaluationFacts) in
      if arguments[0].isNull || arguments[1].isNull { return .null }
      let unit = try DateUnit(try arguments[2].text())
      return .date(
        try unit.add(try arguments[1].integer(), to: try arguments[0].date(in: context), context))
    },
  ]

  private static func part(
    _ selector: String, _ body: @escaping @Sendable (CivilTime) -> Int
  ) -> FunctionMeaning {
    ofOne(selector) { (value, context) throws(EvaluationFacts) in
      .integer(Int64(body(context.zone.civil(try value.date(in: context)))))
    }
  }
}

/// What `dateByAdding` counts in.
enum DateUnit: String {
  case year, month, week, day, hour, minute, second

  /// `day`, also `Days`
  init(_ name: String) throws(EvaluationFacts) {
    let lower = name.lowercased()
    guard let unit = DateUnit(rawValue: lower.hasSuffix("s") ? String(lower.dropLast()) : lower)
    else { throw .unknownUnit(name) }
    self = unit
  }

  /// Years, months, weeks and days go by the calendar and keep the time of the clock.
  func add(
    _ count: Int64, to moment: Timestamp, _ context: EvaluationContext
  ) throws(EvaluationFacts) -> Timestamp {
    // Further than the calendar reaches in seconds; keeps what follows from overflowing.
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
  func startOfDay(_ moment: Timestamp) throws(EvaluationFacts) -> Timestamp {
    guard let start = zone.startOfDay(moment) else { throw .badDate(.outOfRange) }
    return start
  }
}

extension Value {
  /// The date that it is, or that its text says.
  func date(in context: EvaluationContext) throws(EvaluationFacts) -> Timestamp {
    switch self {
    case .date(let moment): return moment
    case .string(let text):
      do { return try Timestamp(text, in: context.zone) } catch { throw .badDate(error) }
    default: throw .wrongArgument(expected: "a date", kind)
    }
  }
}
