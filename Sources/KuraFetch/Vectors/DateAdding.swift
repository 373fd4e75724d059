import KuraGraph
import KuraValues

/// `dateByAdding(date, 30, "day")`: each row's moment so many units later, by calendar and clock of
/// the zone.
struct DateAddingNode: VectorNode {
  let date: any VectorNode
  let count: any VectorNode
  let unit: Unit
  let zone: ZoneRules

  /// So many of something that is always as long, or as the calendar has it.
  enum Unit: Sendable {
    case months(Int64)
    case days(Int64)
    case seconds(Int64)
  }

  init?(_ parts: [any VectorNode], _ unit: Value?, _ zone: ZoneRules) {
    guard parts[0].kind == .date, parts[1].kind == .integer, case .string(let name)? = unit,
      let unit = Unit(name)
    else { return nil }
    (date, count, self.unit, self.zone) = (parts[0], parts[1], unit, zone)
  }

  var parts: [any VectorNode] { [date, count] }
  var kind: VectorKind { .date }
  var cost: Double { date.cost + count.cost + 12 }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let (dates, counts) = (date.vector(rows), count.vector(rows))
    var clocks = (here: LocalClock(zone), there: LocalClock(zone))
    let moments = dates.integers.zip(counts.integers) { later($0, $1, &clocks) ?? Self.none }
    return Vector(
      .integers(moments), nulls: dates.nulls.union(counts.nulls),
      unsure: dates.unsure.union(counts.unsure)
    ).leaving(moments.rows(rows.count) { $0 == Self.none })
  }

  /// No moment; that row is the reference evaluator's.
  private static let none = Int64.min
  /// So many of any unit leave room in 64 bits.
  private static let most: Int64 = 10_000_000

  @inline(__always)
  private func later(
    _ moment: Int64, _ count: Int64, _ clocks: inout (here: LocalClock, there: LocalClock)
  ) -> Int64? {
    guard count.magnitude < Self.most else { return nil }
    switch unit {
    case .seconds(let seconds):
      let sum = Timestamp(microseconds: moment &+ count &* seconds &* 1_000_000)
      return sum.isInRange ? sum.microseconds : nil
    case .days(let days):
      return clocks.there.moment(clocks.here.local(moment) &+ count &* days &* .day)
    case .months(let months):
      let local = clocks.here.local(moment)
      let day = CivilDate(daysSince1970: Int(local.wholeDays)).adding(months: Int(count &* months))
      guard 1...9999 ~= day.year else { return nil }
      return clocks.there.moment(Int64(day.daysSince1970) &* .day &+ local.timeOfDay)
    }
  }
}

extension DateAddingNode.Unit {
  /// `day`, also `Days`; nil for what the reference evaluator refuses.
  fileprivate init?(_ name: String) {
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

extension LocalClock {
  /// The moment at which the clock says so, in microseconds; nil outside the years 1 to 9999.
  @inline(__always)
  mutating func moment(_ local: Int64) -> Int64? {
    if let quick = quickMoment(local) { return quick }
    let civil = CivilTime(microseconds: local)
    guard 1...9999 ~= civil.date.year else { return nil }
    return zone.moment(civil)?.microseconds
  }

  /// The same, unless the clock is changed within two days of it.
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
