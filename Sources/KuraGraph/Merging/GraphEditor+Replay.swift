import KuraDiagnostics
import KuraModel
import KuraValues

extension GraphEditor {
  /// The key of an object whose links were touched; nil for an object that nobody has seen.
  func key(of touch: GraphTouch) -> KeyOfObject? {
    let place = GraphPlace(table: touch.column.table, row: touch.row)
    guard newPlaces[place] == nil else { return nil }
    return KeyOfObject(objectID(place), graph.definition(touch.column).key)
  }

  /// Takes objects away and follows no rule: others are to have their numbers.
  mutating func remove(_ ids: [ObjectID]) {
    for id in ids {
      guard let place = find(id), isDeleted.insert(place).inserted else { continue }
      deleted.append(place)
    }
  }

  /// Takes from an object that is to be deleted the links that it had where the change was made: what
  /// is not deleted with it was out of its reach there, and its rules have nothing to say of that.
  /// Where the other end keeps its links too, an edit of that has said so already.
  mutating func leave(
    _ id: ObjectID, _ values: [(key: String, value: ChangeValue)], keeping deletions: Set<ObjectID>
  ) {
    guard let place = find(id), newPlaces[place] == nil else { return }
    for (key, value) in values {
      guard let (column, destination) = slot(key, place)?.linkColumn else { continue }
      let known = Set(value.numbers)
      let kept = LinkColumn(table: place.table, column: column)
      guard !keepsOtherEnd(kept) else { continue }
      setTargets(
        kept, place.row,
        to: targets(kept, place.row).filter { row in
          let target = objectID(GraphPlace(table: destination, row: Int(row)))
          return !known.contains(target.number) || deletions.contains(target)
        })
    }
  }

  private func keepsOtherEnd(_ column: LinkColumn) -> Bool {
    switch otherEnd(of: column) {
    case .none, .read: false
    case .itself, .kept: true
    }
  }

  /// Does to a key what a change did to it: of a to-many, what came and what went.
  mutating func replay(
    _ key: String, of id: ObjectID, from old: ChangeValue, to new: ChangeValue
  ) throws(Diagnostic) {
    let place = try place(of: id)
    guard let slot = slot(key, place) else {
      let entity = objectID(place).entity
      throw Diagnostic(
        ChangeFacts.unknownKey(key, entity: entity, known: model.keys(of: entity)))
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

  /// The numbers that a relationship is to have.
  private func merged(
    _ key: String, of id: ObjectID, _ slot: KeySlot, _ place: GraphPlace, from old: ChangeValue,
    to new: ChangeValue
  ) -> [Int64] {
    guard slot.isToMany, newPlaces[place] == nil else { return new.numbers }
    let start = graph.value(key, of: id).numbers
    let edit = ListEdit(
      from: old.numbers, to: new.numbers, isOrdered: model.isOrdered(key, of: id.entity))
    let wanted = edit.done(to: start) ?? new.numbers
    // What edits before this one have taken from here, or brought.
    let now = numbers(related(slot, place), slot)
    let (taken, own) = (Set(start).subtracting(now), Set(new.numbers))
    let kept = wanted.filter { !taken.contains($0) || own.contains($0) }
    let known = Set(start).union(kept)
    return kept + now.filter { !known.contains($0) }
  }

  private func numbers(_ rows: [UInt32], _ slot: KeySlot) -> [Int64] {
    guard let table = graph.destination(slot) else { return [] }
    return rows.map { objectID(GraphPlace(table: table, row: Int($0))).number }
  }
}

extension Model {
  /// Whether a to-many has an order of its own.
  func isOrdered(_ key: String, of entity: String) -> Bool {
    guard case .relationship(let relationship)? = property(named: key, of: entity) else {
      return false
    }
    return relationship.isOrdered
  }
}

/// What somebody did to the objects of a to-many: which came, which went, in which order they are.
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
  /// The same done to what somebody else has made of the list; nil where both have put what they
  /// share into another order.
  func done(to present: [Int64]) -> [Int64]? {
    if present == old { return new }
    if present == new { return present }
    if keepsOrder { return merged(into: present) }
    let other = ListEdit(from: old, to: present, isOrdered: isOrdered)
    return other.keepsOrder ? other.merged(into: new) : nil
  }

  /// Whether what was there before and still is has the same order.
  private var keepsOrder: Bool {
    guard isOrdered else { return true }
    let (before, after) = (Set(old), Set(new))
    return old.filter(after.contains) == new.filter(before.contains)
  }

  /// What came stands before what it stood before, else at the end.
  private func merged(into present: [Int64]) -> [Int64] {
    let (before, after) = (Set(old), Set(new))
    let kept = present.filter { after.contains($0) || !before.contains($0) }
    let known = Set(kept)
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
    return kept.flatMap { (followers[$0] ?? []) + [$0] } + open
  }
}
