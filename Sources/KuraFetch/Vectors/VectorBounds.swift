import KuraGraph

// Between what the integers of a vector lie, as far as that is known before they are worked out:
// what cannot overflow need not be looked at row by row.
extension VectorNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { nil }
}

extension ColumnChunk {
  /// Between what its integers or booleans lie.
  fileprivate var vectorBounds: ClosedRange<Int64>? {
    switch values {
    case .integers: integerBounds ?? 0...0
    case .bytes: 0...255
    case .doubles, .codes, .text, .links, .linkLists: nil
    }
  }
}

extension ColumnNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { rows.chunk(column).vectorBounds }
}

extension GivenColumnNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { column.chunks[rows.number].vectorBounds }
}

extension ConstantNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    if case .integers(.all(let x)) = vector.values { x...x } else { nil }
  }
}

extension ArithmeticNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    guard kind == .integer, [.add, .subtract, .multiply].contains(operation),
      let a = left.bounds(rows), let b = right.bounds(rows)
    else { return nil }
    let ends = [
      result(a.lowerBound, b.lowerBound), result(a.lowerBound, b.upperBound),
      result(a.upperBound, b.lowerBound), result(a.upperBound, b.upperBound),
    ].compactMap(\.self)
    guard ends.count == 4, let low = ends.min(), let high = ends.max() else { return nil }
    return low...high
  }

  /// Nil where it overflows.
  private func result(_ a: Int64, _ b: Int64) -> Int64? {
    let (result, overflow) =
      switch operation {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      default: a.multipliedReportingOverflow(by: b)
      }
    return overflow ? nil : result
  }
}

extension DatePartNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    switch part {
    case .year: 0...10_000
    case .month, .day, .hour, .minute, .second, .weekday: 0...60
    case .startOfDay: nil
    }
  }
}

extension ClosedRange<Int64> {
  /// Whether each of them is a double.
  var areExactDoubles: Bool { lowerBound >= -(1 << 53) && upperBound <= 1 << 53 }
}
