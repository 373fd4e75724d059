import KuraValues

// `timeBetween(a, b, "months days")`
extension PredicateFunction {
  static let timeBetween = own(
    .timeBetween, "timeBetween", [.date, .date, .word(of: DateUnit.allCases.map(\.rawValue))],
    .numberOrList,
    "the time between two dates, in one unit or split into several",
    (
      "timeBetween(date(\"2026-01-31\"), date(\"2026-03-05 12:00\"), \"months days hours\")",
      "{1, 5, 12}"
    )
  ) { (arguments, context) throws(EvaluationError) in
    if arguments.contains(where: \.isNull) { return .null }
    let from = try arguments[0].date(in: context)
    let to = try arguments[1].date(in: context)
    let counts = try DateUnit.counts(
      try DateUnit.list(try arguments[2].text()), from: from, to: to, context)
    return counts.count == 1 ? .integer(counts[0]) : .list(counts.map(Value.integer))
  }.depending(on: .zone).knownElsewhere(as: "datecomponents", "timestampdiff", "age")
}

extension DateUnit {
  /// Parses units such as `months days` or `years, months and days`, each at most once.
  fileprivate static func list(_ text: String) throws(EvaluationError) -> [DateUnit] {
    var units: [DateUnit] = []
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) where word != "and" {
      let unit = try DateUnit(String(word))
      guard !units.contains(unit) else { throw .unknownUnit(text) }
      units.append(unit)
    }
    guard !units.isEmpty else { throw .unknownUnit(text) }
    return units
  }

  /// Returns the counts in the order in which the units were named. The largest unit counts as many
  /// whole units as fit, the next one counts in the remainder.
  fileprivate static func counts(
    _ units: [DateUnit], from: Timestamp, to: Timestamp, _ context: EvaluationContext
  ) throws(EvaluationError) -> [Int64] {
    var moment = from
    var counts: [DateUnit: Int64] = [:]
    for unit in allCases where units.contains(unit) {
      let count = try unit.wholeCount(from: moment, to: to, context)
      moment = try unit.add(count, to: moment, context)
      counts[unit] = count
    }
    return units.map { counts[$0] ?? 0 }
  }

  /// Returns the number of whole units between two moments; negative if the second is earlier.
  private func wholeCount(
    from: Timestamp, to: Timestamp, _ context: EvaluationContext
  ) throws(EvaluationError) -> Int64 {
    let step: Int64 = from <= to ? 1 : -1
    var count = estimate(from: from, to: to, context)
    // The estimate can be off by one or two units, because of the lengths of months or a clock
    // change.
    while count != 0, try isAfter(count, from: from, to: to, step, context) { count -= step }
    while try !isAfter(count + step, from: from, to: to, step, context) { count += step }
    return count
  }

  private func isAfter(
    _ count: Int64, from: Timestamp, to: Timestamp, _ step: Int64, _ context: EvaluationContext
  ) throws(EvaluationError) -> Bool {
    // A moment beyond the calendar is later than all others.
    guard let moment = try? add(count, to: from, context) else { return true }
    return step > 0 ? moment > to : moment < to
  }

  private func estimate(
    from: Timestamp, to: Timestamp, _ context: EvaluationContext
  ) -> Int64 {
    let (first, last) = (context.zone.civil(from).date, context.zone.civil(to).date)
    let months = Int64((last.year - first.year) * 12 + last.month - first.month)
    let days = Int64(last.daysSince1970 - first.daysSince1970)
    let seconds = (to.microseconds - from.microseconds) / 1_000_000
    switch self {
    case .year: return months / 12
    case .month: return months
    case .week: return days / 7
    case .day: return days
    case .hour: return seconds / 3600
    case .minute: return seconds / 60
    case .second: return seconds
    }
  }
}
