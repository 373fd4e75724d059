import KuraGraph
import KuraModel
import KuraSentences
import KuraValues

/// All objects of a graph: initial ones by identity, new ones by their values.
struct GraphContent: Equatable {
  fileprivate enum Held: Hashable {
    case value(Value)
    case objects([String])
  }

  fileprivate struct New: Hashable {
    var entity: String
    var values: [String: Held]
  }

  fileprivate var known: [ObjectID: [String: Held]] = [:]
  fileprivate var new: [New: Int] = [:]

  init(_ graph: Graph, since start: Graph) {
    let snapshot = GraphSnapshot(graph)
    for entity in graph.model.entities {
      for id in graph.objectIDs(of: entity.name) where id.entity == entity.name {
        guard let place = graph.find(id) else { continue }
        let object = snapshot.object(table: place.table, row: place.row)
        let values = Self.values(of: object, id, graph.model, since: start)
        if start.find(id) != nil {
          known[id] = values
        } else {
          new[New(entity: id.entity, values: values), default: 0] += 1
        }
      }
    }
  }

  private static func values(
    of object: GraphObject, _ id: ObjectID, _ model: Model, since start: Graph
  ) -> [String: Held] {
    var values: [String: Held] = [:]
    for attribute in model.allAttributes(of: id.entity) {
      values[attribute.name] = .value((try? object.value(forKey: attribute.name)) ?? .null)
    }
    for relationship in model.allRelationships(of: id.entity) {
      let names = ((try? object.value(forKey: relationship.name)) ?? .null).objectIDs.map {
        start.find($0) == nil ? localized("new \($0.entity)") : $0.description
      }
      values[relationship.name] = .objects(relationship.isOrdered ? names : names.sorted())
    }
    return values
  }
}

/// The difference between a graph and the expected one.
struct GraphDifference {
  /// Objects that should have been deleted, and those that should not.
  var notDeleted: [ObjectID] = []
  var deleted: [ObjectID] = []
  /// Keys with a wrong value.
  var changed: [(id: ObjectID, key: String, wanted: String, found: String)] = []
  /// The number of missing and of extra new objects, by entity.
  var missing: [String: Int] = [:]
  var extra: [String: Int] = [:]

  fileprivate var isEmpty: Bool {
    notDeleted.isEmpty && deleted.isEmpty && changed.isEmpty && missing.isEmpty && extra.isEmpty
  }
}

extension GraphContent {
  func difference(to wanted: GraphContent) -> GraphDifference? {
    var result = GraphDifference()
    let ids = Set(known.keys).union(wanted.known.keys).sorted {
      ($0.root, $0.number) < ($1.root, $1.number)
    }
    for id in ids {
      switch (known[id], wanted.known[id]) {
      case (let found?, let values?):
        for key in values.keys.sorted() where found[key] != values[key] {
          result.changed.append((id, key, Self.text(values[key]), Self.text(found[key])))
        }
      case (.some, nil): result.notDeleted.append(id)
      case (nil, _): result.deleted.append(id)
      }
    }
    for object in Set(new.keys).union(wanted.new.keys) {
      let surplus = new[object, default: 0] - wanted.new[object, default: 0]
      if surplus > 0 { result.extra[object.entity, default: 0] += surplus }
      if surplus < 0 { result.missing[object.entity, default: 0] -= surplus }
    }
    return result.isEmpty ? nil : result
  }

  private static func text(_ held: Held?) -> String {
    switch held {
    case .value(let value)?: RowText.text(value)
    case .objects(let names)?: names.isEmpty ? "NULL" : names.list
    case nil: "NULL"
    }
  }
}
