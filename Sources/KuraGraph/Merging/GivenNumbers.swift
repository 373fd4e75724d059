import KuraModel
package import KuraValues

/// The numbers that were given to objects here since the others' saves were read last.
package struct GivenNumbers: Sendable {
  /// By root: the numbers from these on were given since.
  package var before: [String: Int64]
  /// By root: the numbers from these on nobody has here.
  package var next: [String: Int64]
  /// Objects that have such numbers and may come back, or that are still spoken of.
  package var objects: [ObjectID]

  package init(
    before: [String: Int64], next: [String: Int64] = [:], objects: [ObjectID] = []
  ) {
    (self.before, self.next, self.objects) = (before, next, objects)
  }
}

extension GivenNumbers {
  /// Other numbers for what has one that the store has given too, so that a number never means two
  /// objects to anybody.
  func renumbering(of change: ChangeSet, in store: Graph) -> Renumbering {
    let inserted = change.insertedObjects(in: store)
    let gone = Set(change.deletedObjects(in: store))
    let taken = inserted.filter { isGivenTwice($0, store) || store.find($0) != nil }
      .filter { !gone.contains($0) }
    let others = Set(objects).subtracting(inserted).filter { isGivenTwice($0, store) }
      .sorted { ($0.root, $0.number) < ($1.root, $1.number) }
    var free = freeNumbers(inserted + objects, store)
    var result = Renumbering()
    for id in taken + others {
      guard let number = free[id.root] else { continue }
      result.add(id, number)
      free[id.root] = number + 1
    }
    return result
  }

  private func isGivenTwice(_ id: ObjectID, _ store: Graph) -> Bool {
    guard let place = store.place(of: id.entity) else { return false }
    return id.number >= before[id.root] ?? 1 && id.number < store.tables[place.table].nextNumber
  }

  /// By root the first number that nobody has.
  private func freeNumbers(_ objects: [ObjectID], _ store: Graph) -> [String: Int64] {
    var free = store.givenNumbers.merging(next) { max($0, $1) }
    for id in objects where id.number < ObjectID.greatestNumber {
      free[id.root] = max(free[id.root] ?? 1, id.number + 1)
    }
    return free
  }
}
