import KuraChecking
import KuraDiagnostics
import KuraPredicates
import KuraValues

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

  func passing(_ predicate: PredicateTree, _ rows: [Int]) -> [Int] { rows }
}
