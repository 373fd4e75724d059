import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraValues

/// The groups of a fetch, with their keys and aggregates as variables.
struct GroupRows: GroupedRows {
  let count: Int
  /// What the keys are worth, by key and group.
  let naturalOrder: [[Value]]
  private let variables: [String: [Value]]
  private let context: EvaluationContext

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    let keys = selection.grouping?.keys ?? []
    let aggregates = selection.grouping?.aggregates ?? []
    let groups = try Groups(request, by: keys.map(\.tree), aggregates)
    var variables: [String: [Value]] = [:]
    var order: [[Value]] = []
    for key in keys {
      let values = try request.values(of: key.tree, groups.firstRows)
      variables[key.name] = values
      order.append(values)
    }
    for aggregate in aggregates {
      variables[aggregate.name] = try groups.values(
        of: aggregate, request, isWhole: keys.isEmpty)
    }
    // Aggregates without keys are over all objects, were there none.
    count = keys.isEmpty ? 1 : groups.firstRows.count
    naturalOrder = order
    self.variables = variables
    context = request.environment.evaluation
  }
}

extension GroupRows {
  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    if case .variable(let name) = tree.kind, let values = variables[name] { return values }
    var result: [Value] = []
    result.reserveCapacity(count)
    for group in 0..<count {
      result.append(try tree.evaluate(on: .null, in: context(of: group)))
    }
    return result
  }

  /// All groups are asked: one that fails fails, be it shown or not.
  func values(of tree: ExpressionTree, at rows: [Int]) throws(Diagnostic) -> [Value] {
    let values = try values(of: tree)
    return rows.map { values[$0] }
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int] {
    var result: [Int] = []
    for group in rows where try predicate.evaluate(on: .null, in: context(of: group)) {
      result.append(group)
    }
    return result
  }

  private func context(of group: Int) -> EvaluationContext {
    var context = context
    for (name, values) in variables { context.variables[name] = values[group] }
    return context
  }
}

/// Of the objects whose columns are equal the first, in the order of their first.
struct DistinctRows: GroupedRows {
  private let request: BoundRequest
  private let rows: [UInt32]

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    self.request = request
    let groups = try Groups(request, by: selection.columns.map(\.tree))
    rows = groups.firstRows
  }

  var count: Int { rows.count }
  var naturalOrder: [[Value]] { [] }

  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, rows)
  }

  func values(of tree: ExpressionTree, at places: [Int]) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, places.map { rows[$0] })
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) -> [Int] { rows }
}
