import KuraModel

/// An object's identity: the root entity of its tree, and its number.
struct PlainID: Hashable, CustomStringConvertible {
  var root: String
  var number: Int64
  var description: String { "\(root)/\(number)" }
}

/// An object as a dictionary: its attributes as texts, and the targets of each relationship.
struct PlainObject: Equatable {
  var entity: String
  var values: [String: String] = [:]
  var links: [String: [PlainID]] = [:]
}

/// A graph in the simplest form: both ends of every relationship are stored.
///
/// If an object was deleted with the rule `deny` or `none`, others may still link to it.
struct PlainGraph {
  let world: GeneratedModel
  var objects: [PlainID: PlainObject] = [:]
  /// The objects in the order of insertion, so that random choices are the same for the same seed.
  var order: [PlainID] = []
}

extension PlainGraph {
  func links(_ id: PlainID, _ key: String) -> [PlainID] { objects[id]?.links[key] ?? [] }

  /// Returns the links to existing objects.
  func seen(_ id: PlainID, _ key: String) -> [PlainID] {
    links(id, key).filter { objects[$0] != nil }
  }

  /// Returns the objects of an entity and its subentities.
  func objects(of entity: String) -> [PlainID] { order.filter { isKind($0, of: entity) } }

  func isKind(_ id: PlainID, of entity: String) -> Bool {
    objects[id].map { world.kinds(of: $0.entity).contains(entity) } ?? false
  }

  /// Whether a link leads to a missing object.
  var isDangling: Bool { !dangling.isEmpty }

  /// `A/3.r0a A/7`: links to missing objects.
  var dangling: [String] {
    objects.flatMap { id, object in
      object.links.flatMap { key, targets in
        targets.filter { objects[$0] == nil }.map { "\(id).\(key) \($0)" }
      }
    }
  }
}

extension PlainGraph {
  mutating func insert(
    _ id: PlainID, _ entity: String, _ values: [String: String], _ links: [(String, [PlainID])]
  ) {
    // Links to a former object of this number do not lead to the new one.
    forget(id)
    objects[id] = PlainObject(entity: entity, values: values)
    order.append(id)
    for (key, targets) in links { set(id, key, targets) }
  }

  /// Removes all links to an object.
  mutating func forget(_ id: PlainID) {
    for other in objects.keys { for end in ends(of: other) { drop(id, from: other, end.name) } }
  }

  private func ends(of id: PlainID) -> [RelationshipEnd] {
    objects[id].map { world.ends(of: $0.entity) } ?? []
  }

  private mutating func drop(_ target: PlainID, from id: PlainID, _ key: String) {
    if links(id, key).contains(target) { objects[id]?.links[key]?.removeAll { $0 == target } }
  }

  /// Sets the targets of a relationship, and updates the inverse.
  mutating func set(_ id: PlainID, _ key: String, _ targets: [PlainID]) {
    let end = world.end(key)
    let old = links(id, key)
    if let inverse = end.inverse.map(world.end) {
      for target in old where !targets.contains(target) { drop(id, from: target, inverse.name) }
      for target in targets where !old.contains(target) {
        if !inverse.isToMany {
          for owner in links(target, inverse.name) where owner != id {
            drop(target, from: owner, key)
          }
          objects[target]?.links[inverse.name] = [id]
        } else {
          objects[target]?.links[inverse.name, default: []].append(id)
        }
      }
    }
    objects[id]?.links[key] = targets
  }

  mutating func delete(_ ids: [PlainID]) {
    var open = ids
    while let id = open.popLast() {
      for end in ends(of: id) {
        if end.rule == .cascade { open += seen(id, end.name) }
        follow(end, from: id)
      }
      objects[id] = nil
      order.removeAll { $0 == id }
      for other in objects.keys {
        for end in ends(of: other) where end.inverse == nil { drop(id, from: other, end.name) }
      }
    }
  }

  /// Applies the delete rule to the objects at the other end.
  private mutating func follow(_ end: RelationshipEnd, from id: PlainID) {
    guard let inverse = end.inverse else { return }
    // A link that is stored only in the deleted object is removed.
    let stays = (end.rule == .deny || end.rule == .none) && world.isKept(inverse)
    if !stays { for target in links(id, end.name) { drop(id, from: target, inverse) } }
  }
}
