import KuraModel

extension Graph {
  /// Returns the rows of the existing objects in a relationship, in the order of their objectIDs unless it is ordered.
  package func rows(_ slot: KeySlot, _ table: Int, _ row: Int) -> [Int] {
    guard let destination = destination(slot) else { return [] }
    var rows = linkedRows(slot, table, row)
    if mayDangle { rows = rows.filter(tables[destination].isLive) }
    let identifiers = tables[destination].identifiers
    if case .toMany(_, _, isOrdered: true) = slot { return rows }
    if rows.count > 1, !identifiers.isAscending { rows.sort { identifiers[$0] < identifiers[$1] } }
    return rows
  }

  /// Returns the rows to which links lead, including rows of deleted objects.
  func linkedRows(_ slot: KeySlot, _ table: Int, _ row: Int) -> [Int] {
    switch slot {
    case .attribute, .unresolved: []
    case .toOne(let column, _): tables[table].columns[column].link(row).map { [$0] } ?? []
    case .toMany(let column, _, _): tables[table].columns[column].linkList(row)
    case .inverse(let source, let column, _):
      inverse(source: source, column: column)[row].map { Int($0) }
    }
  }

  /// Returns the destination table of a relationship.
  package func destination(_ slot: KeySlot) -> Int? {
    switch slot {
    case .attribute, .unresolved: nil
    case .toOne(_, let destination), .toMany(_, let destination, _): destination
    case .inverse(let source, _, _): source
    }
  }

  /// Returns the targets of a stored relationship in its order: as given, or by objectID if it is not ordered.
  ///
  /// `newNumber` returns the objectIDs of rows that the table does not have yet.
  func inOrder(
    _ targets: [UInt32], of column: ColumnPlace, newNumber: (GraphPlace) -> Int64 = { _ in 0 }
  ) -> [UInt32] {
    let definition = definition(column)
    guard targets.count > 1, !definition.isOrdered, let destination = definition.kind.destination
    else { return targets }
    let identifiers = tables[destination].identifiers
    let numbers = targets.map { row in
      row < identifiers.count
        ? identifiers[Int(row)] : newNumber(GraphPlace(table: destination, row: Int(row)))
    }
    if zip(numbers, numbers.dropFirst()).allSatisfy(<) { return targets }
    return zip(numbers, targets).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the inverse of a column if it exists, and from the second use on; before that, nil.
  package func inverseIfWorthwhile(source: Int, column: Int) -> InverseIndex? {
    tables[source].derived.hasInverse(ofColumn: column, atUse: Self.usesForInverse)
      ? inverse(source: source, column: column) : nil
  }

  /// Returns the rows that lead to given rows through a column. Nil if there are many, or if the
  /// inverse does not exist and is not worth building yet.
  package func fewRows(source: Int, column: Int, leadingTo targets: Set<UInt32>) -> [Int]? {
    guard let inverse = inverseIfWorthwhile(source: source, column: column) else { return nil }
    var rows: [Int] = []
    for target in targets {
      rows += inverse[Int(target)].map { Int($0) }
      if rows.count > 1024 { return nil }
    }
    return rows
  }

  /// The number of uses from which an inverse is built: building takes as long as a few scans of
  /// all links.
  private static let usesForInverse = 2

  /// Returns the rows that lead to each row of the destination; built on first use.
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

/// The inverse of a link column.
enum OtherEnd {
  /// There is no inverse.
  case none
  /// `items`, derived from the links; in a to-one relationship, a new owner replaces the previous one.
  case read(isToOne: Bool)
  /// `spouse: Person? inverse spouse`
  case itself(isToOne: Bool)
  /// Both ends are ordered, and both are stored.
  case stored(ColumnPlace)
}

extension Graph {
  func definition(_ column: ColumnPlace) -> ColumnDefinition {
    tables[column.table].layout.columns[column.column]
  }

  func otherEnd(of column: ColumnPlace) -> OtherEnd {
    let here = definition(column)
    guard let inverse = model.inverse(of: here.key, in: here.entity),
      let table = here.kind.destination
    else { return .none }
    let isToOne = !inverse.relationship.isToMany
    if inverse.owner == here.entity, inverse.relationship.name == here.key {
      return .itself(isToOne: isToOne)
    }
    let stored = tables[table].layout.columns.firstIndex {
      $0.entity == inverse.owner && $0.key == inverse.relationship.name
    }
    if let stored { return .stored(ColumnPlace(table: table, column: stored)) }
    return .read(isToOne: isToOne)
  }
}
