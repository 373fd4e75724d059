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

  var kind: VectorKind { part == .startOfDay ? .date : .integer }
  var cost: Double { inner.cost + (part == .startOfDay ? 40 : 20) }
  var isSure: Bool { part != .startOfDay && inner.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    let vector = inner.vector(rows)
    switch part {
    case .year: return of(vector) { $0.date.year }
    case .month: return of(vector) { $0.date.month }
    case .day: return of(vector) { $0.date.day }
    case .hour: return of(vector) { $0.hour }
    case .minute: return of(vector) { $0.minute }
    case .second: return of(vector) { $0.second }
    case .weekday: return of(vector) { $0.date.weekday }
    case .startOfDay: return startsOfDays(vector, rows)
    }
  }

  @inline(__always)
  private func of(_ vector: Vector, _ part: (CivilTime) -> Int) -> Vector {
    var result = vector
    result.values = .integers(
      vector.integers.map { Int64(part(zone.civil(Timestamp(microseconds: $0)))) })
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

/// `daysBetween(date, dueDate)`
struct DaysBetweenNode: VectorNode {
  let from: any VectorNode
  let to: any VectorNode
  let zone: ZoneRules

  init?(_ from: any VectorNode, _ to: any VectorNode, _ zone: ZoneRules) {
    guard from.kind == .date, to.kind == .date else { return nil }
    (self.from, self.to, self.zone) = (from, to, zone)
  }

  var kind: VectorKind { .integer }
  var cost: Double { from.cost + to.cost + 40 }
  var isSure: Bool { from.isSure && to.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    let (a, b) = (from.vector(rows), to.vector(rows))
    let days = { [zone] (moment: Int64) in
      Int64(zone.civil(Timestamp(microseconds: moment)).date.daysSince1970)
    }
    return Vector(
      .integers(b.integers.map(days).zip(a.integers.map(days), &-)),
      nulls: a.nulls.union(b.nulls), unsure: a.unsure.union(b.unsure))
  }
}
