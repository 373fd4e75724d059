import KuraBytes
import KuraGraph
import KuraModel

/// Small numbers for the numbers and dates of a column: equal values have one.
struct NumberedCells: Sendable {
  /// By chunk and row; of a row without a value `count`, of one that is not wanted anything less.
  private(set) var codes: [[UInt32]] = []
  /// How many there are.
  private(set) var count: UInt32 = 0

  init(_ column: Column, _ rows: [Bitmap]) {
    if fill(column, rows, step: 1) { return }
    let isDate = column.kind == .attribute(.date)
    if isDate, fill(column, rows, step: Self.day) { return }
    // Days of a zone whose clock was changed are hours apart, or quarters of one.
    let steps: [Int64] = isDate ? [3_600_000_000, 900_000_000, 60_000_000, 1_000_000, 1] : [1]
    if steps.contains(where: { fillSparsely(column, rows, step: $0) }) { return }
    number(column, rows)
  }

  /// Dates without a time of day are so far from each other, in microseconds.
  private static let day: Int64 = 86_400_000_000

  /// More values than this are numbered as they come.
  private static let widest: UInt64 = 60_000
}

extension NumberedCells {
  /// Numbers by their distance from the least in steps, where that is small; false where it is not.
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

  /// As many as this are looked up by their distance.
  private static let widestSparse: UInt64 = 1 << 22

  /// Numbers as the values come, which are looked up by their distance from the least in steps.
  private mutating func fillSparsely(_ column: Column, _ rows: [Bitmap], step: Int64) -> Bool {
    guard let (low, width) = span(column, rows, step: step), width < Self.widestSparse else {
      return false
    }
    let chunks = column.chunks
    // Where the first chunk has values between the steps the others need not be looked at.
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

  /// Rows without a value get the last number, and those that are not wanted any.
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

  /// The least value, and how many steps the greatest is from it.
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
  /// The least and the greatest of integers or booleans; those of nothing are any.
  fileprivate var cellBounds: ClosedRange<Int64>? {
    switch values {
    case .integers: integerBounds ?? 0...0
    case .bytes: 0...255
    case .doubles, .codes, .text, .links, .linkLists: nil
    }
  }

  /// How many steps each row is from the least; nil where one of those that are set lies between.
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

  /// How many steps each row is from the least; nil where one of those that are set lies between.
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
    // What stands in the place of a value that is not wanted may be anything.
    for row in result.indices where result[row] > null { result[row] = null }
    return result
  }

  /// The cells as mixed words that are the same for equal values.
  fileprivate var cellWords: [UInt64] {
    switch values {
    case .integers(let values): values.map { UInt64(bitPattern: $0).mixed }
    case .doubles(let values): values.map { ($0.isNaN ? .max : $0.orderedBits).mixed }
    case .bytes(let values): values.map { UInt64($0).mixed }
    case .codes, .text, .links, .linkLists: []
    }
  }
}
