extension GraphEditor {
  /// The rows that a relationship of an object has now.
  func related(_ slot: KeySlot, _ place: GraphPlace) -> [UInt32] {
    switch slot {
    case .attribute, .unresolved: []
    case .toOne(let column, _), .toMany(let column, _, _):
      targets(LinkColumn(table: place.table, column: column), place.row)
    case .inverse(let source, let column, _):
      sources(LinkColumn(table: source, column: column), of: place.row)
    }
  }

  /// Gives an object other objects of a relationship, and keeps the other end.
  mutating func relate(_ slot: KeySlot, _ place: GraphPlace, to rows: [UInt32]) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, _), .toMany(let column, _, _):
      relate(LinkColumn(table: place.table, column: column), place.row, to: rows)
    case .inverse(let source, let column, _):
      relate(reversed: LinkColumn(table: source, column: column), place.row, to: rows)
    }
  }

  /// The side that is kept: the row's links change, and the other end follows.
  private mutating func relate(_ column: LinkColumn, _ row: Int, to rows: [UInt32]) {
    let old = targets(column, row)
    let end = otherEnd(of: column)
    let (gone, new) = old.difference(to: rows)
    for target in gone { release(column, row, Int(target), end) }
    for target in new { take(column, row, Int(target), end) }
    setTargets(column, row, to: rows)
    if case .itself(isToOne: true) = end, let partner = rows.first {
      setTargets(column, Int(partner), to: [UInt32(truncatingIfNeeded: row)])
    }
  }

  /// What the other end does when a link goes.
  private mutating func release(_ column: LinkColumn, _ row: Int, _ target: Int, _ end: OtherEnd) {
    switch end {
    case .none, .read: return
    case .itself: removeTarget(column, target, row)
    case .kept(let other): removeTarget(other, target, row)
    }
  }

  /// What the other end does when a link comes; a to-one there takes leave of who had it.
  private mutating func take(_ column: LinkColumn, _ row: Int, _ target: Int, _ end: OtherEnd) {
    switch end {
    case .none, .read(isToOne: false): return
    case .read(isToOne: true):
      for owner in sources(column, of: target) where Int(owner) != row {
        removeTarget(column, Int(owner), target)
      }
    case .itself(isToOne: true):
      for partner in targets(column, target) { setTargets(column, Int(partner), to: []) }
    case .itself(isToOne: false):
      if target != row { addTarget(column, target, row) }
    case .kept(let other): addTarget(other, target, row)
    }
  }

  /// The side that is read from the other's links: those change.
  private mutating func relate(reversed column: LinkColumn, _ target: Int, to rows: [UInt32]) {
    let old = sources(column, of: target)
    let wanted = Set(rows)
    for source in old where !wanted.contains(source) { removeTarget(column, Int(source), target) }
    let kept = Set(old)
    for source in rows where !kept.contains(source) { addTarget(column, Int(source), target) }
  }
}
