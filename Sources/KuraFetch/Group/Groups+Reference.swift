import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

extension Groups {
  /// The reference way: the values of each slot as a list, and the function of the list.
  func slowValues(
    of aggregate: CheckedAggregate, _ request: BoundRequest
  ) throws(Diagnostic) -> [Value] {
    var lists = [[Value]](repeating: [], count: slots.count)
    for chunk in 0..<slots.chunkCount {
      let first = chunk << ColumnChunk.shift
      let chunkSlots = slots.slots(chunk)
      let rows = chunkSlots.indices.filter { chunkSlots[$0] != 0 }
      let values = try request.values(
        of: aggregate.argument, rows.map { UInt32(truncatingIfNeeded: first + $0) })
      for (row, value) in zip(rows, values) where !value.isNull {
        lists[Int(chunkSlots[row])].append(value)
      }
    }
    var result: [Value] = [.null]
    for list in lists.dropFirst() {
      result.append(try aggregate.value(of: list, request.environment.evaluation))
    }
    return result
  }
}

extension CheckedAggregate {
  /// The function of a list without nulls; of nothing count and sum are 0, the others null.
  fileprivate func value(
    of list: [Value], _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    if list.isEmpty { return function == .count || function == .sum ? .integer(0) : .null }
    let argument = ExpressionTree(.constant(Constant(.list(list))), span: span)
    let call = FunctionCall(function, [argument], nameSpan: span)
    return try ExpressionTree(.function(call), span: span).evaluate(on: .null, in: context)
  }
}
