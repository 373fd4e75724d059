package import KuraBytes
package import KuraDiagnostics
import KuraModel
import KuraValues

extension Graph {
  /// Checks a change that was made for this state of the graph, and applies it.
  ///
  ///     try graph.admit(change, checkingOld: true)      // a record of a journal
  ///
  /// Throws ``ChangeProblem/refused(_:)`` and leaves the graph unchanged if a value does not have the
  /// type of its key or is out of range, or if an entity, an object or the destination of a link
  /// does not exist. Linear in the change; a chunk that a snapshot retains is copied once. After a
  /// cancellation the graph is unusable, and its owner must restore a copy.
  package mutating func admit(
    _ change: ChangeSet, _ cancel: CancelFlag = CancelFlag(), checkingOld: Bool = false
  ) throws(Diagnostic) {
    do throws(ChangeRefusal) { try check(change, cancel, checkingOld: checkingOld) } catch {
      throw Diagnostic(ChangeProblem.refused(error))
    }
    apply(change, cancel)
  }

  /// Checks a change with a gate. The gate retains a copy of the graph, which must be released
  /// before the chunks change; otherwise they would be copied.
  private func check(
    _ change: ChangeSet, _ cancel: CancelFlag, checkingOld: Bool
  ) throws(ChangeRefusal) {
    var gate = ChangeGate(self, cancel)
    try gate.check(change, checkingOld: checkingOld)
  }

  /// Applies or reverts a step that this graph has already accepted. Undo therefore needs no check.
  ///
  /// Assigned numbers are not reused.
  mutating func apply(_ step: GraphChange, _ cancel: CancelFlag = CancelFlag()) {
    switch step {
    case .objects(let change): apply(change, cancel)
    case .model(_, let after):
      let before = self
      self = after
      reserveNumbers(as: before)
    }
  }

  private mutating func apply(_ change: ChangeSet, _ cancel: CancelFlag) {
    for batch in change.deleted where !cancel.isRequested { delete(batch) }
    let rows = change.inserted.map { insert($0, cancel) }
    for (batch, rows) in zip(change.inserted, rows) where !cancel.isRequested { link(batch, rows) }
    for batch in change.updated { update(batch, cancel) }
  }

  private mutating func delete(_ batch: ObjectBatch) {
    guard let place = place(of: batch.entity) else { return }
    let rows = batch.numbers.compactMap { tables[place.table].row(of: $0) }
    tables[place.table].delete(rows)
    if model.leavesLinks(to: batch.entity) { mayDangle = true }
  }

  /// Inserts objects, and returns their rows and whether each row existed before.
  private mutating func insert(
    _ batch: ObjectBatch, _ cancel: CancelFlag
  ) -> [(row: Int, isBack: Bool)] {
    guard let place = place(of: batch.entity) else { return [] }
    let sources = sources(batch, place)
    var rows: [(row: Int, isBack: Bool)] = []
    rows.reserveCapacity(batch.numbers.count)
    for (i, number) in batch.numbers.enumerated() {
      if cancel.isRequested { return [] }
      rows.append(
        tables[place.table].insert(
          number: number, entity: place.code, cells: sources.map { $0?[i] ?? .null }))
    }
    fill(rows, sources, place.table, batch.numbers)
    return rows
  }

  /// Returns the values of a batch for each attribute column.
  private func sources(_ batch: ObjectBatch, _ place: EntityPlace) -> [ChangeValues?] {
    var sources = [ChangeValues?](repeating: nil, count: tables[place.table].columns.count)
    for values in batch.columns {
      guard let column = tables[place.table].layout.slots[place.code][values.key]?.attributeColumn,
        sources[column] == nil
      else { continue }
      sources[column] = values.new
    }
    return sources
  }

  /// Sets the values of restored rows, column by column.
  private mutating func fill(
    _ rows: [(row: Int, isBack: Bool)], _ sources: [ChangeValues?], _ table: Int,
    _ numbers: [Int64]
  ) {
    let back = rows.indices.filter { rows[$0].isBack }
    guard !back.isEmpty else { return }
    for column in sources.indices {
      guard case .attribute = tables[table].columns[column].kind else { continue }
      if let cells = sources[column]?.cells, tables[table].has(cells, column, numbers) { continue }
      tables[table].set(
        column, back.map { (rows[$0].row, sources[column]?[$0] ?? .null) })
    }
  }

  /// Sets the links of new objects, after all objects exist.
  private mutating func link(_ batch: ObjectBatch, _ rows: [(row: Int, isBack: Bool)]) {
    guard let place = place(of: batch.entity), !rows.isEmpty else { return }
    let anyIsBack = rows.contains(where: \.isBack)
    for (column, definition) in tables[place.table].layout.columns.enumerated() {
      guard let destination = definition.kind.destination,
        anyIsBack || batch.columns.contains(where: { $0.key == definition.key })
      else { continue }
      let values = values(of: definition.key, column, batch, place)
      guard values != nil || anyIsBack else { continue }
      let changes = rows.indices.compactMap { i -> (row: Int, targets: [UInt32])? in
        let targets = values.map { self.rows($0[i].numbers, destination) } ?? []
        return targets.isEmpty && !rows[i].isBack ? nil : (rows[i].row, targets)
      }
      setTargets(ColumnPlace(table: place.table, column: column), changes, isNew: true)
    }
  }

  /// Returns the values of a batch for a column. Nil also if the column belongs to another entity:
  /// its links can remain from a former object in the row.
  private func values(
    of key: String, _ column: Int, _ batch: ObjectBatch, _ place: EntityPlace
  ) -> ChangeValues? {
    let slot = tables[place.table].layout.slots[place.code][key]
    return slot?.linkColumn?.column == column
      ? batch.columns.first { $0.key == key }?.new : nil
  }

  private mutating func update(_ batch: ObjectBatch, _ cancel: CancelFlag) {
    guard let place = place(of: batch.entity) else { return }
    let slots = tables[place.table].layout.slots[place.code]
    // Exchanges whole chunks if they are as the change left or found them; sets the other values individually.
    let others = batch.columns.filter { column in
      slots[column.key]?.attributeColumn.map {
        !tables[place.table].exchange($0, column, batch.numbers)
      } ?? true
    }
    guard !others.isEmpty else { return }
    let rows = batch.numbers.map { tables[place.table].row(of: $0) }
    for column in others where !cancel.isRequested {
      guard let slot = slots[column.key] else { continue }
      if let attribute = slot.attributeColumn {
        let cells = rows.indices.compactMap { i in
          rows[i].map { (row: $0, cell: column.new[i]) }
        }
        tables[place.table].set(attribute, cells)
      } else if let (link, destination) = slot.linkColumn {
        let changes = rows.indices.compactMap { i in
          rows[i].map { (row: $0, targets: self.rows(column.new[i].numbers, destination)) }
        }
        setTargets(ColumnPlace(table: place.table, column: link), changes)
      }
    }
  }

  private mutating func setTargets(
    _ place: ColumnPlace, _ changes: [(row: Int, targets: [UInt32])], isNew: Bool = false
  ) {
    noteDangling(place, changes)
    let changes = changes.map { (row: $0.row, targets: inOrder($0.targets, of: place)) }
    let isSorted = zip(changes, changes.dropFirst()).allSatisfy { $0.row < $1.row }
    tables[place.table].setTargets(
      place.column, isSorted ? changes : changes.sorted { $0.row < $1.row }, isNew: isNew)
  }

  /// Records that links can dangle: an undone change can lead to objects that were deleted earlier.
  private mutating func noteDangling(
    _ place: ColumnPlace, _ changes: [(row: Int, targets: [UInt32])]
  ) {
    let kind = tables[place.table].layout.columns[place.column].kind
    guard !mayDangle, let to = kind.destination, tables[to].live != nil else { return }
    mayDangle = changes.contains { !$0.targets.allSatisfy { tables[to].isLive(Int($0)) } }
  }

  /// Returns the rows of objects by number, including deleted ones.
  private func rows(_ numbers: [Int64], _ table: Int) -> [UInt32] {
    numbers.compactMap { number in
      tables[table].identifiers.row(of: number).map { UInt32(truncatingIfNeeded: $0) }
    }
  }
}

/// A column of a table.
package struct ColumnPlace: Hashable, Sendable {
  package var table: Int
  package var column: Int

  package init(table: Int, column: Int) { (self.table, self.column) = (table, column) }
}

extension KeySlot {
  var attributeColumn: Int? { if case .attribute(let column, _) = self { column } else { nil } }

  /// The column and destination of a relationship that is stored on this side; nil for other slots.
  var linkColumn: (column: Int, destination: Int)? {
    switch self {
    case .toOne(let column, let destination), .toMany(let column, let destination, _):
      (column, destination)
    case .attribute, .inverse, .unresolved: nil
    }
  }
}

extension Graph {
  /// Returns the first old value of a change that differs in this graph, as `Item/3.title`; nil if there is none.
  ///
  /// Derived values are ignored, because a document can contain any. Linear in the change;
  /// incomplete after a cancellation.
  package func otherOldValue(
    in change: ChangeSet, _ cancel: CancelFlag = CancelFlag()
  ) -> String? {
    for batch in change.deleted {
      for column in batch.columns {
        let place = otherValue(
          than: column.old, column.key, batch.entity, batch.numbers, cancel)
        if let place { return place }
      }
    }
    for batch in change.updated {
      // An object that the change itself inserts has its old values in the change.
      let table = place(of: batch.entity)?.table
      let new = change.inserted.filter { place(of: $0.entity)?.table == table }
      for column in batch.columns {
        let place = otherValue(than: column.old, column.key, batch.entity, batch.numbers, cancel) {
          number in new.contains { $0.numbers.contains(number) }
        }
        if let place { return place }
      }
    }
    return nil
  }

  private func otherValue(
    than values: ChangeValues, _ key: String, _ entity: String, _ numbers: [Int64],
    _ cancel: CancelFlag, _ isNew: (Int64) -> Bool = { _ in false }
  ) -> String? {
    let property = model.property(named: key, of: entity)
    var (type, isOrdered) = (AttributeType?.none, true)
    switch property {
    case .attribute(let attribute)?:
      if attribute.derivation != nil { return nil }
      type = attribute.type
    case .relationship(let relationship)?: isOrdered = relationship.isOrdered
    case nil: break
    }
    for (i, number) in numbers.enumerated() where !cancel.isRequested {
      let (old, present) = (values[i], value(key, of: id(entity, number)))
      if old == present { continue }
      // A document can have the same JSON in another text, and does not preserve the order of an
      // unordered to-many relationship.
      let isSame =
        type.map { old.value(as: $0) == present.value(as: $0) }
        ?? (!isOrdered && Set(old.numbers) == Set(present.numbers))
      if !isSame, !isNew(number) { return "\(entity)/\(number).\(key)" }
    }
    return nil
  }
}
