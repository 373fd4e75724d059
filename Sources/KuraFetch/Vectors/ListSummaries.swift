import KuraGraph
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// `max({cost, priority})`, `sum({a, b})`, `average(a, b)`: of a few expressions, row by row.
  mutating func listSummary(_ call: FunctionCall, _ scope: FilterScope) -> (any VectorNode)? {
    guard let operation = ListOperation(call.selector), let elements = call.listedElements else {
      return nil
    }
    var parts: [any VectorNode] = []
    for element in elements {
      if element.literal?.isNull == true, operation != .average { continue }
      guard let part = vector(element, scope) else { return nil }
      parts.append(part)
    }
    switch operation {
    case .least, .greatest: return ExtremeNode(parts, isGreatest: operation == .greatest)
    case .sum: return sum(parts)
    case .average: return sum(parts).flatMap { MeanNode(sum: $0, count: elements.count) }
    }
  }

  /// What is nil counts as 0.
  private func sum(_ parts: [any VectorNode]) -> (any VectorNode)? {
    guard let zero = ConstantNode(.integer(0)) else { return nil }
    var sum: any VectorNode = zero
    for part in parts {
      guard part.kind.isNumber,
        let filled: any VectorNode = CoalesceNode([part, zero]),
        let next = ArithmeticNode(.add, sum, filled)
      else { return nil }
      sum = next
    }
    return parts.isEmpty ? nil : sum
  }
}

/// What is made of a list of expressions.
private enum ListOperation {
  case least, greatest, sum, average

  init?(_ selector: String) {
    switch selector {
    case PredicateFunction.min.selector: self = .least
    case PredicateFunction.max.selector: self = .greatest
    case PredicateFunction.sum.selector: self = .sum
    case PredicateFunction.average.selector: self = .average
    default: return nil
    }
  }
}

extension FunctionCall {
  /// The elements of a list that is written down, or of several arguments.
  fileprivate var listedElements: [ExpressionTree]? {
    if arguments.count > 1 { return arguments }
    if case .aggregate(let elements)? = arguments.first?.kind, !elements.isEmpty { return elements }
    return nil
  }
}

/// The least or greatest of some values that are not nil.
struct ExtremeNode: VectorNode {
  let parts: [any VectorNode]
  let kind: VectorKind
  private let isGreatest: Bool

  /// Nil where the values have no order, or their bytes have it.
  init?(_ parts: [any VectorNode], isGreatest: Bool) {
    guard let kind = VectorKind.together(parts.map(\.kind)), kind != .text, kind != .boolean else {
      return nil
    }
    (self.parts, self.kind, self.isGreatest) = (parts, kind, isGreatest)
  }

  var cost: Double { parts.reduce(0) { $0 + $1.cost + 2 } }
  var isSure: Bool { parts.allSatisfy(\.isSure) && !kind.isReal }

  func vector(_ rows: ChunkRows) -> Vector {
    var best = parts[0].vector(rows).like(kind, rows.count).ordered(rows.count)
    for part in parts.dropFirst() {
      let next = part.vector(rows).like(kind, rows.count).ordered(rows.count)
      let unsure = best.unsure.union(next.unsure)
      best = next.chosen(better(next, best, rows.count), else: best)
      best.unsure = unsure
    }
    return best
  }

  /// The rows in which the next value is better, or the first there is.
  private func better(_ next: Vector, _ best: Vector, _ count: Int) -> Bitmap {
    var rows =
      switch (next.values, best.values) {
      case (.integers(let x), .integers(let y)):
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
  /// The same with what has no order left to the reference evaluator.
  fileprivate func ordered(_ count: Int) -> Vector {
    guard case .doubles(let lane) = values else { return self }
    return leaving(lane.rows(count) { $0.isNaN })
  }
}

/// A sum by how many there were, which has its fraction.
struct MeanNode: VectorNode {
  let sum: any VectorNode
  let count: Int

  init(sum: any VectorNode, count: Int) { (self.sum, self.count) = (sum, count) }

  var parts: [any VectorNode] { [sum] }
  var kind: VectorKind { .double }
  var cost: Double { sum.cost + 1 }
  var isSure: Bool { sum.isSure }

  func vector(_ rows: ChunkRows) -> Vector {
    let (sums, divisor) = (sum.vector(rows), Double(count))
    return Vector(
      .doubles(sums.doubles.map { $0 / divisor }), nulls: sums.nulls, unsure: sums.unsure)
  }
}
