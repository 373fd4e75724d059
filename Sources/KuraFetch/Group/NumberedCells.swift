import KuraBytes
import KuraGraph
import KuraModel

/// Small numbers for the numbers and dates of a column, equal for equal values.
struct NumberedCells: Sendable {
  /// The codes by chunk and row: `count` for a row without a value, any code for an unwanted row.
  private(set) var codes: [[UInt32]] = []
  /// The number of distinct codes.
  private(set) var count: UInt32 = 0

  init(_ column: Column, _ rows: [Bitmap]) {
    if fill(column, rows, step: 1) { return }
    let isDate = column.kind == .attribute(.date)
    if isDate, fill(column, rows, step: Self.day) { return }
    // In a zone with clock changes, dates are hours or quarters of an hour apart.
    let steps: [Int64] = isDate ? [3_600_000_000, 900_000_000, 60_000_000, 1_000_000, 1] : [1]
    if steps.contains(where: { fillSparsely(column, rows, step: $0) }) { return }
    number(column, rows)
  }

  /// The distance of dates without a time of day, in microseconds.
  private static let day: Int64 = 86_400_000_000

  /// A wider range of values is numbered in order of appearance.
  private static let widest: UInt64 = 60_000
}

extension NumberedCells {
  /// Numbers values by their distance from the least, in steps; returns false if the range is too wide.
  private mutating func fill(_ column: Column, _ rows: [Bitmap], step: Int64) -> Bool {
    var bounds: ClosedRange<Int64>?
    for (chunk, rows) in zip(column.chunks, rows) where !rows.isEmpty {
      guard let found = chunk.cellBounds else { return false }
      bounds =
        bounds.map {
          min($0.lowerBound, found.lowerBound)...max($0.upperBound, found.upperBound)
        } ?? found
    }
    let low = bounds?.lowerBound ?? 0
    let width = UInt64(bitPattern: (bounds?.upperBound ?? 0) &- low) / UInt64(step)
    guard width < Self.widest else { return false }
    let null = UInt32(width + 1)
    let chunks = column.chunks
    let found = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      rows[number].isEmpty
        ? [] : chunks[number].distances(from: low, step: step, null: null, rows[number])
    }
    codes = found.compactMap(\.self)
    guard codes.count == found.count else { return false }
    count = null
    return true
  }

  /// The widest range that is looked up by distance.
  private static let widestSparse: UInt64 = 1 << 22

  /// Numbers values in order of appearance, looked up by their distance from the least, in steps.
  private mutating func fillSparsely(_ column: Column, _ rows: [Bitmap], step: Int64) -> Bool {
    guard let (low, width) = span(column, rows, step: step), width < Self.widestSparse else {
      return false
    }
    let chunks = column.chunks
    // If the first chunk has values between the steps, the others need not be read.
    guard let first = rows.indices.first(where: { !rows[$0].isEmpty }),
      chunks[first].steps(from: low, step, rows[first]) != nil
    else { return false }
    let found = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      rows[number].isEmpty ? [] : chunks[number].steps(from: low, step, rows[number])
    }
    var steps = found.compactMap(\.self)
    guard steps.count == found.count else { return false }
    var numbers = [UInt32](repeating: 0, count: Int(width) + 2)
    var next: UInt32 = 0
    for (number, rows) in rows.enumerated() {
      let nulls = chunks[number].nulls
      rows.eachRow { row in
        if nulls?.has(row) == true { return }
        let place = Int(steps[number][row])
        if numbers[place] == 0 {
          next += 1
          numbers[place] = next
        }
        steps[number][row] = numbers[place] - 1
      }
    }
    finish(steps, rows, column, null: next)
    return true
  }

  /// Assigns the last number to rows without a value, and any number to unwanted rows.
  private mutating func finish(
    _ steps: [[UInt32]], _ rows: [Bitmap], _ column: Column, null: UInt32
  ) {
    codes = steps
    count = null
    for number in codes.indices where !codes[number].isEmpty {
      var others = rows[number]
      others.invert()
      others.eachRow { codes[number][$0] = null }
      column.chunks[number].nulls?.eachRow { codes[number][$0] = null }
    }
  }

  /// Returns the least value, and the number of steps to the greatest.
  private func span(_ column: Column, _ rows: [Bitmap], step: Int64) -> (Int64, UInt64)? {
    var bounds: ClosedRange<Int64>?
    for (chunk, rows) in zip(column.chunks, rows) where !rows.isEmpty {
      guard case .integers = chunk.values, let found = chunk.cellBounds else { return nil }
      bounds =
        bounds.map {
          min($0.lowerBound, found.lowerBound)...max($0.upperBound, found.upperBound)
        } ?? found
    }
    guard let bounds else { return nil }
    return (
      bounds.lowerBound,
      UInt64(bitPattern: bounds.upperBound &- bounds.lowerBound) / UInt64(step)
    )
  }

  private mutating func number(_ column: Column, _ rows: [Bitmap]) {
    let chunks = column.chunks
    let known = zip(chunks, rows).map { chunk, rows in
      var known = rows
      if !rows.isEmpty, let nulls = chunk.nulls { known.subtract(nulls) }
      return known
    }
    let words = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      known[number].isEmpty ? [] : chunks[number].cellWords
    }
    let numbered = NumberedWords(words, known)
    (count, codes) = (
      numbered.count, numbered.codes.withoutValues(chunks.map(\.nulls), numbered.count)
    )
  }
}

extension ColumnChunk {
  /// The bounds of the integers or booleans; any bounds if the chunk has no values.
  fileprivate var cellBounds: ClosedRange<Int64>? {
    switch values {
    case .integers: integerBounds ?? 0...0
    case .bytes: 0...255
    case .doubles, .codes, .text, .links, .linkLists: nil
    }
  }

  /// Returns the distance of each row from the least, in steps; nil if a set row is between two steps.
  fileprivate func distances(
    from low: Int64, step: Int64, null: UInt32, _ rows: Bitmap
  ) -> [UInt32]? {
    var result: [UInt32]
    if step > 1, case .integers(let values) = values {
      var between = Bitmap(values) { ($0 &- low) % step != 0 }
      between.formIntersection(rows)
      if let nulls { between.subtract(nulls) }
      guard between.isEmpty else { return nil }
      result = values.map { UInt32(truncatingIfNeeded: ($0 &- low) / step) }
      return settled(&result, null)
    }
    switch values {
    case .integers(let values): result = values.map { UInt32(truncatingIfNeeded: $0 &- low) }
    case .bytes(let values): result = values.map { UInt32(truncatingIfNeeded: Int64($0) &- low) }
    case .doubles, .codes, .text, .links, .linkLists: result = []
    }
    return settled(&result, null)
  }

  /// Returns the distance of each row from the least, in steps; nil if a set row is between two steps.
  fileprivate func steps(from low: Int64, _ step: Int64, _ rows: Bitmap) -> [UInt32]? {
    guard case .integers(let values) = values else { return nil }
    let inverse = 1 / Double(step)
    func steps(_ value: Int64) -> Int64 {
      let steps = (Double(value &- low) * inverse).rounded()
      return steps.magnitude < 0x1p32 ? Int64(steps) : 0
    }
    var between = Bitmap(values) { steps($0) &* step != $0 &- low }
    between.formIntersection(rows)
    if let nulls { between.subtract(nulls) }
    return between.isEmpty ? values.map { UInt32(truncatingIfNeeded: steps($0)) } : nil
  }

  private func settled(_ result: inout [UInt32], _ null: UInt32) -> [UInt32] {
    nulls?.eachRow { result[$0] = null }
    // The numbers of unwanted rows are arbitrary.
    for row in result.indices where result[row] > null { result[row] = null }
    return result
  }

  /// The cells as mixed words, equal for equal values.
  fileprivate var cellWords: [UInt64] {
    switch values {
    case .integers(let values): values.map { UInt64(bitPattern: $0).mixed }
    case .doubles(let values): values.map { ($0.isNaN ? .max : $0.orderedBits).mixed }
    case .bytes(let values): values.map { UInt64($0).mixed }
    case .codes, .text, .links, .linkLists: []
    }
  }
}
