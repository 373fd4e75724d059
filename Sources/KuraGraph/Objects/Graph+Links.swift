import KuraModel

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

  /// The rows that lead to some others by a column; nil where they are many, and where the inverse has not
  /// been made and few have asked: without it each costs a look at all links.
  package func fewRows(source: Int, column: Int, leadingTo targets: Set<UInt32>) -> [Int]? {
    guard tables[source].derived.hasInverse(ofColumn: column, atUse: Self.usesForInverse) else {
      return nil
    }
    let inverse = inverse(source: source, column: column)
    var rows: [Int] = []
    for target in targets {
      rows += inverse[Int(target)].map { Int($0) }
      if rows.count > 1024 { return nil }
    }
    return rows
  }

  /// From which use on an inverse is worth its making: that takes as long as a few looks at all links.
  private static let usesForInverse = 2

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

/// The other end of a link column.
enum OtherEnd {
  /// There is no inverse.
  case none
  /// `items`, read from the links themselves; a to-one takes its object from who had it.
  case read(isToOne: Bool)
  /// `spouse: Person? inverse spouse`
  case itself(isToOne: Bool)
  /// Both ends are ordered, and each is kept.
  case kept(LinkColumn)
}

extension Graph {
  func definition(_ column: LinkColumn) -> ColumnDefinition {
    tables[column.table].layout.columns[column.column]
  }

  /// What stands at the other end of a link column.
  func otherEnd(of column: LinkColumn) -> OtherEnd {
    let here = definition(column)
    guard let inverse = model.inverse(of: here.key, in: here.entity),
      let table = here.kind.destination
    else { return .none }
    let isToOne = !inverse.relationship.isToMany
    if inverse.owner == here.entity, inverse.relationship.name == here.key {
      return .itself(isToOne: isToOne)
    }
    let kept = tables[table].layout.columns.firstIndex {
      $0.entity == inverse.owner && $0.key == inverse.relationship.name
    }
    if let kept { return .kept(LinkColumn(table: table, column: kept)) }
    return .read(isToOne: isToOne)
  }
}
