import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// What is the same for all rows with the same number, or the same date
extension FilterCompiler {
  /// A filter of a comparison that asks nothing but one key of few distinct numbers.
  mutating func numbersLeaf(
    _ predicate: PredicateTree, _ key: String, _ column: Int, _ scope: FilterScope
  ) -> Filter? {
    guard let narrow = narrowColumn(column, scope),
      let nullPasses = try? predicate.evaluate(on: .null, in: environment.evaluation)
    else { return nil }
    let (graph, there) = ofNumbers(narrow, column, scope)
    var compiler = FilterCompiler(graph: graph, environment: environment)
    let filter = compiler.filter(predicate, there)
    guard filter.isOfKernels else { return nil }
    let kernel = NumbersKernel(
      key: key, narrow, filter, graph.tables[there.place.table], nullPasses: nullPasses)
    return node(predicate, .kernel(kernel))
  }

  /// An expression that asks nothing but such a key, where working it out for each row takes longer
  /// than looking it up.
  mutating func numbersLookup(
    _ tree: ExpressionTree, _ column: Int, _ scope: FilterScope, _ missing: Value?
  ) -> (any VectorNode)? {
    guard let narrow = narrowColumn(column, scope) ?? narrowDates(tree, column, scope) else {
      return nil
    }
    let (graph, there) = ofNumbers(narrow, column, scope)
    var compiler = FilterCompiler(graph: graph, environment: environment)
    guard let inner = compiler.vector(tree, there), inner.cost > 3 || inner.kind == .text else {
      return nil
    }
    return LookupNode(
      inner, of: graph.tables[there.place.table], .numbers(narrow), missing: missing)
  }

  /// The codes of a column, where they are fewer than its rows; however often it is asked, that is
  /// one use of them.
  mutating func narrowColumn(_ column: Int, _ scope: FilterScope) -> NarrowColumn? {
    let place = ColumnPlace(table: scope.place.table, column: column)
    if let known = narrowColumns[place] { return known }
    let table = graph.tables[place.table]
    let narrow = NarrowColumn(table.columns[column]).flatMap {
      $0.areFew(of: table.count) ? $0 : nil
    }
    narrowColumns[place] = .some(narrow)
    return narrow
  }

  /// The codes of dates at their first use where a function asks them: to make them takes less than to ask
  /// calendar and clock for each row.
  private mutating func narrowDates(
    _ tree: ExpressionTree, _ column: Int, _ scope: FilterScope
  ) -> NarrowColumn? {
    let place = ColumnPlace(table: scope.place.table, column: column)
    guard case .function = tree.kind,
      case .attribute(.date) = graph.tables[place.table].columns[column].kind
    else { return nil }
    narrowColumns[place] = nil
    return narrowColumn(column, scope)
  }

  /// A graph in whose table each number of a column is a row.
  private func ofNumbers(
    _ narrow: NarrowColumn, _ column: Int, _ scope: FilterScope
  ) -> (graph: Graph, scope: FilterScope) {
    let table = graph.tables[scope.place.table]
    var graph = graph
    graph.tables[scope.place.table] = Table(
      layout: table.layout,
      columns: table.columns.enumerated().map { number, other in
        number == column ? narrow.values : Column(other.kind)
      }, identifiers: .dense(first: 1, count: narrow.count))
    return (graph, scope)
  }
}

/// A column of one of a graph's tables.
struct ColumnPlace: Hashable {
  let table: Int
  let column: Int
}
