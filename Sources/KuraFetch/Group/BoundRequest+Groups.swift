import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// Returns the rows of a fetch with groups or `distinct`; each represents one object or more.
  func groupedAnswer(
    _ selection: CheckedSelection
  ) throws(Diagnostic) -> (rows: FetchAnswer.Rows, keys: [Value]?, total: Int?) {
    let isDistinct = selection.grouping == nil
    let source = try timed(isDistinct ? .distinct : .group) {
      () throws(Diagnostic) -> any GroupedRows in
      isDistinct ? try DistinctRows(self, selection) : try GroupRows(self, selection)
    }
    var rows = Array(0..<source.count)
    if let having = selection.grouping?.having { rows = try source.passing(having, rows) }
    // Groups may show equal columns; distinct rows do not.
    if selection.isDistinct, !isDistinct {
      rows = try timed(.distinct) { () throws(Diagnostic) in try distinct(rows, selection, source) }
    }
    let total = source.isComplete ? rows.count : nil
    rows = try timed(.sort) { () throws(Diagnostic) in try ordered(rows, source) }
    rows = limitKeys.isEmpty ? page(rows) : try firstOfEachKey(rows, source)
    let places = rows
    let columns = try timed(isDistinct ? .select : .group) { () throws(Diagnostic) in
      try selection.columns.map { column throws(Diagnostic) in
        ResultColumn(column, try source.values(of: column.tree, at: places))
      }
    }
    let result = RowResult(columns: columns, count: rows.count, isOneRow: selection.isOneRow)
    let keys = try section.map { section throws(Diagnostic) in
      try source.values(of: section.tree, at: rows)
    }
    return (.values(result), keys, total)
  }

  /// Returns the first of each set of rows with equal columns.
  private func distinct(
    _ rows: [Int], _ selection: CheckedSelection, _ source: any GroupedRows
  ) throws(Diagnostic) -> [Int] {
    let columns = try selection.columns.map { column throws(Diagnostic) in
      try source.values(of: column.tree, at: rows)
    }
    var seen: Set<[Value]> = []
    var first: [Int] = []
    for (place, row) in rows.enumerated() {
      if place & 1023 == 0 { try environment.checkStopped() }
      if seen.insert(columns.map { $0[place] }).inserted { first.append(row) }
    }
    return first
  }

  private func page(_ rows: [Int]) -> [Int] {
    let rest = rows.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// Orders rows by `sort`. Without `sort`, groups follow their keys, and distinct rows keep their order.
  private func ordered(
    _ rows: [Int], _ source: any GroupedRows
  ) throws(Diagnostic) -> [Int] {
    var trees = sort.isEmpty ? section.map { [SortTree($0.tree)] } ?? [] : sort
    trees += source.naturalOrder.map { SortTree($0) }
    guard let first = trees.first else { return rows }
    let rows = needed.flatMap { source.leading(rows, by: first, first: $0) } ?? rows
    if let sorted = try source.sorted(rows, by: trees, first: needed) { return sorted }
    let keys = try trees.map { tree throws(Diagnostic) in
      let values = try source.values(of: tree.expression, at: rows)
      return try SortKey(tree, values, environment, whole: !findsFew(of: rows.count))
    }
    let order = SortOrder(
      keys: keys, rows: [UInt32](repeating: 0, count: rows.count), locale: environment.locale,
      numbers: nil)
    return try order.sortedPlaces(first: needed, environment).map { rows[$0] }
  }
}

/// Rows that each represent objects, and the values of expressions for them.
protocol GroupedRows {
  var count: Int { get }
  /// Whether these are all rows.
  var isComplete: Bool { get }
  /// The keys that order the rows if no sort does, the most significant first.
  var naturalOrder: [ExpressionTree] { get }
  /// Sorts ascending rows by keys, and returns them or the first of them; nil if comparing values
  /// is as fast.
  func sorted(
    _ rows: [Int], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]?
  /// Returns the rows that can be among the first according to a key and the keys after it; nil if
  /// sorting finds them as fast.
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]?
  /// Returns the value of an expression for each row.
  func values(of tree: ExpressionTree, at rows: [Int]) throws(Diagnostic) -> [Value]
  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int]
}

// `(fetch Item).@sum.estimate`
extension BoundRequest {
  /// Returns the value of a collection operator for the objects of the request, from their columns.
  ///
  ///     request.value(ofAggregate: path)   // path is @avg.estimate
  ///
  /// Returns nil if the objects themselves are needed: for other operators, for pages, for keys with values that are
  /// not numbers, dates or strings, and if the aggregate fails.
  func value(ofAggregate path: KeyPathTree) throws(Diagnostic) -> Value? {
    guard selection == nil, section == nil, limit == nil, offset == 0,
      let name = path.components.first?.name
    else { return nil }
    let keys = Array(path.components.dropFirst())
    if keys.isEmpty { return name == "count" ? .integer(Int64(try count())) : nil }
    let argument = ExpressionTree(.keyPath(KeyPathTree(keys)))
      .checked(in: shared.checking, of: entity).tree
    guard let function = Self.function(name), case .attribute(let type) = argument.type,
      // The function gives the same result for a column as for a list of its values.
      type.isNumeric || function != .sum && (type == .date || type == .string)
    else { return nil }
    let values: [Value]
    do {
      values = try aggregates([
        (function, argument.tree), (.count, ExpressionTree(.evaluatedObject)),
      ])
    } catch {
      // The evaluator finds the object that fails, and sums that overflow in another order.
      if error.isStop { throw error }
      return nil
    }
    guard let value = values.first, case .integer(let count)? = values.last else { return nil }
    switch name {
    case "sum": return value.isNull ? 0 : value
    case "avg":
      // A nil counts as 0, unlike a nil in a column of groups.
      return try? Statistics.average(sum: value.isNull ? 0 : value, count: Int(count))
    default: return value
    }
  }

  private static func function(_ name: String) -> BuiltInFunction? {
    switch name {
    case "sum", "avg": .sum
    case "min": .min
    case "max": .max
    default: nil
    }
  }

  /// Returns the values of aggregates over all objects.
  private func aggregates(
    _ wanted: [(function: BuiltInFunction, argument: ExpressionTree)]
  ) throws(Diagnostic) -> [Value] {
    let selection = CheckedSelection(aggregates: wanted.map { ($0.entry, $1) })
    var request = asking(predicate)
    request.selection = selection
    guard case .values(let result) = try request.groupedAnswer(selection).rows else { return [] }
    return result.columns.map { $0.value(0) }
  }
}
