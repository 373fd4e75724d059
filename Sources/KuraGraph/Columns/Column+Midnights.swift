import KuraModel
package import KuraValues

extension Column {
  /// Whether those of the rows' values that are dates are midnights in a zone.
  ///
  /// Rows in an order of their own lie all over memory: of many rows it is first asked which chunks
  /// hold nothing else, and only the rows of the others are looked at, up to the first that is none.
  package func areMidnights(_ rows: [UInt32], in zone: ZoneRules) -> Bool {
    guard kind == .attribute(.date) else { return true }
    let isMany = rows.count > chunks.count * ColumnChunk.capacity / 8
    let isWell = isMany ? chunks.map { $0.holdsMidnightsAlone(in: zone) } : []
    if isMany, isWell.allSatisfy({ $0 }) { return true }
    return rows.allSatisfy { row in
      if isMany, isWell[Int(row) >> ColumnChunk.shift] { return true }
      guard case .date(let date) = value(Int(row)) else { return true }
      return date.isMidnight(in: zone)
    }
  }
}

extension ColumnChunk {
  /// Whether all its dates are midnights, those of deleted objects too.
  fileprivate func holdsMidnightsAlone(in zone: ZoneRules) -> Bool {
    let packed = kept.packed
    guard case .integers(let values) = packed.values else { return true }
    let nulls = packed.nulls
    guard let (low, high) = NarrowIntegers.bounds(values, nulls) else { return true }
    var stretch = zone.stretch(at: low)
    for row in values.indices where nulls?[row] != true {
      let value = values[row]
      if value < stretch.from || value >= stretch.until { stretch = zone.stretch(at: value) }
      if (value &+ stretch.shift) % Self.day != 0 { return false }
      // On the day after a change of the clock, 0:00 may be there for the second time.
      if value < stretch.from &+ Self.day, !Timestamp(microseconds: value).isMidnight(in: zone) {
        return false
      }
    }
    // Between two dates that can be written there are others.
    return [low, high].allSatisfy { Timestamp(microseconds: $0).isMidnight(in: zone) }
  }

  /// In microseconds.
  private static let day: Int64 = 86_400_000_000
}
