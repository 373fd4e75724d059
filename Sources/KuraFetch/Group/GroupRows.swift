import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// The groups of a fetch, with their keys and aggregates as variables.
///
/// A key has its value for a group from the group's first row, when it is asked for: of many groups
/// few are shown.
struct GroupRows: GroupedRows {
  let count: Int
  var isComplete: Bool { true }
  let request: BoundRequest
  /// The first row of each group, ascending.
  let firstRows: [UInt32]
  let keys: [CheckedColumn]
  /// What the aggregates are worth for each group, by their variables.
  let aggregates: [String: AggregateValues]
  private let context: EvaluationContext

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    let keys = selection.grouping?.keys ?? []
    let aggregates = selection.grouping?.aggregates ?? []
    let groups = try Groups(request, by: keys.map(\.tree), aggregates)
    var known: [String: AggregateValues] = [:]
    for aggregate in aggregates {
      known[aggregate.name] = try groups.values(
        of: aggregate, request, isWhole: keys.isEmpty)
    }
    // Aggregates without keys are over all objects, were there none.
    count = keys.isEmpty ? 1 : groups.firstRows.count
    (self.request, self.keys, self.aggregates) = (request, keys, known)
    firstRows = groups.firstRows
    context = request.environment.evaluation
  }
}

extension GroupRows {
  var naturalOrder: [ExpressionTree] { keys.map { ExpressionTree(.variable($0.name)) } }

  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    try values(of: tree, at: nil)
  }

  /// All groups are asked: one that fails fails, be it shown or not. A key has not failed before.
  func values(of tree: ExpressionTree, at groups: [Int]) throws(Diagnostic) -> [Value] {
    if case .variable = tree.kind { return try values(of: tree, at: .some(groups)) }
    let values = try values(of: tree)
    return groups.map { values[$0] }
  }

  private func values(
    of tree: ExpressionTree, at groups: [Int]?
  ) throws(Diagnostic) -> [Value] {
    if case .variable(let name) = tree.kind, let values = try values(ofVariable: name, at: groups) {
      return values
    }
    let groups = groups ?? Array(0..<count)
    let known = try variables(tree.variables, at: groups)
    var result: [Value] = []
    result.reserveCapacity(groups.count)
    for place in groups.indices {
      result.append(try tree.evaluate(on: .null, in: context(known, place)))
    }
    return result
  }

  private func values(
    ofVariable name: String, at groups: [Int]?
  ) throws(Diagnostic) -> [Value]? {
    if let values = aggregates[name] { return groups.map { $0.map { values[$0] } } ?? values.all }
    guard let key = keys.first(where: { $0.name == name }) else { return nil }
    return try request.values(of: key.tree, groups.map { $0.map { firstRows[$0] } } ?? firstRows)
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int] {
    if let found = quicklyPassing(predicate, rows) { return found }
    let known = try variables(predicate.variables, at: rows)
    var result: [Int] = []
    for (place, group) in rows.enumerated()
    where try predicate.evaluate(on: .null, in: context(known, place)) {
      result.append(group)
    }
    return result
  }

  /// The values of those variables that are keys and aggregates, for some groups.
  private func variables(
    _ names: [String], at groups: [Int]
  ) throws(Diagnostic) -> [(name: String, values: [Value])] {
    var known: [(name: String, values: [Value])] = []
    for name in names {
      if let values = try values(ofVariable: name, at: groups) { known.append((name, values)) }
    }
    return known
  }

  private func context(
    _ variables: [(name: String, values: [Value])], _ place: Int
  ) -> EvaluationContext {
    var context = context
    for (name, values) in variables { context.variables[name] = values[place] }
    return context
  }
}

/// Of the objects whose columns are equal the first, in the order of their first.
struct DistinctRows: GroupedRows {
  private let request: BoundRequest
  private let rows: [UInt32]
  /// Whether these are all of them: the first few are found without a look at all objects.
  let isComplete: Bool

  init(_ request: BoundRequest, _ selection: CheckedSelection) throws(Diagnostic) {
    self.request = request
    let passing = try request.passingRows()
    let trees = selection.columns.map(\.tree)
    var chunks = request.firstDistinct == nil ? passing.count : 1
    while true {
      let some = passing.indices.map { number in
        number < chunks ? passing[number] : Bitmap(count: passing[number].count)
      }
      let rows = try Groups(request, by: trees, of: some).firstRows
      if chunks >= passing.count || rows.count >= request.firstDistinct ?? .max {
        (self.rows, isComplete) = (rows, chunks >= passing.count)
        return
      }
      chunks *= 8
    }
  }

  var count: Int { rows.count }
  var naturalOrder: [ExpressionTree] { [] }

  func sorted(
    _ places: [Int], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]? {
    try request.sorted(places, of: rows, by: trees, first: wanted)
  }

  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, rows)
  }

  func values(of tree: ExpressionTree, at places: [Int]) throws(Diagnostic) -> [Value] {
    try request.values(of: tree, places.map { rows[$0] })
  }

  func passing(_ predicate: PredicateTree, _ rows: [Int]) -> [Int] { rows }
}

extension BoundRequest {
  /// How many distinct rows are wanted, where they come in the order of the objects; nil: all.
  fileprivate var firstDistinct: Int? { sort.isEmpty && section == nil ? needed : nil }
}
