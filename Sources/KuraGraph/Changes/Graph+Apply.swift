import KuraModel
import KuraValues

extension Graph {
  /// Does a change that was made for this state of the graph.
  package mutating func apply(_ change: ChangeSet) {
    var owners = SoleOwners()
    apply(change, &owners)
  }

  /// Does a change; `owners` is empty, and says afterwards how much was asked of it.
  package mutating func apply(_ change: ChangeSet, _ owners: inout SoleOwners) {
    for batch in change.inserted { appendRows(batch) }
    for batch in change.inserted { link(batch, &owners) }
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

  private mutating func link(_ batch: InsertedObjects, _ owners: inout SoleOwners) {
    guard let place = place(of: batch.entity) else { return }
    for column in batch.columns {
      guard let slot = tables[place.table].layout.slots[place.code][column.key] else { continue }
      if case .attribute = slot { continue }
      for (i, number) in batch.numbers.enumerated() {
        guard let row = tables[place.table].identifiers.row(of: number) else { continue }
        let targets = (column.values[i].relatedObjects ?? []).compactMap { id in
          id.flatMap { find($0)?.row }
        }
        for target in targets { connect(slot, place.table, row, to: target, &owners) }
      }
    }
  }
}

extension Array {
  subscript(safe i: Int) -> Element? { indices.contains(i) ? self[i] : nil }
}
