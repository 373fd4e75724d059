import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// The groups of a request's rows, in the order of their first rows, with the aggregates that loops compute.
struct Groups: Sendable {
  let slots: GroupSlots
  /// The slot of each group.
  let order: [Int]
  let firstRows: [UInt32]
  /// The number of rows per slot.
  private let sizes: [Int]
  /// The results of loops for each slot, per aggregate name.
  private let loops: [String: [ColumnAggregate]]
  /// The aggregates that need all values of a group, per name.
  private let gathered: [String: GatheredAggregate]
  /// The aggregates of distinct values, per name.
  private let distinct: [String: DistinctValues]

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
    var distinct: [String: DistinctValues] = [:]
    for aggregate in aggregates {
      distinct[aggregate.name] = try DistinctValues(aggregate, request, by: trees, passing, slots)
    }
    self.distinct = distinct
    (order, firstRows) = Groups.found(slots, sizes)
  }
}

extension Groups {
  /// Returns the slots that have rows, and the first row of each, in the order of that row.
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

  /// Returns an aggregate's value for each group; `isWhole` if the request has no keys and thus one group.
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
    if let found = distinct[aggregate.name] { return found.values(wanted) }
    if let values = gathered[aggregate.name]?.values(slots) {
      return AggregateValues(wanted.map { values[$0] })
    }
    let values = try slowValues(of: aggregate, request)
    return AggregateValues(wanted.map { values[$0] })
  }
}

extension Groups {
  /// Returns the values of the reference evaluator: a list of values per slot, and the function of each list.
  func slowValues(
    of aggregate: CheckedAggregate, _ request: BoundRequest
  ) throws(Diagnostic) -> [Value] {
    let context = request.environment.evaluationOfObjects
    request.meter?.note(
      request.text(of: aggregate), rows: sizes.dropFirst().reduce(0, +),
      reason: request.reasonToEvaluate(aggregate))
    var request = request
    request.meter = nil
    var lists = [[Value]](repeating: [], count: slots.count)
    for chunk in 0..<slots.chunkCount {
      let first = chunk << ColumnChunk.shift
      let chunkSlots = slots.slots(chunk)
      let rows = chunkSlots.indices.filter { chunkSlots[$0] != 0 }
      let values = try request.values(
        of: aggregate.argument, rows.map { UInt32(truncatingIfNeeded: first + $0) })
      for (row, value) in zip(rows, values) where !value.isNull {
        let taken =
          context.otherKinds == nil
          || aggregate.takes(value) {
            context.otherKinds?.note(
              $0, at: aggregate.span, in: request.object(atRow: first + row).objectID)
          }
        if taken { lists[Int(chunkSlots[row])].append(value) }
      }
    }
    return try [.null]
      + lists.dropFirst().map { list throws(Diagnostic) in try aggregate.value(of: list, context) }
  }
}

extension CheckedAggregate {
  /// Returns whether its function accepts a value; otherwise calls `note` with the reason.
  fileprivate func takes(_ value: Value, otherwise note: (EvaluationError) -> Void) -> Bool {
    guard function.operands == .list(of: .number), (try? value.number()) == nil else { return true }
    note(.notANumber(value.kind))
    return false
  }

  /// Returns the function of a list without nulls. Of an empty list, counts and sum are 0, others null.
  fileprivate func value(
    of list: [Value], _ context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    if list.isEmpty {
      return [.count, .countDistinct, .sum].contains(function.builtIn) ? .integer(0) : .null
    }
    if function == .elements { return .list(list) }
    let arguments = [.list(list), parameter].compactMap(\.self).map { value in
      ExpressionTree(.constant(Constant(value)), span: span)
    }
    let call = FunctionCall(function, arguments, nameSpan: span)
    return try ExpressionTree(.function(call), span: span).evaluate(on: .null, in: context)
  }
}
