/// Integers of a chunk as small codes: `value == base + step * code`.
///
/// Days over a century take two bytes in the place of eight, a priority from 0 to 9 takes one.
package struct NarrowIntegers: Sendable {
  package enum Codes: Sendable {
    case bytes([UInt8])
    case words([UInt16])
  }

  package let base: Int64
  package let step: Int64
  package let codes: Codes
  /// The highest code.
  package let last: Int64
}

extension NarrowIntegers {
  /// Nil where the values do not fit; rows without a value have code 0.
  init?(_ values: [Int64], _ nulls: Bitmap?) {
    guard let (low, high) = NarrowIntegers.bounds(values, nulls) else { return nil }
    let (width, overflow) = high.subtractingReportingOverflow(low)
    guard !overflow, width < 1 << 52,
      let step = NarrowIntegers.step(values, nulls, low, width)
    else { return nil }
    base = low
    self.step = step
    last = width / step
    let inverse = 1 / Double(step)
    func code<Code: FixedWidthInteger>(_ row: Int) -> Code {
      if let nulls, nulls[row] { return 0 }
      return Code(truncatingIfNeeded: Int64((Double(values[row] &- low) * inverse).rounded()))
    }
    codes = last < 256 ? .bytes(values.indices.map(code)) : .words(values.indices.map(code))
  }

  static func bounds(_ values: [Int64], _ nulls: Bitmap?) -> (Int64, Int64)? {
    guard let nulls else {
      guard let low = values.min(), let high = values.max() else { return nil }
      return (low, high)
    }
    var low = Int64.max
    var high = Int64.min
    for (row, value) in values.enumerated() where !nulls[row] {
      low = min(low, value)
      high = max(high, value)
    }
    return low <= high ? (low, high) : nil
  }

  /// One, or the longest of a day, an hour, a minute and a second of which all values are apart.
  private static func step(
    _ values: [Int64], _ nulls: Bitmap?, _ low: Int64, _ width: Int64
  ) -> Int64? {
    if width < 65_536 { return 1 }
    return ([86_400, 3_600, 60, 1] as [Int64]).lazy.map { $0 * 1_000_000 }.first { step in
      guard width / step < 65_536 else { return false }
      let inverse = 1 / Double(step)
      return values.indices.allSatisfy { row in
        if let nulls, nulls[row] { return true }
        let distance = values[row] &- low
        return Int64((Double(distance) * inverse).rounded()) &* step == distance
      }
    }
  }
}

extension NarrowIntegers {
  /// The codes of the values in a range, or nil if there are none.
  package func codes(of range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let top = base + step * last
    guard range.lowerBound <= top, range.upperBound >= base else { return nil }
    let low = max(range.lowerBound, base) - base
    let high = min(range.upperBound, top) - base
    let first = (low + step - 1) / step
    return first <= high / step ? first...(high / step) : nil
  }
}
