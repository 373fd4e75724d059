import KuraGraph
import KuraModel
import KuraPredicates

/// Expressions computed for a small part of a table: the columns that they read are gathered for these rows, into a
/// table without the other rows.
extension BoundRequest {
  /// Returns the values of some rows; nil if the rows are not few, if the expression reads more than attributes of the
  /// objects and of their to-one relationships, or if a row is left to the reference evaluator.
  func fewCells(_ tree: ExpressionTree, _ rows: [UInt32]) -> Column? {
    let table = table
    guard rows.count <= table.count / Self.fewest, let numbers = askedColumns(tree, table),
      isWorthGathering(tree, numbers.map { table.columns[$0] }, rows.count, of: table.count),
      let columns = gathered(numbers, of: table, rows)
    else { return nil }
    var graph = snapshot.graph
    let small = Table(
      layout: table.layout, columns: columns,
      identifiers: .dense(first: 1, count: rows.count))
    graph.tables[place.table] = small
    var folding = ConstantFolding(environment)
    var compiler = FilterCompiler(graph: graph, environment: environment)
    let node = compiler.vector(folding.folded(tree), scope)
    guard let node, !(node is ConstantNode), let type = node.kind.attributeType(false) else {
      return nil
    }
    let all = (0..<small.chunkCount).map {
      Bitmap(count: small.rows(inChunk: $0).count, filledWith: true)
    }
    return node.column(of: type, small, all)
  }

  /// The wanted rows are few if the table has at least this many rows per wanted row.
  private static let fewest = 6

  /// Whether computing some rows is faster than all, by the cost of a row in nanoseconds; gathering a text costs much.
  private func isWorthGathering(
    _ tree: ExpressionTree, _ columns: [Column], _ wanted: Int, of all: Int
  ) -> Bool {
    guard let node = vectorNode(tree) else { return false }
    let gathering = columns.reduce(0.0) { sum, column in
      let hasTexts = [.attribute(.string), .attribute(.decimal)].contains(column.kind)
      return sum + (hasTexts && column.dictionary == nil ? 100 : 6)
    }
    return Double(wanted) * (node.cost + gathering) < Double(all) * node.cost + node.costForAll
  }

  /// Returns the columns that an expression reads; nil if it reads anything else.
  private func askedColumns(_ tree: ExpressionTree, _ table: Table) -> Set<Int>? {
    TreeNode.expression(tree).ownPaths?.mapAll { column(askedBy: $0, table) }.map { Set($0) }
  }

  /// Returns the columns of the table, with only the given ones filled, with the cells of the rows.
  private func gathered(
    _ numbers: Set<Int>, of table: Table, _ rows: [UInt32]
  ) -> [Column]? {
    var columns = table.columns.map { Column($0.kind) }
    for number in numbers {
      guard let gathered = table.columns[number].gathered(rows) else { return nil }
      columns[number] = gathered
    }
    return columns
  }

  /// Returns the column that a path reads: an attribute, or a to-one relationship with one attribute after it.
  private func column(askedBy path: KeyPathTree, _ table: Table) -> Int? {
    let graph = snapshot.graph
    guard path.base == nil, path.components.allSatisfy({ $0.kind == .key }),
      let first = path.components.first
    else { return nil }
    switch graph.slot(first, of: place) {
    case .attribute(let column, _)? where path.components.count == 1: return column
    case .toOne(let column, let destination)?:
      // The small table lacks the other objects of the same table.
      guard path.components.count == 2, destination != place.table, !graph.mayDangle,
        path.components[1].property?.isAttribute == true
      else { return nil }
      return column
    case .attribute?, .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }
}
