import KuraGraph
import KuraPredicates
import KuraValues

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
