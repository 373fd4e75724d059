import KuraDiagnostics
import KuraModel
import KuraValues

extension GraphEditor {
  /// Returns the key of changed links with their object; nil for a new object.
  func key(of touch: GraphTouch) -> KeyOfObject? {
    let place = GraphPlace(table: touch.column.table, row: touch.row)
    guard newPlaces[place] == nil else { return nil }
    return KeyOfObject(objectID(place), graph.definition(touch.column).key)
  }

  /// Removes objects without applying rules, because their numbers will be reused.
  mutating func remove(_ ids: [ObjectID]) {
    for id in ids {
      guard let place = find(id), isDeleted.insert(place) else { continue }
      deleted.insert(place)
    }
  }

  /// Removes the links of an object to delete, except links that it did not have where the change
  /// was made: the delete rules did not see those. Links to `deletions` remain. If the inverse is
  /// stored too, its own edit has already removed the link.
  mutating func leave(
    _ id: ObjectID, _ values: [(key: String, value: StoredCell)], keeping deletions: Set<ObjectID>
  ) {
    guard let place = find(id), newPlaces[place] == nil else { return }
    for (key, value) in values {
      guard let (column, destination) = slot(key, place)?.linkColumn else { continue }
      let known = Set(value.numbers)
      let links = ColumnPlace(table: place.table, column: column)
      guard !keepsOtherEnd(links) else { continue }
      setTargets(
        links, place.row,
        to: targets(links, place.row).filter { row in
          let target = objectID(GraphPlace(table: destination, row: Int(row)))
          return !known.contains(target.number) || deletions.contains(target)
        })
    }
  }

  private func keepsOtherEnd(_ column: ColumnPlace) -> Bool {
    switch graph.otherEnd(of: column) {
    case .none, .read: false
    case .itself, .stored: true
    }
  }

  /// Replays the change of a key; for a to-many relationship, the added and removed objects.
  mutating func replay(
    _ key: String, of id: ObjectID, from old: StoredCell, to new: StoredCell
  ) throws(Diagnostic) {
    let place = try place(of: id)
    guard let slot = slot(key, place) else {
      let entity = objectID(place).entity
      throw Diagnostic(
        ChangeProblem.unknownKey(key, entity: entity, known: model.keys(of: entity)))
    }
    guard let destination = graph.destination(slot) else { return store(new, key, place) }
    let root = graph.tables[destination].layout.root
    var rows: [UInt32] = []
    for number in merged(key, of: id, slot, place, from: old, to: new) {
      let target = try self.place(of: ObjectID(entity: root, root: root, number: number))
      rows.append(UInt32(truncatingIfNeeded: target.row))
    }
    relate(slot, place, to: rows)
  }

  /// Returns the resulting numbers of a relationship.
  private func merged(
    _ key: String, of id: ObjectID, _ slot: KeySlot, _ place: GraphPlace, from old: StoredCell,
    to new: StoredCell
  ) -> [Int64] {
    guard slot.isToMany, newPlaces[place] == nil else { return new.numbers }
    let start = graph.value(key, of: id).numbers
    let edit = ListEdit(
      from: old.numbers, to: new.numbers, isOrdered: model.isOrdered(key, of: id.entity))
    let wanted = edit.done(to: start) ?? new.numbers
    // The links that earlier edits have removed or added here.
    let now = numbers(related(slot, place), slot)
    let (taken, own) = (Set(start).subtracting(now), Set(new.numbers))
    let remaining = wanted.filter { !taken.contains($0) || own.contains($0) }
    let known = Set(start).union(remaining)
    return remaining + now.filter { !known.contains($0) }
  }

  private func numbers(_ rows: [UInt32], _ slot: KeySlot) -> [Int64] {
    guard let table = graph.destination(slot) else { return [] }
    return rows.map { objectID(GraphPlace(table: table, row: Int($0))).number }
  }
}

extension Model {
  /// Returns whether a to-many relationship is ordered.
  func isOrdered(_ key: String, of entity: String) -> Bool {
    relationship(named: key, of: entity)?.isOrdered == true
  }
}

/// An edit of a to-many relationship: the added objects, the removed objects, and the order.
///
///     ListEdit(from: [1, 2], to: [1, 2, 3], isOrdered: true).done(to: [2, 4])    // [2, 4, 3]
struct ListEdit {
  let old: [Int64]
  let new: [Int64]
  let isOrdered: Bool

  init(from old: [Int64], to new: [Int64], isOrdered: Bool) {
    (self.old, self.new, self.isOrdered) = (old, new, isOrdered)
  }
}

extension ListEdit {
  /// Returns the result of the edit on another list; nil if both sides have reordered common elements differently.
  func done(to present: [Int64]) -> [Int64]? {
    if present == old { return new }
    if present == new { return present }
    if keepsOrder { return merged(into: present) }
    let other = ListEdit(from: old, to: present, isOrdered: isOrdered)
    return other.keepsOrder ? other.merged(into: new) : nil
  }

  /// Whether the remaining elements have the same order as before.
  private var keepsOrder: Bool {
    guard isOrdered else { return true }
    let (before, after) = (Set(old), Set(new))
    return old.filter(after.contains) == new.filter(before.contains)
  }

  /// Returns the list with new elements before the element they preceded, or at the end.
  private func merged(into present: [Int64]) -> [Int64] {
    let (before, after) = (Set(old), Set(new))
    let remaining = present.filter { after.contains($0) || !before.contains($0) }
    let known = Set(remaining)
    var followers: [Int64: [Int64]] = [:]
    var open: [Int64] = []
    for number in new {
      if known.contains(number) {
        followers[number] = open
        open = []
      } else if !before.contains(number) {
        open.append(number)
      }
    }
    return remaining.flatMap { (followers[$0] ?? []) + [$0] } + open
  }
}
