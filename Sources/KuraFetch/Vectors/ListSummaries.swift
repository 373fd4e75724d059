import KuraGraph

/// The least or greatest of several values, except nil.
extension ComputedNode {
  /// Returns nil if the values have no order, or are ordered by bytes.
  static func extreme(_ parts: [any VectorNode], isGreatest: Bool) -> ComputedNode? {
    let kinds = parts.map(\.kind)
    guard let kind = VectorKind.together(kinds), !kind.hasTexts, kind != .boolean else {
      return nil
    }
    let cost = 2 * Double(parts.count)
    return ComputedNode(kind, parts, cost: cost, isSure: !kind.isReal) { values, rows in
      let count = rows.count
      let values = zip(values, kinds).map { $0.like(kind, from: $1, count).ordered(count) }
      return values.dropFirst().reduce(values[0]) { best, other in
        let (best, next) = Vector.aligned((best, count), (other, count))
        let better = isGreatest ? best.isLess(than: next, count) : next.isLess(than: best, count)
        var chosen = next.chosen(
          better.union(best.nulls).subtracting(next.nulls), else: best)
        chosen.fallback = best.fallback.union(next.fallback)
        return chosen
      }
    }
  }
}

extension Vector {
  /// Returns the rows with a number that is less than that of another vector of the same type.
  fileprivate func isLess(than other: Vector, _ count: Int) -> Bitmap {
    switch (values, other.values) {
    case (.integers(let x), .integers(let y)), (.decimals(let x, _), .decimals(let y, _)):
      x.rows(count, with: y, where: <)
    case (.longDecimals(let x, _), .longDecimals(let y, _)): x.rows(count, with: y, where: <)
    default: doubles.rows(count, with: other.doubles, where: <)
    }
  }

  /// Returns the vector with NaN left to the reference evaluator.
  fileprivate func ordered(_ count: Int) -> Vector {
    guard case .doubles(let lane) = values else { return self }
    return leaving(lane.rows(count) { $0.isNaN })
  }
}

extension ComputedNode {
  /// The mean of several values, as a double. Returns nil for decimals, because a mean may have too many digits.
  static func mean(sum: any VectorNode, count: Int) -> ComputedNode? {
    if sum.kind.hasDecimals { return nil }
    let divisor = Double(count)
    return ComputedNode(.double, [sum], cost: 1) { sums, _ in
      Vector(.doubles(sums[0].doubles.map { $0 / divisor }), of: sums)
    }
  }
}
