import KuraModel

/// An object's identity: the entity at the root of its tree, and its number.
struct PlainID: Hashable, CustomStringConvertible {
  var root: String
  var number: Int64
  var description: String { "\(root)/\(number)" }
}

/// An object as a dictionary: texts of its attributes, and whom each relationship leads to.
struct PlainObject: Equatable {
  var entity: String
  var values: [String: String] = [:]
  var links: [String: [PlainID]] = [:]
}

/// A graph as obvious as can be: both ends of every relationship are written down.
///
/// Where an object was deleted under `deny` or `none`, others may still lead to it.
struct PlainGraph {
  let world: GeneratedModel
  var objects: [PlainID: PlainObject] = [:]
  /// The objects as they came, so that chance has the same choice with the same seed.
  var order: [PlainID] = []
}

extension PlainGraph {
  func links(_ id: PlainID, _ key: String) -> [PlainID] { objects[id]?.links[key] ?? [] }

  /// Those of the links that lead to an object which is there.
  func seen(_ id: PlainID, _ key: String) -> [PlainID] {
    links(id, key).filter { objects[$0] != nil }
  }

  /// The objects of an entity and its subentities.
  func objects(of entity: String) -> [PlainID] { order.filter { isKind($0, of: entity) } }

  func isKind(_ id: PlainID, of entity: String) -> Bool {
    objects[id].map { world.kinds(of: $0.entity).contains(entity) } ?? false
  }

  /// Whether something leads to an object that is not there.
  var isDangling: Bool { !dangling.isEmpty }

  /// `A/3.r0a A/7`: what leads to which object that is not there.
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
    // What led to an object of this number does not lead to the new one.
    forget(id)
    objects[id] = PlainObject(entity: entity, values: values)
    order.append(id)
    for (key, targets) in links { set(id, key, targets) }
  }

  /// Nothing leads to an object any more.
  mutating func forget(_ id: PlainID) {
    for other in objects.keys { for end in ends(of: other) { drop(id, from: other, end.name) } }
  }

  private func ends(of id: PlainID) -> [RelationshipEnd] {
    objects[id].map { world.ends(of: $0.entity) } ?? []
  }

  private mutating func drop(_ target: PlainID, from id: PlainID, _ key: String) {
    if links(id, key).contains(target) { objects[id]?.links[key]?.removeAll { $0 == target } }
  }

  /// Gives a relationship other objects, and writes the other end down.
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

  /// What the other end does when an object goes.
  private mutating func follow(_ end: RelationshipEnd, from id: PlainID) {
    guard let inverse = end.inverse else { return }
    // A link that is kept by the deleted object alone goes with it.
    let stays = (end.rule == .deny || end.rule == .none) && world.isKept(inverse)
    if !stays { for target in links(id, end.name) { drop(id, from: target, inverse) } }
  }
}
