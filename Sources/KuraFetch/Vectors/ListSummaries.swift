import KuraGraph

/// The least or greatest of several values, except nil.
struct ExtremeNode: VectorNode {
  let parts: [any VectorNode]
  let kind: VectorKind
  private let isGreatest: Bool

  /// Returns nil if the values have no order, or are ordered by bytes.
  init?(_ parts: [any VectorNode], isGreatest: Bool) {
    guard let kind = VectorKind.together(parts.map(\.kind)), !kind.hasTexts, kind != .boolean else {
      return nil
    }
    (self.parts, self.kind, self.isGreatest) = (parts, kind, isGreatest)
  }

  var cost: Double { parts.reduce(0) { $0 + $1.cost + 2 } }
  var neverFallsBack: Bool { parts.allSatisfy(\.neverFallsBack) && !kind.isReal }

  func vector(_ rows: ChunkRows) -> Vector {
    var best = parts[0].vector(rows).like(kind, from: parts[0].kind, rows.count).ordered(rows.count)
    for part in parts.dropFirst() {
      let other = part.vector(rows).like(kind, from: part.kind, rows.count).ordered(rows.count)
      let next: Vector
      (best, next) = Vector.aligned((best, rows.count), (other, rows.count))
      let fallback = best.fallback.union(next.fallback)
      best = next.chosen(better(next, best, rows.count), else: best)
      best.fallback = fallback
    }
    return best
  }

  /// Returns the rows in which the next value is better, or the first one.
  private func better(_ next: Vector, _ best: Vector, _ count: Int) -> Bitmap {
    var rows =
      switch (next.values, best.values) {
      case (.integers(let x), .integers(let y)), (.decimals(let x, _), .decimals(let y, _)):
        isGreatest ? x.rows(count, with: y, where: >) : x.rows(count, with: y, where: <)
      case (.longDecimals(let x, _), .longDecimals(let y, _)):
        isGreatest ? x.rows(count, with: y, where: >) : x.rows(count, with: y, where: <)
      default:
        isGreatest
          ? next.doubles.rows(count, with: best.doubles, where: >)
          : next.doubles.rows(count, with: best.doubles, where: <)
      }
    if let nulls = best.nulls { rows.formUnion(nulls) }
    if let nulls = next.nulls { rows.subtract(nulls) }
    return rows
  }
}

extension Vector {
  /// Returns the vector with NaN left to the reference evaluator.
  fileprivate func ordered(_ count: Int) -> Vector {
    guard case .doubles(let lane) = values else { return self }
    return leaving(lane.rows(count) { $0.isNaN })
  }
}

/// The mean of several values, as a double. Decimals are excluded: a mean may have too many digits.
struct MeanNode: VectorNode {
  let sum: any VectorNode
  let count: Int

  init?(sum: any VectorNode, count: Int) {
    if sum.kind.hasDecimals { return nil }
    (self.sum, self.count) = (sum, count)
  }

  var parts: [any VectorNode] { [sum] }
  var kind: VectorKind { .double }
  var cost: Double { sum.cost + 1 }
  var neverFallsBack: Bool { sum.neverFallsBack }

  func vector(_ rows: ChunkRows) -> Vector {
    let (sums, divisor) = (sum.vector(rows), Double(count))
    return Vector(
      .doubles(sums.doubles.map { $0 / divisor }), nulls: sums.nulls, fallback: sums.fallback)
  }
}
