import KuraModel
import KuraValues

/// A part of a change that is given up in favor of the store.
enum DiscardedPart {
  /// The change of a key, in an update or a new object.
  case key(KeyOfObject)
  /// All changes of an object.
  case object(ObjectID)
  case deletion(ObjectID)
  /// A single link of a key.
  case link(KeyOfObject, to: ObjectID)
}

extension DiscardedPart {
  init(_ conflict: ChangeConflict) {
    let key = KeyOfObject(conflict.object, conflict.key ?? "")
    switch conflict.kind {
    case .value, .taken, .beside, .leads, .together: self = .key(key)
    case .deleted: self = .object(conflict.object)
    case .changed: self = .deletion(conflict.object)
    case .destination(let id): self = .link(key, to: id)
    }
  }

  init(_ cause: Replay.Cause) {
    switch cause {
    case .key(let key): self = .key(key)
    case .deletion(let id): self = .deletion(id)
    }
  }

  func renumbered(_ renumbering: Renumbering) -> DiscardedPart {
    switch self {
    case .key(let key): .key(KeyOfObject(renumbering(key.id), key.key))
    case .object(let id): .object(renumbering(id))
    case .deletion(let id): .deletion(id)
    case .link(let key, let id):
      .link(KeyOfObject(renumbering(key.id), key.key), to: renumbering(id))
    }
  }
}

/// The parts that are removed from a change.
struct DiscardedParts {
  private let graph: Graph
  private var keys: Set<KeyOfObject> = []
  private var objects: Set<ObjectID> = []
  private var deletions: Set<ObjectID> = []
  private var links: [KeyOfObject: Set<ObjectID>] = [:]
  /// Deletions that are given up together with the deletions that caused them.
  private(set) var companions: [ChangeConflict] = []

  init(_ graph: Graph) { self.graph = graph }

  mutating func add(_ part: DiscardedPart, of change: ChangeSet) {
    switch part {
    case .key(let key): keys.insert(key)
    case .object(let id): objects.insert(id)
    case .link(let key, let id): links[key, default: []].insert(id)
    case .deletion(let id): keep(id, change)
    }
  }

  /// Keeps an object, and the objects that its deletion would have deleted too.
  private mutating func keep(_ id: ObjectID, _ change: ChangeSet) {
    let deleted = Set(change.deletedObjects(in: graph))
    var open = [id]
    while let next = open.popLast() {
      guard deletions.insert(next).inserted else { continue }
      if next != id { companions.append(ChangeConflict(object: next, kind: .together(id))) }
      open += graph.cascade(from: next).filter(deleted.contains)
    }
  }

  func rest(of change: ChangeSet) -> ChangeSet {
    change.mapping(
      deletes: { !deletions.contains($0) },
      { key, change in
        guard !keys.contains(key), let new = change.new else { return nil }
        guard let old = change.old else {
          return KeyChange(key: key.key, new: without(links[key] ?? [], new, key))
        }
        return objects.contains(key.id) ? nil : update(key, old, new)
      }, in: graph)
  }

  /// Returns the update of a relationship, in which remaining objects are not removed, and deleted ones are not added.
  private func update(
    _ key: KeyOfObject, _ old: StoredCell, _ new: StoredCell
  ) -> KeyChange? {
    let next = without(links[key] ?? [], new, key)
    if case .object = new, next == .null { return nil }
    let missing = Set(old.numbers).subtracting(new.numbers)
      .compactMap { graph.target($0, of: key) }
    let staying = deletions.intersection(missing)
    if case .object = old, next == .null, !staying.isEmpty { return nil }
    if case .object = old { return KeyChange(key: key.key, old: old, new: next) }
    return KeyChange(key: key.key, old: without(staying, old, key), new: next)
  }

  private func without(
    _ gone: Set<ObjectID>, _ value: StoredCell, _ key: KeyOfObject
  ) -> StoredCell {
    if gone.isEmpty { return value }
    let rest = value.numbers.filter { number in
      graph.target(number, of: key).map { !gone.contains($0) } ?? true
    }
    switch value {
    case .objects: return rest.isEmpty ? .null : .objects(rest)
    case .object: return rest.isEmpty ? .null : value
    case .null, .integer, .double, .boolean, .text: return value
    }
  }
}

extension Graph {
  /// Returns the objects that deleting an object directly deletes too.
  fileprivate func cascade(from id: ObjectID) -> [ObjectID] {
    guard let place = find(id) else { return [] }
    let table = tables[place.table]
    let entity = table.objectID(place.row).entity
    return model.allRelationships(of: entity).filter { $0.deleteRule == .cascade }
      .flatMap { relationship -> [ObjectID] in
        guard let slot = table.layout.slots[table.entityCode(place.row)][relationship.name],
          let destination = destination(slot)
        else { return [] }
        return rows(slot, place.table, place.row).map { tables[destination].objectID(Int($0)) }
      }
  }
}
