import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension Groups {
  /// An aggregate's value for each group; without keys for the one group that there is.
  func values(
    of aggregate: BoundAggregate, _ request: BoundRequest
  ) throws(Diagnostic) -> [Value] {
    if case .evaluatedObject = aggregate.argument.kind, aggregate.function == .count {
      return sizes.dropFirst().map { .integer(Int64($0)) }
    }
    if let fast = try columnValues(of: aggregate, request) { return fast }
    return try slowValues(of: aggregate, request)
  }

  /// The reference way: the values of each group as a list, and the function of the list.
  func slowValues(
    of aggregate: BoundAggregate, _ request: BoundRequest
  ) throws(Diagnostic) -> [Value] {
    var lists = [[Value]](repeating: [], count: slotCount)
    for (chunk, codes) in codes.enumerated() {
      let first = chunk << ColumnChunk.shift
      let rows = codes.indices.filter { codes[$0] != 0 }
      let values = try request.values(
        of: aggregate.argument, rows.map { UInt32(truncatingIfNeeded: first + $0) })
      for (row, value) in zip(rows, values) where !value.isNull {
        lists[Int(codes[row])].append(value)
      }
    }
    var result: [Value] = []
    for list in lists.dropFirst() {
      result.append(try aggregate.value(of: list, request.environment.evaluation))
    }
    return result
  }
}

extension BoundAggregate {
  /// The function of a list without nulls; of nothing count and sum are 0, the others null.
  fileprivate func value(
    of list: [Value], _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    if list.isEmpty { return function == .count || function == .sum ? .integer(0) : .null }
    let argument = ExpressionTree(.constant(Constant(.list(list))), span: span)
    let call = FunctionCall(function.rawValue, [argument], nameSpan: span)
    return try ExpressionTree(.function(call), span: span).evaluate(on: .null, in: context)
  }
}
