import KuraGraph
import KuraPredicates
import KuraValues
import Synchronization

/// `year(date)`, `startOfDay(date)`: what calendar and clock of the zone say of each row's moment.
struct DatePartNode: VectorNode {
  let part: Part
  let inner: any VectorNode
  let zone: ZoneRules

  enum Part: String, Sendable {
    case year, month, day, hour, minute, second, weekday, startOfDay
  }

  init?(_ selector: String, _ inner: any VectorNode, _ zone: ZoneRules) {
    guard let part = Part(rawValue: selector), inner.kind == .date else { return nil }
    (self.part, self.inner, self.zone) = (part, inner, zone)
  }

  var parts: [any VectorNode] { [inner] }
  var kind: VectorKind { part == .startOfDay ? .date : .integer }
  var cost: Double { inner.cost + (part == .startOfDay ? 40 : 5) }
  var isSure: Bool { part != .startOfDay && inner.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    switch part {
    case .year: return of(vector) { calendarDay($0.wholeDays).year }
    case .month: return of(vector) { calendarDay($0.wholeDays).month }
    case .day: return of(vector) { calendarDay($0.wholeDays).day }
    case .hour: return of(vector) { $0.timeOfDay / 3_600_000_000 }
    case .minute: return of(vector) { $0.timeOfDay / 60_000_000 % 60 }
    case .second: return of(vector) { $0.timeOfDay / 1_000_000 % 60 }
    // 1970-01-01 was a Thursday, the fifth day; no day is so early that this is negative.
    case .weekday: return of(vector) { ($0.wholeDays &+ 4 &+ 7 &* 200_000) % 7 &+ 1 }
    case .startOfDay: return startsOfDays(vector, rows)
    }
  }

  /// A part of what the clock says, in microseconds since 1970-01-01 0:00.
  @inline(__always)
  private func of(_ vector: Vector, _ part: (Int64) -> Int64) -> Vector {
    var clock = LocalClock(zone)
    var result = vector
    result.values = .integers(vector.integers.map { part(clock.local($0)) })
    return result
  }

  private func startsOfDays(_ vector: Vector, _ rows: ChunkRows) -> Vector {
    let none = Int64.min
    let starts = vector.integers.map {
      zone.startOfDay(Timestamp(microseconds: $0))?.microseconds ?? none
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
  var isSure: Bool { from.isSure && to.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    let (a, b) = (from.vector(rows), to.vector(rows))
    return Vector(
      .integers(days(b).zip(days(a), &-)),
      nulls: a.nulls.union(b.nulls), unsure: a.unsure.union(b.unsure))
  }

  private func days(_ vector: Vector) -> Lane<Int64> {
    var clock = LocalClock(zone)
    return vector.integers.map { clock.local($0).wholeDays }
  }
}

/// A text that a date has for a whole day, hour or minute: `format(date, "yyyy-MM")`. The reference evaluator is asked once
/// for each that occurs.
struct DatePeriodNode: VectorNode {
  private let date: any VectorNode
  /// The function of SELF.
  private let function: ExpressionTree
  private let length: Int64
  private let context: EvaluationContext
  private let zone: ZoneRules
  private let known = KnownPeriods()

  /// Nil if the text does not depend on the date's day, hour and minute alone.
  init?(_ call: FunctionCall, _ parts: [any VectorNode], _ environment: FetchEnvironment) {
    guard parts[0].kind == .date, call.arguments.dropFirst().allSatisfy({ $0.literal != nil }),
      case .string(let pattern)? = call.arguments[1].literal,
      let length = Self.length(of: pattern)
    else { return nil }
    var call = call
    call.arguments[0] = ExpressionTree(.evaluatedObject)
    function = ExpressionTree(.function(call))
    (date, self.length) = (parts[0], length)
    (context, zone) = (environment.evaluation, environment.rules)
  }

  /// The length of the finest field of a pattern in microseconds; nil for seconds, zones, and names of styles.
  private static func length(of pattern: String) -> Int64? {
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

  var parts: [any VectorNode] { [date] }
  var kind: VectorKind { .text }
  var cost: Double { date.cost + 60 }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let dates = date.vector(rows)
    let moments = dates.integers.spread(rows.count)
    var clock = LocalClock(zone)
    var numbers = [UInt32](repeating: 0, count: rows.count)
    var found: [Period: UInt32] = [:]
    // The first text is that of rows that nobody asks for.
    var texts = TextBuilder(64)
    texts.end()
    var unsure = Bitmap(count: rows.count)
    rows.candidates.eachRow { row in
      if dates.nulls?.has(row) == true { return }
      let local = clock.local(moments[row])
      let rest = local % length
      let period = Period(
        start: rest < 0 ? local - rest - length : local - rest, shift: clock.stretch.shift)
      if let number = found[period] {
        numbers[row] = number
      } else if let text = known.text(period, { text(moments[row]) }) {
        texts.add(text)
        texts.end()
        numbers[row] = UInt32(texts.texts.count - 1)
        found[period] = numbers[row]
      } else {
        unsure.insert(row)
      }
    }
    return Vector(
      .texts(TextLane(texts: texts.texts, places: .numbered(numbers))), nulls: dates.nulls,
      unsure: dates.unsure.union(unsure.isEmpty ? nil : unsure))
  }

  private func text(_ moment: Int64) -> String? {
    let value = try? function.evaluate(
      on: .date(Timestamp(microseconds: moment)), in: context)
    if case .string(let text)? = value { return text }
    return nil
  }

  /// A stretch of local time, with its distance from UTC.
  private struct Period: Hashable {
    let start: Int64
    let shift: Int64
  }

  /// The texts that were asked for, shared by all threads.
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
