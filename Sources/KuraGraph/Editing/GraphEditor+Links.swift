import KuraModel

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
