import KuraGraph
import KuraSentences

/// Integers, dates or booleans in one of several ranges.
struct IntegerRangeKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  private let ranges: [ClosedRange<Int64>]
  /// `!=`: values in none of the ranges, and nulls.
  private let isNegated: Bool
  /// The ranges as a set, if that is faster than testing each: `serial IN {…}`.
  private let integerSet: IntegerSet?

  init(column: Int, key: String, ranges: [ClosedRange<Int64>], isNegated: Bool) {
    (self.column, self.key, self.ranges, self.isNegated) = (column, key, ranges, isNegated)
    integerSet = ranges.count > 16 ? IntegerSet(ranges) : nil
  }

  var method: String {
    integerSet == nil ? localized("range over \(key)") : localized("set of numbers over \(key)")
  }
  var cost: Double { integerSet == nil ? 0.5 * Double(max(1, ranges.count)) : 3 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    return inRanges(chunk).subtracting(chunk.nulls).negated(isNegated)
  }

  private func inRanges(_ chunk: ColumnChunk) -> Bitmap {
    if let integerSet, case .integers(let values) = chunk.values { return integerSet.among(values) }
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

/// Integers in ascending ranges that do not touch, with a bitmap if they are dense.
private struct IntegerSet: Sendable {
  private let lows: [Int64]
  private let highs: [Int64]
  /// A bit per integer, from the lowest on.
  private let bits: Bitmap?

  init(_ ranges: [ClosedRange<Int64>]) {
    lows = ranges.map(\.lowerBound)
    highs = ranges.map(\.upperBound)
    bits = IntegerSet.bits(ranges)
  }

  private static func bits(_ ranges: [ClosedRange<Int64>]) -> Bitmap? {
    guard let low = ranges.first?.lowerBound, let high = ranges.last?.upperBound else { return nil }
    let (width, overflow) = high.subtractingReportingOverflow(low)
    guard !overflow, width < 1 << 20 else { return nil }
    var bits = Bitmap(count: Int(width) + 1)
    for range in ranges {
      for number in range { bits.insert(Int(number - low)) }
    }
    return bits
  }

  func among(_ values: [Int64]) -> Bitmap {
    guard let bits, let low = lows.first else { return Bitmap(values, where: contains) }
    let count = UInt64(bits.count)
    return Bitmap(values) { value in
      let place = UInt64(bitPattern: value &- low)
      return place < count && bits.has(Int(place))
    }
  }

  /// Returns whether the last range that begins at or before the value contains it.
  private func contains(_ value: Int64) -> Bool {
    let next = lows.indices.partitioningIndex { lows[$0] > value }
    return next > 0 && value <= highs[next - 1]
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
    return result.subtracting(chunk.nulls).negated(isNegated)
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
    (rows.table.columns[column].nulls(ofChunk: rows.number) ?? Bitmap(count: rows.count))
      .negated(isNegated)
  }
}
