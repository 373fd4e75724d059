import KuraGraph
import KuraSentences

/// Rows by position: the rows of some objects, or of a range of objectIDs.
struct RowsKernel: NoFallbackKernel {
  let ranges: SortedRanges
  let isNegated: Bool
  var method = localized("rows by objectID")

  var cost: Double { 0.1 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    var result = Bitmap(count: rows.count)
    let first = rows.number << ColumnChunk.shift
    ranges.forEach(in: first..<first + rows.count) { here in
      for row in here { result.insert(row - first) }
    }
    return result.negated(isNegated)
  }

  func share(of sample: RowSample) -> Double? {
    let share = Double(ranges.count) / Double(max(1, sample.table.count))
    return isNegated ? 1 - share : share
  }
}

/// Rows of some entities.
struct EntityKernel: NoFallbackKernel {
  /// Whether an entity passes, per entity code.
  let passes: [Bool]

  var method: String { localized("entities") }
  var cost: Double { 1 }

  func share(of sample: RowSample) -> Double? {
    let passing = sample.rows.count { passes[sample.table.entityCode($0)] }
    return Double(passing) / Double(sample.rows.count)
  }

  func matches(_ rows: ChunkRows) -> Bitmap {
    guard let codes = rows.table.entityCodes else {
      return Bitmap(count: rows.count, filledWith: passes[rows.table.soleEntity])
    }
    return Bitmap(Array(codes[rows.table.rows(inChunk: rows.number)])) { passes[Int($0)] }
  }
}

/// A to-one relationship that leads to one of some rows, or to none.
struct LinkKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  /// Row numbers of the destination; `noRow` for nil.
  let targets: Set<UInt32>
  let isNegated: Bool
  /// A bit per row, up to the last target.
  private let bits: Bitmap

  init(column: Int, key: String, targets: Set<UInt32>, isNegated: Bool) {
    (self.column, self.key, self.targets) = (column, key, targets)
    self.isNegated = isNegated
    let rows = targets.subtracting([noRow])
    var bits = Bitmap(count: rows.count < 2 ? 0 : Int(rows.max() ?? 0) + 1)
    if bits.count > 0 { for row in rows { bits.insert(Int(row)) } }
    self.bits = bits
  }

  var method: String { localized("links of \(key)") }
  var cost: Double { targets.count == 1 ? 0.7 : 2 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    guard let links = rows.chunk(column).links else { return Bitmap(count: rows.count) }
    let result: Bitmap
    if let only = targets.first, targets.count == 1 {
      result = Bitmap(links) { $0 == only }
    } else if bits.count == 0 {
      result = Bitmap(links) { targets.contains($0) }
    } else {
      let (count, nonePasses) = (UInt32(truncatingIfNeeded: bits.count), targets.contains(noRow))
      result = Bitmap(links) { $0 < count ? bits.has(Int($0)) : nonePasses && $0 == noRow }
    }
    return result.negated(isNegated)
  }
}
