package import KuraBytes
import KuraDiagnostics
package import KuraModel
import KuraValues

/// Checks a change against a graph, before the change enters it.
///
/// Every change enters a graph through ``Graph/admit(_:_:checkingOld:)``, from any source: a
/// statement, a merge, a journal, a history or a recovery file. The exception is undo, which
/// reverts steps that the same graph has already accepted (``GraphChange``).
struct ChangeGate {
  private let graph: Graph
  private let cancel: CancelFlag
  /// The objects that the change deletes, by table.
  private var deleted: [NumberSet]
  /// The objects that the change inserts, by table and entity code.
  private var inserted: [[Int: NumberSet]]

  init(_ graph: Graph, _ cancel: CancelFlag) {
    (self.graph, self.cancel) = (graph, cancel)
    deleted = graph.tables.map { _ in NumberSet() }
    inserted = graph.tables.map { _ in [:] }
  }
}

extension ChangeGate {
  /// Throws the first part of a change that does not fit. Linear in the change; incomplete after a cancellation.
  ///
  /// A change from a file has unchecked old values, which its inverse would restore: `checkingOld`
  /// checks those as well.
  mutating func check(_ change: ChangeSet, checkingOld: Bool) throws(ChangeRefusal) {
    for batch in change.deleted { try enterDeleted(batch) }
    for batch in change.inserted { try enterInserted(batch) }
    for batch in change.updated { try checkObjects(batch) }
    // All objects are known before the first link is followed.
    if checkingOld { for batch in change.deleted { try check(batch, [.old]) } }
    for batch in change.inserted { try check(batch, [.new]) }
    for batch in change.updated { try check(batch, checkingOld ? [.new, .old] : [.new]) }
  }

  private mutating func enterDeleted(_ batch: ObjectBatch) throws(ChangeRefusal) {
    let place = try place(batch.entity)
    for number in batch.numbers {
      guard isThere(number, place) else { throw ChangeRefusal(.missing, batch.entity, number) }
      guard deleted[place.table].insert(number) else {
        throw ChangeRefusal(.taken, batch.entity, number)
      }
    }
  }

  private mutating func enterInserted(_ batch: ObjectBatch) throws(ChangeRefusal) {
    let place = try place(batch.entity)
    let table = graph.tables[place.table]
    for number in batch.numbers {
      guard number > 0, number <= ObjectID.greatestNumber else {
        throw ChangeRefusal(.number, batch.entity, number)
      }
      let isFree = table.row(of: number) == nil || deleted[place.table].contains(number)
      guard isFree, !inserted[place.table].values.contains(where: { $0.contains(number) }) else {
        throw ChangeRefusal(.taken, batch.entity, number)
      }
      _ = inserted[place.table][place.code, default: NumberSet()].insert(number)
    }
  }

  private func checkObjects(_ batch: ObjectBatch) throws(ChangeRefusal) {
    let place = try place(batch.entity)
    if deleted[place.table].isEmpty, graph.tables[place.table].has(batch, place.code) { return }
    for number in batch.numbers {
      let isLeft = isThere(number, place) && !deleted[place.table].contains(number)
      guard isLeft || inserted[place.table][place.code]?.contains(number) == true else {
        throw ChangeRefusal(.missing, batch.entity, number)
      }
    }
  }

  private func place(_ entity: String) throws(ChangeRefusal) -> EntityPlace {
    guard let place = graph.place(of: entity), graph.model[entity]?.isAbstract == false else {
      throw ChangeRefusal(.entity, entity)
    }
    return place
  }

  private func isThere(_ number: Int64, _ place: EntityPlace) -> Bool {
    let table = graph.tables[place.table]
    return table.row(of: number).map { table.entityCode($0) == place.code } ?? false
  }
}

extension ChangeSet {
  /// Returns the first entity, key or value that a model does not allow, independent of objects;
  /// nil if the change and its inverse fit the model. Linear in the change.
  package func refusal(
    in model: Model, _ cancel: CancelFlag = CancelFlag()
  ) -> ChangeRefusal? {
    let gate = ChangeGate(Graph(model: model), cancel)
    do throws(ChangeRefusal) { try gate.checkValues(self) } catch { return error }
    return nil
  }
}

// Values
extension ChangeGate {
  /// Checks old and new values, without following links.
  fileprivate func checkValues(_ change: ChangeSet) throws(ChangeRefusal) {
    for batch in change.deleted { try check(batch, [.old], followsLinks: false) }
    for batch in change.inserted { try check(batch, [.new], followsLinks: false) }
    for batch in change.updated { try check(batch, [.old, .new], followsLinks: false) }
  }

  private enum Side { case old, new }

  /// Checks the keys of a batch, and their values on some sides. The links of old values are not
  /// followed, because those of a deleted object can lead to other deleted objects.
  private func check(
    _ batch: ObjectBatch, _ sides: [Side], followsLinks: Bool = true
  ) throws(ChangeRefusal) {
    try checkKeys(batch.columns.map(\.key), of: batch.entity)
    for column in batch.columns {
      for side in sides {
        try check(
          side == .old ? column.old : column.new, column.key, batch.entity, batch.numbers,
          followsLinks: followsLinks && side == .new)
      }
    }
  }

  private func checkKeys(_ keys: [String], of entity: String) throws(ChangeRefusal) {
    var seen: Set<String> = []
    for key in keys where !seen.insert(key).inserted { throw ChangeRefusal(.key, entity, nil, key) }
  }

  private func check(
    _ values: ChangeValues, _ key: String, _ entity: String, _ numbers: [Int64],
    followsLinks: Bool
  ) throws(ChangeRefusal) {
    let place = try place(entity)
    guard let slot = graph.tables[place.table].layout.slots[place.code][key] else {
      throw ChangeRefusal(.key, entity, nil, key)
    }
    guard values.count == numbers.count else { throw ChangeRefusal(.count, entity, nil, key) }
    if let type = slot.attributeType {
      if let wrong = values.firstRefused(by: type) {
        throw ChangeRefusal(.value(values[wrong], type), entity, numbers[wrong], key)
      }
      return
    }
    let targets = followsLinks ? targets(key, of: entity, slot) : nil
    for (i, value) in values.enumerated() where !cancel.isRequested {
      guard slot.admits(value) else {
        throw ChangeRefusal(.notLinks, entity, numbers[i], key)
      }
      for number in value.numbers where targets.map({ !isTarget(number, $0) }) ?? false {
        throw ChangeRefusal(.destination(number), entity, numbers[i], key)
      }
    }
  }

  /// Returns the valid destinations of a key's links. Nil if this side does not store them, or if
  /// the destination is not defined; links are then not read from this side.
  private func targets(_ key: String, of entity: String, _ slot: KeySlot) -> LinkTargets? {
    guard let (_, table) = slot.linkColumn,
      let relationship = graph.model.relationship(named: key, of: entity)
    else { return nil }
    return LinkTargets(table: table, codes: graph.codes(of: relationship.destination))
  }

  /// Returns whether a link leads to an object of the destination, or to a deleted object: under
  /// `deny` and `none` such a link remains until the next save. The entity of a deleted object is
  /// unknown, because its number can have been used again.
  private func isTarget(_ number: Int64, _ targets: LinkTargets) -> Bool {
    let new = inserted[targets.table].first { $1.contains(number) }
    if let new { return targets.codes.contains(new.key) }
    let table = graph.tables[targets.table]
    guard let row = table.identifiers.row(of: number) else { return false }
    return !table.isLive(row) || deleted[targets.table].contains(number)
      || targets.codes.contains(table.entityCode(row))
  }
}

/// The valid destinations of a relationship.
private struct LinkTargets {
  var table: Int
  var codes: Set<Int>
}

extension ChangeValues {
  /// Returns the index of the first value that an attribute of a type cannot have. Cells of a
  /// column of that type are checked chunk by chunk.
  fileprivate func firstRefused(by type: AttributeType) -> Int? {
    if let cells, case .attribute(type) = cells.column.kind,
      cells.chunks.allSatisfy({ cells.column.chunks[$0].isInRange(of: type) })
    {
      return nil
    }
    return firstIndex { !type.admits($0) }
  }
}

/// A set of object numbers, which usually come in ascending order.
struct NumberSet {
  private var ascending: [Int64] = []
  private var others: Set<Int64> = []

  /// Adds a number; returns false if the set already contains it.
  mutating func insert(_ number: Int64) -> Bool {
    guard let last = ascending.last, number <= last else {
      ascending.append(number)
      return true
    }
    return !contains(number) && others.insert(number).inserted
  }

  var isEmpty: Bool { ascending.isEmpty }

  func contains(_ number: Int64) -> Bool {
    guard let last = ascending.last else { return false }
    if number > last { return false }
    let next = ascending.indices.partitioningIndex { ascending[$0] >= number }
    return ascending[next] == number || others.contains(number)
  }
}
