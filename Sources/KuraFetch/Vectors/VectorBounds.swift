import KuraGraph

// Between what the integers of a vector lie, as far as that is known before they are worked out:
// what cannot overflow need not be looked at row by row.
extension VectorNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { nil }
}

extension ColumnChunk {
  /// Between what its integers or booleans lie.
  var vectorBounds: ClosedRange<Int64>? {
    switch values {
    case .integers: integerBounds ?? 0...0
    case .bytes: 0...255
    case .doubles, .codes, .text, .links, .linkLists: nil
    }
  }
}

extension ConstantNode {
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    if case .integers(.all(let x)) = vector.values { x...x } else { nil }
  }
}

extension ClosedRange<Int64> {
  /// Whether each of them is a double.
  var areExactDoubles: Bool { lowerBound >= -(1 << 53) && upperBound <= 1 << 53 }
}
