import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// The groups of a request's rows, in the order of their first rows, with the aggregates that
/// loops over columns compute.
struct Groups: Sendable {
  let slots: GroupSlots
  /// The slot of each group.
  let order: [Int]
  /// The first row of each group.
  let firstRows: [UInt32]
  /// How many rows each slot has.
  private let sizes: [Int]
  /// What loops have computed for each slot, by the names of the aggregates.
  private let loops: [String: [ColumnAggregate]]
  /// Those that look at all values of a group, by their names.
  private let gathered: [String: GatheredAggregate]

  init(
    _ request: BoundRequest, by trees: [ExpressionTree], _ aggregates: [CheckedAggregate] = []
  ) throws(Diagnostic) {
    try self.init(request, by: trees, aggregates, of: request.passingRows())
  }

  init(
    _ request: BoundRequest, by trees: [ExpressionTree], _ aggregates: [CheckedAggregate] = [],
    of passing: [Bitmap]
  ) throws(Diagnostic) {
    let slots = try GroupSlots(request, passing, by: trees)
    self.slots = slots
    let loops = aggregates.compactMap { aggregate in
      ColumnAggregate.loops(aggregate, request, passing).map { (aggregate.name, $0) }
    }
    let state = GroupState(slots: slots.count, loops.flatMap(\.1)).filled(by: slots)
    sizes = state.sizes
    var filled = state.aggregates[...]
    var known: [String: [ColumnAggregate]] = [:]
    for (name, parts) in loops {
      known[name] = known[name] ?? Array(filled.prefix(parts.count))
      filled = filled.dropFirst(parts.count)
    }
    self.loops = known
    gathered = Dictionary(
      aggregates.compactMap { aggregate in
        GatheredAggregate(aggregate, request, passing).map { (aggregate.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    (order, firstRows) = Groups.found(slots, sizes)
  }
}

extension Groups {
  /// The slots that have rows and the first row of each, by that row.
  private static func found(_ slots: GroupSlots, _ sizes: [Int]) -> ([Int], [UInt32]) {
    var missing = sizes.dropFirst().count { $0 > 0 }
    var isFound = [Bool](repeating: false, count: sizes.count)
    var order: [Int] = []
    var firstRows: [UInt32] = []
    isFound[0] = true
    for chunk in 0..<slots.chunkCount where missing > 0 {
      for (row, slot) in slots.slots(chunk).enumerated() where !isFound[Int(slot)] {
        isFound[Int(slot)] = true
        order.append(Int(slot))
        firstRows.append(UInt32(truncatingIfNeeded: chunk << ColumnChunk.shift + row))
        missing -= 1
        if missing == 0 { break }
      }
    }
    return (order, firstRows)
  }

  /// An aggregate's value for each group; `isWhole`: without keys, for the one group there is.
  func values(
    of aggregate: CheckedAggregate, _ request: BoundRequest, isWhole: Bool
  ) throws(Diagnostic) -> AggregateValues {
    let wanted = isWhole ? [1] : order
    if aggregate.isCountOfObjects {
      return AggregateValues(integers: wanted.map { Int64(sizes[$0]) })
    }
    if let loop = loops[aggregate.name],
      let values = AggregateValues(loop, wanted, sizes: sizes)
    {
      return values
    }
    if let values = gathered[aggregate.name]?.values(slots) {
      return AggregateValues(wanted.map { values[$0] })
    }
    let values = try slowValues(of: aggregate, request)
    return AggregateValues(wanted.map { values[$0] })
  }
}

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
