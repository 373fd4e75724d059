extension Graph {
  /// The rows of the objects that a to-many or the other side of a to-one has.
  package func rows(_ slot: KeySlot, _ table: Int, _ row: Int) -> [Int] {
    guard let destination = destination(slot) else { return [] }
    let rows = linkedRows(slot, table, row)
    return mayDangle ? rows.filter(tables[destination].isLive) : rows
  }

  /// The rows that the links lead to, be there an object or not.
  func linkedRows(_ slot: KeySlot, _ table: Int, _ row: Int) -> [Int] {
    switch slot {
    case .attribute, .unresolved: []
    case .toOne(let column, _): tables[table].columns[column].link(row).map { [$0] } ?? []
    case .toMany(let column, _, _): tables[table].columns[column].linkList(row)
    case .inverse(let source, let column, _):
      inverse(source: source, column: column)[row].map { Int($0) }
    }
  }

  /// The table that a relationship leads to.
  package func destination(_ slot: KeySlot) -> Int? {
    switch slot {
    case .attribute, .unresolved: nil
    case .toOne(_, let destination), .toMany(_, let destination, _): destination
    case .inverse(let source, _, _): source
    }
  }
}

extension Graph {
  /// The inverse of a column for those who can do without it: nil until a second use.
  package func inverseIfItPays(source: Int, column: Int) -> InverseIndex? {
    tables[source].derived.pays(inverseOfColumn: column)
      ? inverse(source: source, column: column) : nil
  }

  /// For each row of the destination, the rows that point to it; made at first use.
  package func inverse(source: Int, column: Int) -> InverseIndex {
    let destination: Int
    switch tables[source].columns[column].kind {
    case .toOne(let to), .toMany(let to): destination = to
    case .attribute: destination = source
    }
    return tables[source].derived.inverse(ofColumn: column) {
      InverseIndex(
        tables[source].columns[column], live: tables[source].live,
        destinationCount: tables[destination].count)
    }
  }
}
