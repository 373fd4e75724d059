package import KuraBytes
package import KuraValues

extension Graph {
  /// Returns the change that turns this graph into another. If the models differ, entities and keys
  /// are matched by name.
  ///
  /// Linear in both graphs; of columns that both share, only the rows are counted. If `cancel` is
  /// requested, the result is incomplete.
  package func difference(to other: Graph, _ cancel: CancelFlag = CancelFlag()) -> ChangeSet {
    var (inserted, updated, deleted) = (BatchBuilder(), BatchBuilder(), BatchBuilder())
    for table in tables.indices {
      var forms = FormPairs(self, other, table)
      for (row, id) in objects(table) {
        if cancel.isRequested { return ChangeSet() }
        guard other.has(id.entity, id.number), let there = other.find(id) else {
          deleted.add(id.entity, id.number, deleted: storedValues(table, row))
          continue
        }
        let values = forms.changes(row, there)
        if !values.isEmpty { updated.add(id.entity, id.number, values) }
      }
    }
    for table in other.tables.indices {
      for (row, id) in other.objects(table) where !has(id.entity, id.number) {
        if cancel.isRequested { return ChangeSet() }
        inserted.add(id.entity, id.number, inserted: other.storedValues(table, row))
      }
    }
    return ChangeSet(
      inserted: inserted.batches, updated: updated.batches, deleted: deleted.batches)
  }

  private func objects(_ table: Int) -> some Sequence<(row: Int, id: ObjectID)> {
    let table = tables[table]
    return (0..<table.count).lazy.filter(table.isLive).map { ($0, table.objectID($0)) }
  }
}

/// The forms of a table's objects in two graphs, for each of its entities.
private struct FormPairs {
  private let (mine, theirs): (Graph, Graph)
  private let table: Int
  private var pairs: [Int: Pair] = [:]

  /// All values of an object, and those that two graphs do not share, if it has the same row in both.
  private struct Pair {
    let (mine, theirs): (StoredForm, StoredForm)
    let (mineAlone, theirsAlone): (StoredForm, StoredForm)
  }

  init(_ mine: Graph, _ theirs: Graph, _ table: Int) {
    (self.mine, self.theirs, self.table) = (mine, theirs, table)
  }

  /// Returns the keys of an object that differ in the other graph.
  mutating func changes(
    _ row: Int, _ there: (table: Int, row: Int)
  ) -> [KeyChange] {
    let code = mine.tables[table].entityCode(row)
    let pair = pairs[code] ?? pair(code, there)
    pairs[code] = pair
    let isInPlace = row == there.row
    let old = isInPlace ? pair.mineAlone : pair.mine
    let new = isInPlace ? pair.theirsAlone : pair.theirs
    if old.isEmpty, new.isEmpty { return [] }
    return old.values(row, of: mine).changes(to: new.values(there.row, of: theirs))
  }

  private func pair(_ code: Int, _ there: (table: Int, row: Int)) -> Pair {
    let old = StoredForm(mine, table, code: code)
    let new = StoredForm(
      theirs, there.table, code: theirs.tables[there.table].entityCode(there.row))
    let shared = old.sharedKeys(mine, new, theirs)
    return Pair(
      mine: old, theirs: new, mineAlone: old.without(shared), theirsAlone: new.without(shared))
  }
}

extension [(key: String, value: StoredCell)] {
  /// Returns the keys that differ in another list; a missing key is empty.
  fileprivate func changes(to other: Self) -> [KeyChange] {
    let new = Dictionary(other.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let known = Set(map(\.key))
    let changed = map { KeyChange(key: $0.key, old: $0.value, new: new[$0.key] ?? .null) }
    let added = other.filter { !known.contains($0.key) }.map {
      KeyChange(key: $0.key, old: .null, new: $0.value)
    }
    return (changed + added).filter { $0.old != $0.new }
  }
}

/// A reason why a change is not possible.
package enum ChangeProblem: Sendable {
  case unknownEntity(String, known: [String])
  case abstractEntity(String)
  case badObjectID(Int64)
  /// `update Item set objectID = 5`
  case fixedObjectID
  /// The next object would exceed the greatest number.
  case noNumberLeft(entity: String)
  case takenObjectID(ObjectID)
  case unknownKey(String, entity: String, known: [String])
  case keyTwice(String)
  /// `insert Author books = {(insert author = Author/1)}`
  case otherOwner(key: String)
  case notObjects(key: String, destination: String, isToMany: Bool)
  /// The value of a to-one relationship is a fetch that found no object or several.
  case notOneObject(key: String, count: Int)
  case noObject(ObjectID)
  case wrongDestination(ObjectID, key: String, destination: String)
  case unresolvedDestination(entity: String, key: String, destination: String)
  case invalid(ValidationFailure)
  /// A derived attribute cannot be set.
  case derived(String, entity: String)
  case underivable(String, key: String, reason: String)
  /// `= 1 / items`
  case badDefault(key: String, reason: String)
  /// A derived value that depends on itself through other objects.
  case circularDerivation(ObjectID, key: String)
  /// The change does not fit the model or the objects of the graph.
  case refused(ChangeRefusal)
  /// Another session has saved a conflicting change.
  case conflict(ChangeConflict, old: String, new: String, present: String)
  /// The model was changed here, in the store, or in both.
  case modelConflict
  /// A group of the history no longer applies, because other sessions have changed the same objects.
  case notUndoable(name: String, ObjectID)
}
