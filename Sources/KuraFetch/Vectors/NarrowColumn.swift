import KuraBytes
import KuraGraph

/// A column of integers or dates as codes on one scale: `value == low + step * code`.
///
/// The days of a century are 40,000 numbers, however many rows there are: what depends on such a
/// column alone is worked out once for each of them.
struct NarrowColumn: Sendable {
  let column: Column
  /// The codes of each chunk, from 0 on.
  let parts: [NarrowIntegers]
  /// What is added to the codes of each chunk.
  let offsets: [Int]
  private let low: Int64
  private let step: Int64
  /// All codes are less.
  let count: Int

  /// Nil where the codes are not made yet, and where they have no common scale.
  init?(_ column: Column) {
    guard case .integers? = column.chunks.first?.values else { return nil }
    let chunks = column.chunks
    let parts = TwoCores.map(count: chunks.count, onBoth: chunks.count > 8 && !chunks[0].isNarrow) {
      chunks[$0].narrow
    }.compactMap(\.self)
    guard parts.count == chunks.count, let low = parts.map(\.base).min(),
      let step = parts.first(where: { $0.last > 0 })?.step
    else { return nil }
    var (offsets, last): ([Int], Int64) = ([], 0)
    for part in parts {
      let (distance, overflow) = part.base.subtractingReportingOverflow(low)
      guard !overflow, distance % step == 0, part.last == 0 || part.step == step else {
        return nil
      }
      offsets.append(Int(distance / step))
      last = max(last, distance / step + part.last)
    }
    guard last < Self.most else { return nil }
    (self.column, self.parts, self.offsets) = (column, parts, offsets)
    (self.low, self.step, count) = (low, step, Int(last) + 1)
  }

  /// Of more codes nothing is made for each.
  private static let most: Int64 = 1 << 40
}

extension NarrowColumn {
  /// The codes of a chunk's rows; of rows without a value `count`.
  func codes(_ number: Int) -> [UInt32] {
    let offset = UInt32(truncatingIfNeeded: offsets[number])
    var codes: [UInt32] =
      switch parts[number].codes {
      case .bytes(let codes): codes.map { UInt32($0) &+ offset }
      case .words(let codes): codes.map { UInt32($0) &+ offset }
      }
    column.chunks[number].nulls?.eachRow { codes[$0] = UInt32(truncatingIfNeeded: count) }
    return codes
  }

  /// The code of one row that has a value.
  func code(_ number: Int, _ row: Int) -> UInt64 {
    let code =
      switch parts[number].codes {
      case .bytes(let codes): UInt64(codes[row])
      case .words(let codes): UInt64(codes[row])
      }
    return code &+ UInt64(offsets[number])
  }

  func value(of code: Int) -> Int64 { low &+ step &* Int64(code) }

  /// The values of all codes, in their order, as a column has them.
  var values: Column {
    let chunks = stride(from: 0, to: count, by: ColumnChunk.capacity).map { first in
      ColumnChunk(
        .integers(
          (first..<min(count, first + ColumnChunk.capacity)).map(value)))
    }
    return Column(column.kind, chunks: chunks)
  }

  /// Whether they are so few that working something out for each pays, where there are some rows.
  func areFew(of rows: Int) -> Bool { count <= 1 << 17 && count * 4 <= rows }
}
