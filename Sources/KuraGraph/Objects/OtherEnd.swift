import KuraModel

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
