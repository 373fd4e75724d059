import KuraGraph
import KuraSentences

/// Integers, dates or booleans in one of several ranges.
struct IntegerRangeKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let ranges: [ClosedRange<Int64>]
  /// `!=`: values in none of the ranges, and nulls.
  let isNegated: Bool

  var method: String { localized("range over \(key)") }
  var cost: Double { 0.5 * Double(max(1, ranges.count)) }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    var result = inRanges(chunk).settingNulls(chunk.nulls, to: false)
    if isNegated { result.invert() }
    return result
  }

  private func inRanges(_ chunk: ColumnChunk) -> Bitmap {
    if let frameOfReference = chunk.frameOfReference { return frameOfReference.inRanges(ranges) }
    switch chunk.values {
    case .integers(let values): return inRanges(values)
    case .bytes(let values): return Bitmap(values, in: ranges.clamped())
    case .doubles, .codes, .text, .links, .linkLists: return Bitmap(count: chunk.count)
    }
  }

  private func inRanges(_ values: [Int64]) -> Bitmap {
    if ranges.count > 4 { return Bitmap(values) { value in ranges.contains { $0 ~= value } } }
    var result = Bitmap(count: values.count)
    for range in ranges {
      let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      result.formUnion(Bitmap(values) { UInt64(bitPattern: $0 &- range.lowerBound) <= width })
    }
    return result
  }
}

extension FrameOfReferenceIntegers {
  fileprivate func inRanges(_ ranges: [ClosedRange<Int64>]) -> Bitmap {
    let ranges = ranges.compactMap { codes(of: $0) }
    return switch codes {
    case .bytes(let codes): Bitmap(codes, in: ranges.clamped())
    case .words(let codes): Bitmap(codes, in: ranges.clamped())
    }
  }
}

extension [ClosedRange<Int64>] {
  /// Returns the parts of the ranges that a narrower type can represent.
  func clamped<Narrow: FixedWidthInteger>() -> [ClosedRange<Narrow>] {
    compactMap { range in
      let low = Swift.max(range.lowerBound, Int64(Narrow.min))
      let high = Swift.min(range.upperBound, Int64(Narrow.max))
      return low <= high
        ? Narrow(truncatingIfNeeded: low)...Narrow(truncatingIfNeeded: high) : nil
    }
  }
}

/// Doubles in one of several ranges.
struct DoubleRangeKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let ranges: [ClosedRange<Double>]
  let isNegated: Bool

  var method: String { localized("range over \(key)") }
  var cost: Double { Double(max(1, ranges.count)) }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
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
struct NullKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  let isNegated: Bool

  var method: String { localized("nulls of \(key)") }
  var cost: Double { 0.1 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    var result = rows.table.columns[column].nulls(ofChunk: rows.number) ?? Bitmap(count: rows.count)
    if isNegated { result.invert() }
    return result
  }
}
