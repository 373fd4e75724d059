import KuraModel
import KuraValues

extension Graph {
  /// Does a change that was made for this state of the graph.
  package mutating func apply(_ change: ChangeSet) {
    for batch in change.inserted { appendRows(batch) }
    for batch in change.inserted { link(batch) }
  }

  private mutating func appendRows(_ batch: InsertedObjects) {
    guard let place = place(of: batch.entity) else { return }
    let layout = tables[place.table].layout
    let sources = cellSources(batch, layout, layout.slots[place.code])
    for (i, number) in batch.numbers.enumerated() {
      let cells = sources.map { source -> StoredCell in
        guard let source else { return .null }
        return StoredCell(batch.columns[source.column].values[i], as: source.type)
      }
      tables[place.table].append(number: number, entity: place.code, cells: cells)
    }
  }

  /// For each column of the table which of the batch's columns fills it.
  private func cellSources(
    _ batch: InsertedObjects, _ layout: TableLayout, _ slots: [String: KeySlot]
  ) -> [(column: Int, type: AttributeType)?] {
    var sources = [(column: Int, type: AttributeType)?](repeating: nil, count: layout.columns.count)
    for (i, column) in batch.columns.enumerated() {
      if case .attribute(let place, let type)? = slots[column.key] { sources[place] = (i, type) }
    }
    return sources
  }

  private mutating func link(_ batch: InsertedObjects) {
    guard let place = place(of: batch.entity) else { return }
    for column in batch.columns {
      guard let slot = tables[place.table].layout.slots[place.code][column.key] else { continue }
      if case .attribute = slot { continue }
      for (i, number) in batch.numbers.enumerated() {
        guard let row = tables[place.table].identifiers.row(of: number) else { continue }
        let targets = (column.values[i].relatedObjects ?? []).compactMap { id in
          id.flatMap { find($0)?.row }
        }
        for target in targets { connect(slot, place.table, row, to: target) }
      }
    }
  }
}

extension Graph {
  /// Connects two objects at both ends of a relationship.
  mutating func connect(_ slot: KeySlot, _ table: Int, _ row: Int, to target: Int) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, let destination):
      releaseSoleOwner(of: target, table, column)
      if isOwnInverse(table, column) { releaseSoleOwner(of: row, table, column) }
      tables[table].setLink(column, row, to: target)
      mirror(table, column, destination, row, target)
    case .toMany(let column, let destination, _):
      releaseSoleOwner(of: target, table, column)
      tables[table].addLink(column, row, to: target)
      mirror(table, column, destination, row, target)
    case .inverse(let source, let column, _):
      releaseSoleOwner(of: row, source, column)
      if case .toOne? = tables[source].columns[safe: column]?.kind {
        tables[source].setLink(column, target, to: row)
      } else {
        tables[source].addLink(column, target, to: row)
      }
    }
  }

  /// The other end's column, where both ends have one: its own inverse, or both ordered.
  private mutating func mirror(
    _ table: Int, _ column: Int, _ destination: Int, _ row: Int, _ target: Int
  ) {
    let here = tables[table].layout.columns[column]
    guard let inverse = model.inverse(of: here.key, in: here.entity),
      let other = tables[destination].layout.columns.firstIndex(where: {
        $0.entity == inverse.owner && $0.key == inverse.relationship.name
      })
    else { return }
    if inverse.relationship.isToMany {
      tables[destination].addLink(other, target, to: row)
    } else {
      tables[destination].setLink(other, target, to: row)
    }
  }

  /// Where the other side is a to-one, the object that had the target so far loses it.
  private mutating func releaseSoleOwner(of target: Int, _ table: Int, _ column: Int) {
    guard isToOneInverse(table, column) else { return }
    for owner in inverse(source: table, column: column)[target] {
      if case .toMany = tables[table].columns[column].kind {
        tables[table].removeLink(column, Int(owner), to: target)
      } else {
        tables[table].setLink(column, Int(owner), to: nil)
      }
    }
  }

  /// `spouse: Person? inverse spouse`
  private func isOwnInverse(_ table: Int, _ column: Int) -> Bool {
    let here = tables[table].layout.columns[column]
    return model.writtenSide(of: here.key, in: here.entity) == .lowerObjectID
  }

  private func isToOneInverse(_ table: Int, _ column: Int) -> Bool {
    let here = tables[table].layout.columns[column]
    return model.inverse(of: here.key, in: here.entity)?.relationship.isToMany == false
  }
}

extension Array {
  subscript(safe i: Int) -> Element? { indices.contains(i) ? self[i] : nil }
}
