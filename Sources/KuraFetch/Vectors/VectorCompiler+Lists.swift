import KuraGraph
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// `max({cost, priority})`, `sum({a, b})`, `average(a, b)`: of a few expressions, row by row.
  mutating func listSummary(_ call: FunctionCall, _ scope: FilterScope) -> (any VectorNode)? {
    guard let operation = ListOperation(call.selector), let elements = call.listedElements else {
      return nil
    }
    let known = elements.filter { $0.literal?.isNull != true }
    switch operation {
    case .least, .greatest:
      return extreme(known, isGreatest: operation == .greatest, scope)
    case .sum: return sum(known, scope)
    case .average: return sum(known, scope).flatMap { MeanNode(sum: $0, count: elements.count) }
    }
  }

  private mutating func extreme(
    _ elements: [ExpressionTree], isGreatest: Bool, _ scope: FilterScope
  ) -> (any VectorNode)? {
    var parts: [any VectorNode] = []
    for element in elements {
      guard let part = vector(element, scope) else { return nil }
      parts.append(part)
    }
    return ExtremeNode(parts, isGreatest: isGreatest)
  }

  /// `0 + coalesce(cost, 0) + coalesce(priority, 0)`: what is nil counts as 0.
  private mutating func sum(
    _ elements: [ExpressionTree], _ scope: FilterScope
  ) -> (any VectorNode)? {
    if elements.isEmpty { return nil }
    let zero = ExpressionTree(.constant(Constant(.integer(0))))
    let sum = elements.reduce(zero) { sum, element in
      let filled = ExpressionTree(.function(FunctionCall("coalesce", [element, zero])))
      return ExpressionTree(.function(FunctionCall("add:to:", [sum, filled])))
    }
    return vector(sum, scope)
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
