import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
package import KuraValues

/// A small store of a model whose objects somebody made up.
package struct MadeUpStore: Sendable {
  package internal(set) var objects: [Object] = []

  package struct Object: Sendable {
    package let entity: String
    package internal(set) var number: Int64
    /// Attributes by their names, in the order of the model.
    package internal(set) var values: [(key: String, value: Value)] = []
    package internal(set) var links: [Link] = []
  }

  /// The objects to which a relationship leads, by their places in the store.
  package struct Link: Sendable {
    package let key: String
    package let isToMany: Bool
    package internal(set) var places: [Int]
  }
}

extension MadeUpStore {
  /// A graph of these objects and no others.
  func graph(of model: Model, in context: EvaluationContext) throws -> Graph {
    var made = ManagedObjectContext(Graph(model: model))
    let new = objects.map { object in
      NewObject(
        entity: object.entity, number: object.number,
        values: object.values.map { NewValue($0.key, $0.value) }
          + object.links.map { NewValue($0.key, value(of: $0, model)) })
    }
    _ = try made.perform("", in: context) { editor in try editor.insert(new) }
    return made.graph
  }

  private func value(of link: Link, _ model: Model) -> Value {
    let objects = link.places.map { place in
      let object = self.objects[place]
      let root = model.root(of: object.entity)
      let id = ObjectID(entity: object.entity, root: root, number: object.number)
      return Value.object(ObjectReference(NamedObject(objectID: id)))
    }
    return link.isToMany ? .list(objects) : objects.first ?? .null
  }

  /// Whether the objects keep the rules of their model.
  func isValid(for model: Model, in context: EvaluationContext) -> Bool {
    guard let graph = try? graph(of: model, in: context) else { return false }
    return ManagedObjectContext(graph).allValidationFailures(in: context).isEmpty
  }
}

// Making it smaller
extension MadeUpStore {
  /// The store without an object, and without what leads to it.
  func without(_ place: Int) -> MadeUpStore {
    var result = self
    result.objects.remove(at: place)
    for object in result.objects.indices {
      for link in result.objects[object].links.indices {
        let places = result.objects[object].links[link].places.filter { $0 != place }
        result.objects[object].links[link].places = places.map { $0 > place ? $0 - 1 : $0 }
      }
    }
    return result
  }

  /// Only the objects of a range, which lead to none outside it.
  func part(_ range: Range<Int>) -> MadeUpStore {
    var result = MadeUpStore()
    for var object in objects[range] {
      for link in object.links.indices {
        object.links[link].places = object.links[link].places.map { $0 - range.lowerBound }
      }
      result.objects.append(object)
    }
    return result
  }

  /// The same with numbers from 1, in each entity's own count.
  func renumbered(_ model: Model) -> MadeUpStore {
    var (result, given) = (self, [String: Int64]())
    for place in objects.indices {
      let root = model.root(of: objects[place].entity)
      given[root, default: 0] += 1
      result.objects[place].number = given[root] ?? 1
    }
    return result
  }
}
