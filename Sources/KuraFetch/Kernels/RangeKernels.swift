import KuraGraph

/// Integers, dates or booleans that lie in one of some ranges.
struct IntegerRangeKernel: ChunkKernel {
  let column: Int
  let ranges: [ClosedRange<Int64>]
  /// `!=`: those that lie in none, and nulls too.
  let isNegated: Bool

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    var result = Bitmap(count: chunk.count)
    for range in ranges { result.formUnion(inRange(chunk, range)) }
    result = result.settingNulls(chunk.nulls, to: false)
    if isNegated { result.invert() }
    return result
  }

  private func inRange(_ chunk: ColumnChunk, _ range: ClosedRange<Int64>) -> Bitmap {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    switch chunk.values {
    case .integers(let values):
      return Bitmap(values) { UInt64(bitPattern: $0 &- range.lowerBound) <= width }
    case .bytes(let values):
      return Bitmap(values) { UInt64(bitPattern: Int64($0) &- range.lowerBound) <= width }
    case .doubles, .codes, .text, .links, .linkLists: return Bitmap(count: chunk.count)
    }
  }
}

/// Doubles that lie in one of some ranges.
struct DoubleRangeKernel: ChunkKernel {
  let column: Int
  let ranges: [ClosedRange<Double>]
  let isNegated: Bool

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    var result = Bitmap(count: chunk.count)
    if case .doubles(let values) = chunk.values {
      for range in ranges {
        result.formUnion(Bitmap(values) { $0 >= range.lowerBound && $0 <= range.upperBound })
      }
    }
    result = result.settingNulls(chunk.nulls, to: false)
    if isNegated { result.invert() }
    return result
  }
}

/// Rows without a value.
struct NullKernel: ChunkKernel {
  let column: Int
  let isNegated: Bool

  func matches(_ chunk: ColumnChunk) -> Bitmap {
    var result = chunk.nulls ?? Bitmap(count: chunk.count)
    if isNegated { result.invert() }
    return result
  }
}
