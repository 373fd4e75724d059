import KuraModel

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

extension GraphEditor {
  /// What a row of a link column leads to now.
  func targets(_ column: LinkColumn, _ row: Int) -> [UInt32] {
    if let changed = links[column]?[row] { return changed }
    let table = graph.tables[column.table]
    guard row < table.count, table.isLive(row) else { return [] }
    return table.columns[column.column].targets(row)
  }

  /// Which rows of a link column lead to a row now, ascending.
  func sources(_ column: LinkColumn, of target: Int) -> [UInt32] {
    let kept = graph.inverse(source: column.table, column: column.column)[target]
    guard let change = incoming[column]?[UInt32(truncatingIfNeeded: target)] else {
      return Array(kept)
    }
    return
      (kept.filter { !change.removed.contains($0) && !change.added.contains($0) }
      + change.added).sorted()
  }

  /// Makes a row of a link column lead elsewhere, and nothing else.
  mutating func setTargets(_ column: LinkColumn, _ row: Int, to targets: [UInt32]) {
    let old = self.targets(column, row)
    guard old != targets else { return }
    if notesTouches { touches.append(GraphTouch(column: column, row: row)) }
    links[column, default: [:]][row] = targets
    let source = UInt32(truncatingIfNeeded: row)
    let (gone, new) = old.difference(to: targets)
    for target in gone {
      incoming[column, default: [:]][target, default: IncomingLinks()].remove(source)
    }
    for target in new {
      incoming[column, default: [:]][target, default: IncomingLinks()].add(source)
    }
  }

  mutating func removeTarget(_ column: LinkColumn, _ row: Int, _ target: Int) {
    let target = UInt32(truncatingIfNeeded: target)
    setTargets(column, row, to: targets(column, row).filter { $0 != target })
  }

  mutating func addTarget(_ column: LinkColumn, _ row: Int, _ target: Int) {
    let old = targets(column, row)
    let target = UInt32(truncatingIfNeeded: target)
    if isToOne(column) { return setTargets(column, row, to: [target]) }
    if !old.contains(target) { setTargets(column, row, to: old + [target]) }
  }
}

extension [UInt32] {
  /// The elements that another list has not, and those that only the other has.
  ///
  /// Linear; what both begin and end with is only compared.
  func difference(to other: [UInt32]) -> (gone: [UInt32], new: [UInt32]) {
    let shorter = Swift.min(count, other.count)
    var start = 0
    while start < shorter, self[start] == other[start] { start += 1 }
    var end = 0
    while end < shorter - start, self[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    let here = self[start..<count - end]
    let there = other[start..<other.count - end]
    if here.isEmpty || there.isEmpty { return (Array(here), Array(there)) }
    let (had, has) = (Set(here), Set(there))
    return (here.filter { !has.contains($0) }, there.filter { !had.contains($0) })
  }
}

extension IncomingLinks {
  fileprivate mutating func add(_ source: UInt32) {
    added.insert(source)
    removed.remove(source)
  }

  fileprivate mutating func remove(_ source: UInt32) {
    added.remove(source)
    removed.insert(source)
  }
}

extension GraphEditor {
  func isToOne(_ column: LinkColumn) -> Bool {
    if case .toOne = graph.definition(column).kind { true } else { false }
  }

  /// What stands at the other end of a link column.
  func otherEnd(of column: LinkColumn) -> OtherEnd { graph.otherEnd(of: column) }
}
