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
    // Dates have no time of day, or, in a zone with clock changes, are hours or quarters of an hour apart.
    let steps: [Int64] =
      column.kind == .attribute(.date)
      ? [86_400_000_000, 3_600_000_000, 900_000_000, 60_000_000, 1_000_000, 1] : [1]
    if !steps.contains(where: { fill(column, rows, step: $0) }) { number(column, rows) }
  }
}

extension NumberedCells {
  /// The widest range in which the distances from the least value are the codes.
  private static let widest = 60_000
  /// The widest range in which a table maps the distances to codes.
  private static let widestOfTable = 1 << 22

  /// Numbers values by their distance from the least, in steps; returns false if the range is too wide, or if a value is
  /// between two steps.
  private mutating func fill(_ column: Column, _ rows: [Bitmap], step: Int64) -> Bool {
    let chunks = column.chunks
    guard let (low, width) = span(column, rows, step: step),
      // If the first chunk has values between the steps, the others need not be read.
      let first = rows.indices.first(where: { !rows[$0].isEmpty }),
      chunks[first].distances(from: low, step, rows[first]) != nil
    else { return false }
    let found = Workers.map(count: rows.count, inParallel: rows.count > 8) { number in
      rows[number].isEmpty ? [] : chunks[number].distances(from: low, step, rows[number])
    }
    guard let known = found.unwrapped() else { return false }
    codes = known
    count = UInt32(truncatingIfNeeded: width + 1)
    let others = zip(chunks, rows).map { $1.negated(true).union($0.nulls) }
    if width >= Self.widest { renumber(except: others, width) }
    for number in codes.indices where !codes[number].isEmpty {
      others[number].eachRow { codes[number][$0] = count }
    }
    return true
  }

  /// Replaces distances by numbers in order of appearance.
  private mutating func renumber(except others: [Bitmap], _ width: Int) {
    var numbers = [UInt32](repeating: 0, count: width + 1)
    count = 0
    for number in codes.indices where !codes[number].isEmpty {
      others[number].negated(true).eachRow { row in
        let distance = Int(codes[number][row])
        if numbers[distance] == 0 {
          count += 1
          numbers[distance] = count
        }
        codes[number][row] = numbers[distance] - 1
      }
    }
  }

  /// Returns the least value, and the number of steps to the greatest; nil for other values, and if there are too many
  /// steps.
  private func span(_ column: Column, _ rows: [Bitmap], step: Int64) -> (Int64, Int)? {
    var bounds: ClosedRange<Int64>?
    for (chunk, rows) in zip(column.chunks, rows) where !rows.isEmpty {
      guard let found = chunk.vectorBounds else { return nil }
      bounds =
        bounds.map {
          min($0.lowerBound, found.lowerBound)...max($0.upperBound, found.upperBound)
        } ?? found
    }
    guard let bounds else { return nil }
    let steps = UInt64(bitPattern: bounds.upperBound &- bounds.lowerBound) / UInt64(step)
    return steps < Self.widestOfTable ? (bounds.lowerBound, Int(steps)) : nil
  }

  private mutating func number(_ column: Column, _ rows: [Bitmap]) {
    let chunks = column.chunks
    let known = zip(chunks, rows).map { $1.isEmpty ? $1 : $1.subtracting($0.nulls) }
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
  /// Returns the distance of each row from the least, in steps; nil if a set row is between two steps.
  fileprivate func distances(from low: Int64, _ step: Int64, _ rows: Bitmap) -> [UInt32]? {
    switch values {
    case .bytes(let values): return values.map { UInt32(truncatingIfNeeded: Int64($0) &- low) }
    case .integers(let values) where step == 1:
      return values.map { UInt32(truncatingIfNeeded: $0 &- low) }
    case .integers(let values):
      let inverse = 1 / Double(step)
      func steps(_ value: Int64) -> Int64 {
        let steps = (Double(value &- low) * inverse).rounded()
        return steps.magnitude < 0x1p32 ? Int64(steps) : 0
      }
      let between = Bitmap(values) { steps($0) &* step != $0 &- low }
      return between.intersection(rows).subtracting(nulls).isEmpty
        ? values.map { UInt32(truncatingIfNeeded: steps($0)) } : nil
    case .doubles, .codes, .text, .links, .linkLists: return nil
    }
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
