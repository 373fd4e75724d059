import KuraGraph
import KuraSentences

/// Integers or dates in a large set: `serial IN {…}`.
struct IntegerSetKernel: ColumnKernel, NoFallbackKernel {
  let column: Int
  let key: String
  private let set: IntegerSet

  /// From this number of ranges on, a set is faster than testing each range.
  static let least = 17

  init(column: Int, key: String, ranges: [ClosedRange<Int64>]) {
    self.column = column
    self.key = key
    set = IntegerSet(ranges)
  }

  var method: String { localized("set of numbers over \(key)") }
  var cost: Double { 3 }

  func matches(_ rows: ChunkRows) -> Bitmap {
    let chunk = rows.chunk(column)
    guard case .integers(let values) = chunk.values else { return Bitmap(count: chunk.count) }
    return set.among(values).settingNulls(chunk.nulls, to: false)
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
    var low = 0
    var high = lows.count
    while low < high {
      let middle = (low + high) / 2
      if lows[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low > 0 && value <= highs[low - 1]
  }
}
