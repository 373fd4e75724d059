import KuraGraph

/// For each row of a table the rows to which a relationship leads.
enum LinkedRows: Sendable {
  case one(Column)
  case many(Column)
  case inverse(InverseIndex)
  /// The destination is not defined yet.
  case none

  init(_ slot: KeySlot, _ table: Int, _ graph: Graph) {
    switch slot {
    case .attribute, .unresolved: self = .none
    case .toOne(let column, _): self = .one(graph.tables[table].columns[column])
    case .toMany(let column, _, _): self = .many(graph.tables[table].columns[column])
    case .inverse(let source, let column, _):
      self = .inverse(graph.inverse(source: source, column: column))
    }
  }

  subscript(row: Int) -> [Int] {
    switch self {
    case .one(let column): column.link(row).map { [$0] } ?? []
    case .many(let column): column.linkList(row)
    case .inverse(let index): index[row].map { Int($0) }
    case .none: []
    }
  }
}
