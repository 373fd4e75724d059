import KuraGraph
import KuraPredicates
import KuraValues
import Synchronization

/// `year(date)`, `startOfDay(date)`: a part of each row's date, in the calendar and time of the zone.
struct DatePartNode: VectorNode {
  let part: Part
  let inner: any VectorNode
  let zone: ZoneRules

  enum Part: Sendable {
    case year, month, day, hour, minute, second, weekday, startOfDay

    /// Whether it is the same for the whole day.
    var isOfDay: Bool {
      switch self {
      case .year, .month, .day, .weekday, .startOfDay: true
      case .hour, .minute, .second: false
      }
    }
  }

  init?(_ part: Part, _ inner: any VectorNode, _ zone: ZoneRules) {
    guard inner.kind == .date else { return nil }
    (self.part, self.inner, self.zone) = (part, inner, zone)
  }

  var parts: [any VectorNode] { [inner] }
  var kind: VectorKind { part == .startOfDay ? .date : .integer }
  var cost: Double { inner.cost + (part == .startOfDay ? 12 : 5) }
  var neverFallsBack: Bool { part != .startOfDay && inner.neverFallsBack }

  var trend: Trend? {
    part == .year || part == .startOfDay ? inner.trendOfDates(TrendTime(zone: zone)) : nil
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    switch part {
    case .year: return of(vector) { calendarDay($0.wholeDays).year }
    case .month: return of(vector) { calendarDay($0.wholeDays).month }
    case .day: return of(vector) { calendarDay($0.wholeDays).day }
    case .hour: return of(vector) { $0.timeOfDay / 3_600_000_000 }
    case .minute: return of(vector) { $0.timeOfDay / 60_000_000 % 60 }
    case .second: return of(vector) { $0.timeOfDay / 1_000_000 % 60 }
    // 1970-01-01 was a Thursday, the fifth day; no date is early enough for a negative result.
    case .weekday: return of(vector) { ($0.wholeDays &+ 4 &+ 7 &* 200_000) % 7 &+ 1 }
    case .startOfDay: return startsOfDays(vector, rows)
    }
  }

  /// Returns a part of the local time, in microseconds since 1970-01-01 0:00.
  @inline(__always)
  private func of(_ vector: Vector, _ part: (Int64) -> Int64) -> Vector {
    var clock = LocalClock(zone)
    var result = vector
    result.values = .integers(vector.integers.map { part(clock.local($0)) })
    return result
  }

  private func startsOfDays(_ vector: Vector, _ rows: ChunkRows) -> Vector {
    let none = Int64.min
    var clock = LocalClock(zone)
    let starts = vector.integers.map { moment in
      let local = clock.local(moment)
      return clock.moment(local &- local.timeOfDay) ?? none
    }
    var result = vector
    result.values = .integers(starts)
    return result.leaving(starts.rows(rows.count) { $0 == none })
  }
}

extension DatePartNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    switch part {
    case .year: 0...10_000
    case .month, .day, .hour, .minute, .second, .weekday: 0...60
    case .startOfDay: nil
    }
  }
}

/// `CAST(date, "NSNumber")`, `date.timeIntervalSince1970`: the seconds since 2001-01-01T00:00:00Z or since 1970.
struct SecondsNode: VectorNode {
  let inner: any VectorNode
  private let isSince1970: Bool

  init(_ inner: any VectorNode) { (self.inner, isSince1970) = (inner, false) }

  /// Creates the node of a message to a date; returns nil for other messages.
  init?(_ inner: any VectorNode, message: String) {
    switch message {
    case "timeIntervalSince1970": isSince1970 = true
    case "timeIntervalSinceReferenceDate": isSince1970 = false
    default: return nil
    }
    self.inner = inner
  }

  var parts: [any VectorNode] { [inner] }
  var kind: VectorKind { .double }
  var cost: Double { inner.cost + 1 }
  var neverFallsBack: Bool { inner.neverFallsBack }

  func vector(_ rows: ChunkRows) -> Vector {
    var result = inner.vector(rows)
    let (dates, isSince1970) = (result.integers, isSince1970)
    result.values = .doubles(
      dates.map {
        isSince1970
          ? Double($0) / 1e6 : Timestamp(microseconds: $0).secondsSinceReferenceDate
      })
    return result
  }
}

/// `daysBetween(date, dueDate)`
struct DaysBetweenNode: VectorNode {
  let from: any VectorNode
  let to: any VectorNode
  let zone: ZoneRules

  init?(_ from: any VectorNode, _ to: any VectorNode, _ zone: ZoneRules) {
    guard from.kind == .date, to.kind == .date else { return nil }
    (self.from, self.to, self.zone) = (from, to, zone)
  }

  var parts: [any VectorNode] { [from, to] }
  var kind: VectorKind { .integer }
  var cost: Double { from.cost + to.cost + 6 }
  var neverFallsBack: Bool { from.neverFallsBack && to.neverFallsBack }

  var trend: Trend? {
    trendToDate(from, to, zone, margin: 2 * .day)
      ?? trendToDate(to, from, zone, margin: 2 * .day)?.reversed()
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let (a, b) = (from.vector(rows), to.vector(rows))
    return Vector(
      .integers(days(b).zip(days(a), &-)),
      nulls: a.nulls.union(b.nulls), fallback: a.fallback.union(b.fallback))
  }

  private func days(_ vector: Vector) -> Lane<Int64> {
    var clock = LocalClock(zone)
    return vector.integers.map { clock.local($0).wholeDays }
  }
}

/// `timeBetween(begun, done, "hours")`: the whole units that fit between two dates.
struct TimeBetweenNode: VectorNode {
  let parts: [any VectorNode]
  private let unit: CalendarUnit
  private let zone: ZoneRules

  /// Returns nil for several units.
  init?(_ parts: [any VectorNode], _ unit: Value?, _ zone: ZoneRules) {
    guard parts[0].kind == .date, parts[1].kind == .date, case .string(let name)? = unit,
      let unit = CalendarUnit(name)
    else { return nil }
    (self.parts, self.unit, self.zone) = (parts, unit, zone)
  }

  var kind: VectorKind { .integer }
  var cost: Double { parts[0].cost + parts[1].cost + (hasFixedLength ? 4 : 40) }
  var neverFallsBack: Bool { parts.allSatisfy(\.neverFallsBack) }

  // The search for the number of units tries up to four more of them.
  var trend: Trend? {
    let margin = 4 * unit.longest
    if let trend = trendToDate(parts[0], parts[1], zone, margin: margin) { return trend }
    // A month after a later date is not later if both are at the end of a month.
    return unit.isOfMonths
      ? nil : trendToDate(parts[1], parts[0], zone, margin: margin)?.reversed()
  }

  private var hasFixedLength: Bool { if case .seconds = unit { true } else { false } }

  func vector(_ rows: ChunkRows) -> Vector {
    let (a, b) = (parts[0].vector(rows), parts[1].vector(rows))
    return Vector(
      .integers(counts(a.integers, b.integers)), nulls: a.nulls.union(b.nulls),
      fallback: a.fallback.union(b.fallback))
  }

  private func counts(_ from: Lane<Int64>, _ to: Lane<Int64>) -> Lane<Int64> {
    if case .seconds(let seconds) = unit {
      return to.zip(from) { ($0 &- $1) / (seconds &* 1_000_000) }
    }
    var steps = CalendarSteps(unit, zone)
    return to.zip(from) { steps.count(from: $1, to: $0) }
  }
}

extension VectorNode {
  /// The upward dependence on dates, if the node is a column of dates.
  fileprivate func trendOfDates(_ time: TrendTime) -> Trend? {
    (self as? ColumnNode)?.columnOfDates.map { Trend(column: $0, time: time) }
  }

  /// The dependence of the distance from a constant date to a column of dates.
  fileprivate func trendToDate(
    _ from: any VectorNode, _ to: any VectorNode, _ zone: ZoneRules, margin: Int64
  ) -> Trend? {
    guard let constant = from as? ConstantNode, case .all(let moment) = constant.vector.integers
    else { return nil }
    return to.trendOfDates(TrendTime(zone: zone, moment: moment, margin: margin))
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
      fallback: dates.fallback.union(fallback.isEmpty ? nil : fallback))
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

/// `dateByAdding(date, 30, "day")`: each row's date plus a number of units, in the calendar and time of the zone.
struct DateAddingNode: VectorNode {
  let date: any VectorNode
  let count: any VectorNode
  let unit: CalendarUnit
  let zone: ZoneRules

  init?(_ parts: [any VectorNode], _ unit: Value?, _ zone: ZoneRules) {
    guard parts[0].kind == .date, parts[1].kind == .integer, case .string(let name)? = unit,
      let unit = CalendarUnit(name)
    else { return nil }
    (date, count, self.unit, self.zone) = (parts[0], parts[1], unit, zone)
  }

  var parts: [any VectorNode] { [date, count] }
  var kind: VectorKind { .date }
  var cost: Double { date.cost + count.cost + 12 }
  var neverFallsBack: Bool { false }

  var trend: Trend? {
    guard let constant = count as? ConstantNode, case .all(let number) = constant.vector.integers,
      !unit.isOfMonths
    else { return nil }
    let (margin, overflow) = unit.longest.multipliedReportingOverflow(by: Int64(number.magnitude))
    return overflow ? nil : date.trendOfDates(TrendTime(zone: zone, margin: margin + 2 * .day))
  }

  func vector(_ rows: ChunkRows) -> Vector {
    let (dates, counts) = (date.vector(rows), count.vector(rows))
    var steps = CalendarSteps(unit, zone)
    let moments = dates.integers.zip(counts.integers) { steps.later($0, $1) ?? Self.none }
    return Vector(
      .integers(moments), nulls: dates.nulls.union(counts.nulls),
      fallback: dates.fallback.union(counts.fallback)
    ).leaving(moments.rows(rows.count) { $0 == Self.none })
  }

  /// A marker for rows that are left to the reference evaluator.
  private static let none = Int64.min
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
