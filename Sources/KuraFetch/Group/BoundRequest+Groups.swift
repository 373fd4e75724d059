import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// The rows of a fetch with groups or `distinct`: each stands for one object or more.
  func groupedAnswer(
    _ selection: CheckedSelection
  ) throws(Diagnostic) -> (rows: FetchAnswer.Rows, keys: [Value]?, total: Int) {
    let isDistinct = selection.grouping == nil
    let source = try timed(isDistinct ? .distinct : .group) { () throws(Diagnostic) in
      try groupedRows(selection)
    }
    var (rows, columns) = try timed(isDistinct ? .select : .group) { () throws(Diagnostic) in
      try groups(selection, source)
    }
    if selection.isDistinct {
      rows = try timed(.distinct) { () throws(Diagnostic) in try distinct(rows, columns) }
    }
    let total = rows.count
    rows = page(try timed(.sort) { () throws(Diagnostic) in try ordered(rows, source) })
    let shown = zip(selection.columns, columns).map { column, values in
      ResultColumn(column, rows.map { values[$0] })
    }
    let result = RowResult(columns: shown, count: rows.count, isOneRow: selection.isOneRow)
    let keys = try section.map { section throws(Diagnostic) in
      try source.values(of: section.tree)
    }
    return (.values(result), keys.map { keys in rows.map { keys[$0] } }, total)
  }

  private func groupedRows(
    _ selection: CheckedSelection
  ) throws(Diagnostic) -> any GroupedRows {
    selection.grouping == nil
      ? try DistinctRows(self, selection) : try GroupRows(self, selection)
  }

  /// The rows that `having` lets through, and the columns of all.
  private func groups(
    _ selection: CheckedSelection, _ source: any GroupedRows
  ) throws(Diagnostic) -> (rows: [Int], columns: [[Value]]) {
    var rows = Array(0..<source.count)
    if let having = selection.grouping?.having { rows = try source.passing(having, rows) }
    var columns: [[Value]] = []
    for column in selection.columns { columns.append(try source.values(of: column.tree)) }
    return (rows, columns)
  }

  /// Of rows whose columns are equal the first.
  private func distinct(
    _ rows: [Int], _ columns: [[Value]]
  ) throws(Diagnostic) -> [Int] {
    var seen: Set<[Value]> = []
    var first: [Int] = []
    for (place, row) in rows.enumerated() {
      if place & 1023 == 0 { try environment.checkStopped() }
      if seen.insert(columns.map { $0[row] }).inserted { first.append(row) }
    }
    return first
  }

  private func page(_ rows: [Int]) -> [Int] {
    let rest = rows.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// By `sort`; without one groups in the order of their keys, distinct rows as they came.
  private func ordered(
    _ rows: [Int], _ source: any GroupedRows
  ) throws(Diagnostic) -> [Int] {
    let trees = sort.isEmpty ? section.map { [SortTree($0.tree)] } ?? [] : sort
    var keys: [SortKey] = []
    for tree in trees {
      let values = try source.values(of: tree.expression)
      keys.append(SortKey(tree, rows.map { values[$0] }))
    }
    for values in source.naturalOrder {
      keys.append(SortKey(SortTree(ExpressionTree(.evaluatedObject)), rows.map { values[$0] }))
    }
    guard !keys.isEmpty else { return rows }
    let order = SortOrder(
      keys: keys, rows: [UInt32](repeating: 0, count: rows.count), locale: environment.locale,
      numbers: nil)
    return try order.sortedPlaces(first: nil, environment).map { rows[$0] }
  }
}

extension SortKey {
  /// A key whose values are known.
  init(_ tree: SortTree, _ values: [Value]) {
    self.tree = tree
    column = .values(values)
    nulls = values.contains { $0.isNull } ? values.map { $0.isNull } : nil
  }
}

/// Rows of which each stands for objects, and what trees are worth for them.
protocol GroupedRows {
  var count: Int { get }
  /// The values that order the rows where no sort does, the first the most.
  var naturalOrder: [[Value]] { get }
  /// A tree's value for each row.
  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value]
  /// The rows that a predicate lets through.
  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int]
}
