import KuraGraph
import KuraPredicates
import KuraValues
import Synchronization

/// `year(date)`, `startOfDay(date)`: a part of each row's date, in the calendar and time of the zone.
enum DatePart: Sendable {
  case year, month, day, hour, minute, second, weekday, startOfDay

  /// Whether it is the same for the whole day.
  var isOfDay: Bool { ![.hour, .minute, .second].contains(self) }

  /// Returns the node of the part; nil for other values than dates.
  func node(of date: any VectorNode, _ zone: ZoneRules) -> ComputedNode? {
    guard date.kind == .date else { return nil }
    let trend =
      self == .year || self == .startOfDay ? date.trendOfDates(TrendTime(zone: zone)) : nil
    guard self != .startOfDay else {
      return ComputedNode(.date, [date], cost: 12, isSure: false, trend: trend) { parts, rows in
        parts[0].startsOfDays(zone, rows.count)
      }
    }
    return ComputedNode(
      .integer, [date], cost: 5, trend: trend, limits: self == .year ? 0...10_000 : 0...60
    ) { parts, _ in of(parts[0], zone) }
  }

  private func of(_ dates: Vector, _ zone: ZoneRules) -> Vector {
    switch self {
    case .year: dates.mapLocal(zone) { calendarDay($0.wholeDays).year }
    case .month: dates.mapLocal(zone) { calendarDay($0.wholeDays).month }
    case .day: dates.mapLocal(zone) { calendarDay($0.wholeDays).day }
    case .hour: dates.mapLocal(zone) { $0.timeOfDay / 3_600_000_000 }
    case .minute: dates.mapLocal(zone) { $0.timeOfDay / 60_000_000 % 60 }
    case .second: dates.mapLocal(zone) { $0.timeOfDay / 1_000_000 % 60 }
    // 1970-01-01 was a Thursday, the fifth day; no date is early enough for a negative result.
    case .weekday: dates.mapLocal(zone) { ($0.wholeDays &+ 4 &+ 7 &* 200_000) % 7 &+ 1 }
    case .startOfDay: dates
    }
  }
}

extension Vector {
  /// Returns numbers computed from the local times, in microseconds since 1970-01-01 0:00.
  @inline(__always)
  fileprivate func mapLocal(_ zone: ZoneRules, _ part: (Int64) -> Int64) -> Vector {
    var clock = LocalClock(zone)
    return with(.integers(integers.map { part(clock.local($0)) }))
  }

  fileprivate func startsOfDays(_ zone: ZoneRules, _ count: Int) -> Vector {
    let none = Int64.min
    var clock = LocalClock(zone)
    let starts = integers.map { moment in
      let local = clock.local(moment)
      return clock.moment(local &- local.timeOfDay) ?? none
    }
    return with(.integers(starts)).leaving(starts.rows(count) { $0 == none })
  }
}

extension ComputedNode {
  /// `CAST(date, "NSNumber")`, `date.timeIntervalSince1970`: the seconds since 2001-01-01T00:00:00Z or since 1970.
  /// Returns nil for other messages.
  static func seconds(
    _ date: any VectorNode, message: String = "timeIntervalSinceReferenceDate"
  ) -> ComputedNode? {
    let isSince1970 = message == "timeIntervalSince1970"
    guard isSince1970 || message == "timeIntervalSinceReferenceDate" else { return nil }
    return ComputedNode(.double, [date], cost: 1) { dates, _ in
      dates[0].with(
        .doubles(
          dates[0].integers.map {
            isSince1970
              ? Double($0) / 1e6 : Timestamp(microseconds: $0).secondsSinceReferenceDate
          }))
    }
  }

  /// `daysBetween(date, dueDate)`
  static func daysBetween(_ dates: [any VectorNode], _ zone: ZoneRules) -> ComputedNode? {
    guard dates.allSatisfy({ $0.kind == .date }) else { return nil }
    let trend =
      Trend(from: dates[0], to: dates[1], zone, margin: 2 * .day)
      ?? Trend(from: dates[1], to: dates[0], zone, margin: 2 * .day)?.reversed()
    return ComputedNode(.integer, dates, cost: 6, trend: trend) { dates, _ in
      let days = dates.map { $0.mapLocal(zone) { $0.wholeDays }.integers }
      return Vector(.integers(days[1].zip(days[0], &-)), of: dates)
    }
  }

  /// `timeBetween(begun, done, "hours")`: the whole units that fit between two dates. Returns nil for several units.
  static func timeBetween(
    _ dates: [any VectorNode], _ unit: Value?, _ zone: ZoneRules
  ) -> ComputedNode? {
    guard dates.allSatisfy({ $0.kind == .date }), case .string(let name)? = unit,
      let unit = CalendarUnit(name)
    else { return nil }
    // The search for the number of units tries up to four more of them.
    let margin = 4 * unit.longest
    // A month after a later date is not later if both are at the end of a month.
    let trend =
      Trend(from: dates[0], to: dates[1], zone, margin: margin)
      ?? (unit.isOfMonths
        ? nil : Trend(from: dates[1], to: dates[0], zone, margin: margin)?.reversed())
    guard case .seconds(let seconds) = unit else {
      return ComputedNode(.integer, dates, cost: 40, trend: trend) { dates, _ in
        var steps = CalendarSteps(unit, zone)
        let counts = dates[1].integers.zip(dates[0].integers) { steps.count(from: $1, to: $0) }
        return Vector(.integers(counts), of: dates)
      }
    }
    return ComputedNode(.integer, dates, cost: 4, trend: trend) { dates, _ in
      let counts = dates[1].integers.zip(dates[0].integers) {
        ($0 &- $1) / (seconds &* 1_000_000)
      }
      return Vector(.integers(counts), of: dates)
    }
  }
}

extension VectorNode {
  /// The upward dependence on dates, if the node is a column of dates.
  fileprivate func trendOfDates(_ time: TrendTime) -> Trend? {
    (self as? ColumnNode)?.columnOfDates.map { Trend(column: $0, time: time) }
  }
}

extension Trend {
  /// The dependence of the distance from a constant date to a column of dates; nil for other operands.
  fileprivate init?(
    from: any VectorNode, to: any VectorNode, _ zone: ZoneRules, margin: Int64
  ) {
    guard let constant = from as? ConstantNode, case .all(let moment) = constant.vector.integers,
      let trend = to.trendOfDates(TrendTime(zone: zone, moment: moment, margin: margin))
    else { return nil }
    self = trend
  }
}

/// A text that is constant for a whole day, hour or minute: `format(date, "yyyy-MM")`. It is computed once per period
/// that occurs, by the reference evaluator unless all fields are numbers.
struct DatePeriodNode: VectorNode {
  private let date: any VectorNode
  /// The function of SELF.
  private let function: ExpressionTree
  private let length: Int64
  private let context: EvaluationContext
  private let zone: ZoneRules
  private let numbers: NumericDatePattern?
  private let known = KnownPeriods()

  /// Returns nil if the text does not depend on the date's day, hour and minute alone.
  init?(_ call: FunctionCall, _ parts: [any VectorNode], _ environment: FetchEnvironment) {
    guard parts[0].kind == .date, call.arguments.dropFirst().allSatisfy({ $0.literal != nil }),
      case .string(let pattern)? = call.arguments[1].literal,
      let length = DatePeriod.length(of: pattern)
    else { return nil }
    var call = call
    call.arguments[0] = ExpressionTree(.evaluatedObject)
    function = ExpressionTree(.function(call))
    (date, self.length) = (parts[0], length)
    (context, zone) = (environment.evaluation, environment.rules)
    // A locale can have its own digits and calendar.
    let hasLocale = context.writtenLocale != nil || call.arguments.count > 2
    numbers = hasLocale ? nil : NumericDatePattern(pattern)
  }

  var parts: [any VectorNode] { [date] }
  var kind: VectorKind { .text }
  var cost: Double { date.cost + 60 }
  var neverFallsBack: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let dates = date.vector(rows)
    let moments = dates.integers.spread(rows.count)
    var clock = LocalClock(zone)
    var numbers = [UInt32](repeating: 0, count: rows.count)
    var found: [Period: UInt32] = [:]
    // The last period for each of the lowest bits of its ordinal number.
    var recent = [(period: Period, number: UInt32)](
      repeating: (Period(start: .min, shift: 0), 0), count: Self.recentPeriods)
    // Rows that are not candidates have the first text.
    var texts = TextBuilder(64)
    texts.end()
    var fallback = Bitmap(count: rows.count)
    let readsOnlyTime = self.numbers?.readsOnlyTime == true
    rows.candidates.eachRow { row in
      if dates.nulls?.has(row) == true { return }
      let moment = clock.local(moments[row])
      let local = readsOnlyTime ? moment.timeOfDay : moment
      let (quotient, rest) = (local / length, local % length)
      let ordinal = rest < 0 ? quotient &- 1 : quotient
      let period = Period(start: ordinal &* length, shift: clock.stretch.shift)
      let place = Int(truncatingIfNeeded: ordinal) & (Self.recentPeriods - 1)
      if recent[place].period == period {
        numbers[row] = recent[place].number
        return
      }
      guard
        let number = found[period]
          ?? known.text(period, { text(moments[row], local) }).map({ text in
            texts.add(text)
            texts.end()
            return UInt32(texts.texts.count - 1)
          })
      else {
        fallback.insert(row)
        return
      }
      (numbers[row], found[period], recent[place]) = (number, number, (period, number))
    }
    return Vector(
      .texts(TextLane(texts: texts.texts, places: .numbered(numbers))), nulls: dates.nulls,
      fallback: dates.fallback.union(fallback.nonEmpty))
  }

  private func text(_ moment: Int64, _ local: Int64) -> String? {
    if let text = numbers?.text(local) { return text }
    let value = try? function.evaluate(
      on: .date(Timestamp(microseconds: moment)), in: context)
    if case .string(let text)? = value { return text }
    return nil
  }

  private static var recentPeriods: Int { 2048 }

  /// A stretch of local time, with its UTC offset.
  private struct Period: Hashable {
    let start: Int64
    let shift: Int64
  }

  /// The computed texts, shared by all threads.
  private final class KnownPeriods: Sendable {
    private let texts = Mutex<[Period: String?]>([:])

    func text(_ period: Period, _ make: () -> String?) -> String? {
      if let known = texts.withLock({ $0[period] }) { return known }
      let text = make()
      texts.withLock { $0[period] = .some(text) }
      return text
    }
  }
}

/// The stretches of time in which a formatted date is constant.
enum DatePeriod {
  /// Returns the length of the finest field of a pattern in microseconds; nil for seconds, zones, and names of styles.
  static func length(of pattern: String) -> Int64? {
    var (length, isQuoted) = (Int64.day, false)
    for character in pattern {
      if character == "'" { isQuoted.toggle() }
      guard !isQuoted, character.isASCII, character.isLetter else { continue }
      switch character {
      case "G", "y", "Y", "u", "U", "r", "Q", "q", "M", "L", "w", "W", "d", "D", "F", "g", "E", "e",
        "c":
        break
      case "a", "b", "B", "h", "H", "k", "K": length = min(length, 3_600_000_000)
      case "m": length = 60_000_000
      default: return nil
      }
    }
    return length
  }
}

/// A conversion of many moments to local time in a zone.
///
/// It caches the zone's offset from UTC around the last moment, and so rarely looks it up.
struct LocalClock {
  let zone: ZoneRules
  private(set) var stretch: ZoneRules.Stretch

  init(_ zone: ZoneRules) {
    self.zone = zone
    stretch = zone.stretch(at: 0)
  }

  /// Returns local microseconds since 1970-01-01 0:00.
  @inline(__always)
  mutating func local(_ moment: Int64) -> Int64 {
    if moment < stretch.from || moment >= stretch.until { look(at: moment) }
    return moment &+ stretch.shift
  }

  @inline(never)
  mutating func look(at moment: Int64) { stretch = zone.stretch(at: moment) }
}

extension Int64 {
  static var day: Int64 { 86_400_000_000 }

  /// The number of whole days, rounded down.
  @inline(__always)
  var wholeDays: Int64 {
    let (quotient, rest) = (self / Self.day, self % Self.day)
    return rest < 0 ? quotient &- 1 : quotient
  }

  /// The microseconds since the start of the day.
  @inline(__always)
  var timeOfDay: Int64 {
    let rest = self % Self.day
    return rest < 0 ? rest &+ Self.day : rest
  }
}

/// Returns year, month and day of a day since 1970, like `CivilDate`, for the years 0 to 10,000.
@inline(__always)
func calendarDay(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = UInt32(truncatingIfNeeded: days &+ 719_468)
  let era = shifted / 146_097
  let dayOfEra = shifted &- era &* 146_097
  let yearOfEra =
    (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
  let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
  let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
  let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
  let year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
  return (Int64(year), Int64(month), Int64(day))
}

extension ComputedNode {
  /// `dateByAdding(date, 30, "day")`: each row's date plus a number of units, in the calendar and time of the zone.
  static func dateByAdding(
    _ parts: [any VectorNode], _ unit: Value?, _ zone: ZoneRules
  ) -> ComputedNode? {
    guard parts[0].kind == .date, parts[1].kind == .integer, case .string(let name)? = unit,
      let unit = CalendarUnit(name)
    else { return nil }
    var trend: Trend?
    if let constant = parts[1] as? ConstantNode, case .all(let number) = constant.vector.integers,
      !unit.isOfMonths, let margin = unit.margin(of: number)
    {
      trend = parts[0].trendOfDates(TrendTime(zone: zone, margin: margin))
    }
    return ComputedNode(.date, parts, cost: 12, isSure: false, trend: trend) { parts, rows in
      // A marker for rows that are left to the reference evaluator.
      let none = Int64.min
      var steps = CalendarSteps(unit, zone)
      let moments = parts[0].integers.zip(parts[1].integers) { steps.later($0, $1) ?? none }
      return Vector(.integers(moments), of: parts).leaving(moments.rows(rows.count) { $0 == none })
    }
  }
}

/// A multiple of a unit of fixed length, or of a calendar unit.
enum CalendarUnit: Sendable {
  case months(Int64)
  case days(Int64)
  case seconds(Int64)

  /// Whether it is months or years, whose lengths differ.
  var isOfMonths: Bool { if case .months = self { true } else { false } }

  /// The longest time that a unit can take, in microseconds.
  var longest: Int64 {
    switch self {
    case .months(let months): months * 31 * .day
    case .days(let days): (days + 1) * .day
    case .seconds(let seconds): seconds * 1_000_000
    }
  }

  /// Returns the longest time that a number of units can take, and two days; nil if it is too long.
  fileprivate func margin(of number: Int64) -> Int64? {
    guard let count = Int64(exactly: number.magnitude) else { return nil }
    let (time, isTooLong) = longest.multipliedReportingOverflow(by: count)
    let (margin, overflow) = time.addingReportingOverflow(2 * .day)
    return isTooLong || overflow ? nil : margin
  }

  /// Creates a unit from a name such as `day` or `Days`; nil for units that the reference evaluator rejects.
  init?(_ name: String) {
    let lower = name.lowercased()
    switch lower.hasSuffix("s") ? String(lower.dropLast()) : lower {
    case "year": self = .months(12)
    case "month": self = .months(1)
    case "week": self = .days(7)
    case "day": self = .days(1)
    case "hour": self = .seconds(3600)
    case "minute": self = .seconds(60)
    case "second": self = .seconds(1)
    default: return nil
    }
  }
}

/// Steps of one unit from many moments, in the calendar and time of a zone.
private struct CalendarSteps {
  let unit: CalendarUnit
  private var here: LocalClock
  private var there: LocalClock

  init(_ unit: CalendarUnit, _ zone: ZoneRules) {
    (self.unit, here, there) = (unit, LocalClock(zone), LocalClock(zone))
  }

  /// Up to this many of any unit fit into 64 bits.
  private static let most: Int64 = 10_000_000

  /// Returns the moment after a number of units; nil outside the years 1 to 9999.
  @inline(__always)
  mutating func later(_ moment: Int64, _ count: Int64) -> Int64? {
    guard count.magnitude < Self.most else { return nil }
    switch unit {
    case .seconds(let seconds):
      let sum = Timestamp(microseconds: moment &+ count &* seconds &* 1_000_000)
      return sum.isInRange ? sum.microseconds : nil
    case .days(let days): return there.moment(here.local(moment) &+ count &* days &* .day)
    case .months(let months):
      let local = here.local(moment)
      let day = CivilDate(daysSince1970: Int(local.wholeDays)).adding(months: Int(count &* months))
      guard 1...9999 ~= day.year else { return nil }
      return there.moment(Int64(day.daysSince1970) &* .day &+ local.timeOfDay)
    }
  }

  /// Returns the number of whole units between two moments; negative if the second is earlier.
  mutating func count(from: Int64, to: Int64) -> Int64 {
    let step: Int64 = from <= to ? 1 : -1
    var count = estimate(from: from, to: to)
    while count != 0, isAfter(count, from: from, to: to, step) { count -= step }
    while !isAfter(count + step, from: from, to: to, step) { count += step }
    return count
  }

  private mutating func isAfter(_ count: Int64, from: Int64, to: Int64, _ step: Int64) -> Bool {
    guard let moment = later(from, count) else { return true }
    return step > 0 ? moment > to : moment < to
  }

  /// Returns a number that is off by one or two, because of the lengths of months or a clock change.
  private mutating func estimate(from: Int64, to: Int64) -> Int64 {
    let (first, last) = (here.local(from).wholeDays, there.local(to).wholeDays)
    switch unit {
    case .seconds(let seconds): return (to - from) / (seconds * 1_000_000)
    case .days(let days): return (last - first) / days
    case .months(let months):
      let (a, b) = (calendarDay(first), calendarDay(last))
      return ((b.year - a.year) * 12 + b.month - a.month) / months
    }
  }
}

extension LocalClock {
  /// Returns the moment of a local time in microseconds; nil outside the years 1 to 9999.
  @inline(__always)
  mutating func moment(_ local: Int64) -> Int64? {
    if let quick = quickMoment(local) { return quick }
    let civil = CivilTime(microseconds: local)
    guard 1...9999 ~= civil.date.year else { return nil }
    return zone.moment(civil)?.microseconds
  }

  /// Returns the moment, unless the clock changes within two days of it.
  private mutating func quickMoment(_ local: Int64) -> Int64? {
    var moment = local &- stretch.shift
    if moment < stretch.from || moment >= stretch.until {
      look(at: moment)
      moment = local &- stretch.shift
    }
    let (early, late) = (local &- 2 &* .day, local &+ 2 &* .day)
    guard moment > stretch.from &+ 2 &* .day, moment < stretch.until &- 2 &* .day,
      Timestamp(microseconds: early).isInRange, Timestamp(microseconds: late).isInRange
    else { return nil }
    return moment
  }
}
