import KuraGraph

/// An expression that a function computes from the values of its operands: `year(date)`, `substring(title, 0, 2)`.
struct ComputedNode: VectorNode {
  let kind: VectorKind
  let parts: [any VectorNode]
  let cost: Double
  let neverFallsBack: Bool
  let trend: Trend?
  private let limits: ClosedRange<Int64>?
  private let compute: @Sendable ([Vector], ChunkRows) -> Vector

  /// - Parameters:
  ///   - cost: The approximate number of nanoseconds that a row takes, without the operands.
  ///   - isSure: Whether the function leaves no row to the reference evaluator unless an operand does.
  ///   - limits: Bounds of the results, if they are integers.
  init(
    _ kind: VectorKind, _ parts: [any VectorNode], cost: Double, isSure: Bool = true,
    trend: Trend? = nil, limits: ClosedRange<Int64>? = nil,
    _ compute: @escaping @Sendable ([Vector], ChunkRows) -> Vector
  ) {
    (self.kind, self.parts, self.trend, self.limits) = (kind, parts, trend, limits)
    (self.cost, self.compute) = (parts.reduce(cost) { $0 + $1.cost }, compute)
    neverFallsBack = isSure && parts.allSatisfy(\.neverFallsBack)
  }

  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { limits }
  func vector(_ rows: ChunkRows) -> Vector { compute(parts.map { $0.vector(rows) }, rows) }
}
