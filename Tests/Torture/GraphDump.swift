import KuraGraph
import KuraModel
import KuraValues

/// The content of a graph: every object with every value, and every link with the identities of its
/// ends.
struct GraphDump: Equatable {
  /// The entities, by table and number, which no change of the model alters.
  var objects: [String: String] = [:]
  /// By object and key, the value as text; a relationship's objects in order.
  var values: [String: [String: String]] = [:]
  /// The violations that were found.
  var faults: [String] = []

  init(_ graph: Graph) {
    let snapshot = GraphSnapshot(graph)
    for entity in graph.model.entities {
      for id in graph.objectIDs(of: entity.name) where id.entity == entity.name {
        add(id, snapshot)
      }
    }
    checkBothEnds(graph)
  }
}

extension GraphDump {
  private mutating func add(_ id: ObjectID, _ snapshot: GraphSnapshot) {
    let graph = snapshot.graph
    guard let place = graph.find(id) else { return faults.append("\(id) is listed but not found") }
    let object = snapshot.object(table: place.table, row: place.row)
    let name = Self.name(id, graph)
    objects[name] = id.entity
    for key in graph.model.keys(of: id.entity) {
      let value = (try? object.value(forKey: key)) ?? .null
      values[name, default: [:]][key] = text(value, snapshot)
      if case .relationship(let relationship)? = graph.model.property(named: key, of: id.entity) {
        check(value.objects, relationship, "\(id).\(key)", graph)
      }
    }
  }

  /// Returns the table's index and the number, which stay the same when entities are renamed.
  static func name(_ id: ObjectID, _ graph: Graph) -> String {
    "\(graph.place(of: id.entity)?.table ?? -1)/\(id.number)"
  }

  private func text(_ value: Value, _ snapshot: GraphSnapshot) -> String {
    switch value {
    case .object, .list(_), .set(_):
      let ids = value.objects
      if ids.isEmpty { return "\(value)" }
      let names = ids.map { Self.name($0, snapshot.graph) }
      return "→ " + (value.isList ? names : names.sorted()).joined(separator: " ")
    // −0 and NaN are values too.
    case .double(let number): return "double \(number.bitPattern)"
    default: return "\(value)"
    }
  }

  private mutating func check(
    _ ids: [ObjectID], _ relationship: Relationship, _ place: String, _ graph: Graph
  ) {
    for id in ids {
      if graph.find(id) == nil { faults.append("\(place) is \(id), which does not exist") }
      if !graph.model.entity(id.entity, isKindOf: relationship.destination) {
        faults.append("\(place) is \(id), which is not a \(relationship.destination)")
      }
    }
    if Set(ids).count < ids.count { faults.append("\(place) has a duplicate: \(ids)") }
  }

  private mutating func checkBothEnds(_ graph: Graph) {
    let snapshot = GraphSnapshot(graph)
    for entity in graph.model.entities {
      for relationship in entity.relationships {
        guard let inverse = graph.model.inverse(of: relationship.name, in: entity.name) else {
          continue
        }
        let here = snapshot.pairs(relationship.name, of: entity.name)
        let there = snapshot.pairs(inverse.relationship.name, of: inverse.owner)
        if here != Set(there.map { $0.reversed() }) {
          faults.append("\(entity.name).\(relationship.name) and its inverse do not agree")
        }
      }
    }
  }
}

extension GraphSnapshot {
  /// Returns every link of a relationship, as source and target.
  func pairs(_ key: String, of entity: String) -> Set<[String]> {
    var pairs: Set<[String]> = []
    for id in graph.objectIDs(of: entity) {
      guard let place = graph.find(id),
        let value = try? object(table: place.table, row: place.row).value(forKey: key)
      else { continue }
      for other in value.objects {
        pairs.insert([GraphDump.name(id, graph), GraphDump.name(other, graph)])
      }
    }
    return pairs
  }
}

extension Value {
  /// The object, or the objects of a list.
  var objects: [ObjectID] {
    switch self {
    case .object(let reference): [reference.id].compactMap { $0 }
    case .list(let values): values.flatMap(\.objects)
    case .set(let values): values.elements.flatMap(\.objects)
    default: []
    }
  }

  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
