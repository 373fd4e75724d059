import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// The rows of a fetch with groups or `distinct`: each stands for one object or more.
  func groupedAnswer(
    _ selection: CheckedSelection
  ) throws(Diagnostic) -> (rows: FetchAnswer.Rows, keys: [Value]?, total: Int?) {
    let isDistinct = selection.grouping == nil
    let source = try timed(isDistinct ? .distinct : .group) { () throws(Diagnostic) in
      try groupedRows(selection)
    }
    var rows = Array(0..<source.count)
    if let having = selection.grouping?.having { rows = try source.passing(having, rows) }
    // Groups may show the same; of distinct rows no two do.
    if selection.isDistinct, !isDistinct {
      rows = try timed(.distinct) { () throws(Diagnostic) in try distinct(rows, selection, source) }
    }
    let total = source.isComplete ? rows.count : nil
    rows = page(try timed(.sort) { () throws(Diagnostic) in try ordered(rows, source) })
    let places = rows
    let columns = try timed(isDistinct ? .select : .group) { () throws(Diagnostic) in
      try shown(places, selection, source)
    }
    let result = RowResult(columns: columns, count: rows.count, isOneRow: selection.isOneRow)
    let keys = try section.map { section throws(Diagnostic) in
      try source.values(of: section.tree, at: rows)
    }
    return (.values(result), keys, total)
  }

  private func shown(
    _ rows: [Int], _ selection: CheckedSelection, _ source: any GroupedRows
  ) throws(Diagnostic) -> [ResultColumn] {
    var columns: [ResultColumn] = []
    for column in selection.columns {
      columns.append(ResultColumn(column, try source.values(of: column.tree, at: rows)))
    }
    return columns
  }

  private func groupedRows(
    _ selection: CheckedSelection
  ) throws(Diagnostic) -> any GroupedRows {
    selection.grouping == nil
      ? try DistinctRows(self, selection) : try GroupRows(self, selection)
  }

  /// Of rows whose columns are equal the first.
  private func distinct(
    _ rows: [Int], _ selection: CheckedSelection, _ source: any GroupedRows
  ) throws(Diagnostic) -> [Int] {
    var columns: [[Value]] = []
    for column in selection.columns { columns.append(try source.values(of: column.tree)) }
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
    var trees = sort.isEmpty ? section.map { [SortTree($0.tree)] } ?? [] : sort
    trees += source.naturalOrder.map { SortTree($0) }
    guard let first = trees.first else { return rows }
    let rows = needed.flatMap { source.leading(rows, by: first, first: $0) } ?? rows
    if let sorted = try source.sorted(rows, by: trees, first: needed) { return sorted }
    var keys: [SortKey] = []
    for tree in trees {
      let values = try source.values(of: tree.expression, at: rows)
      keys.append(try SortKey(tree, values, environment, whole: !findsFew(of: rows.count)))
    }
    let order = SortOrder(
      keys: keys, rows: [UInt32](repeating: 0, count: rows.count), locale: environment.locale,
      numbers: nil)
    return try order.sortedPlaces(first: needed, environment).map { rows[$0] }
  }
}

/// Rows of which each stands for objects, and what trees are worth for them.
protocol GroupedRows {
  var count: Int { get }
  /// Whether there are no others.
  var isComplete: Bool { get }
  /// What orders the rows where no sort does, the first the most.
  var naturalOrder: [ExpressionTree] { get }
  /// Some rows, which ascend, in the order of some keys, or the first of them; nil where that is no
  /// quicker than by their values.
  func sorted(
    _ rows: [Int], by trees: [SortTree], first wanted: Int?
  ) throws(Diagnostic) -> [Int]?
  /// Those of some rows that can be among the first by a key and whatever follows it; nil where that is not
  /// known sooner than by sorting.
  func leading(_ rows: [Int], by key: SortTree, first wanted: Int) -> [Int]?
  /// A tree's value for each row.
  func values(of tree: ExpressionTree) throws(Diagnostic) -> [Value]
  /// A tree's value for some rows.
  func values(of tree: ExpressionTree, at rows: [Int]) throws(Diagnostic) -> [Value]
  /// The rows that a predicate lets through.
  func passing(_ predicate: PredicateTree, _ rows: [Int]) throws(Diagnostic) -> [Int]
}
