import KuraBytes
import KuraGraph
import KuraJSON
package import KuraModel
import KuraPredicates
package import KuraValues

/// A small store of a model, with generated objects.
package struct GeneratedStore: Sendable {
  package internal(set) var objects: [Object] = []

  package struct Object: Sendable {
    package let entity: String
    package internal(set) var number: Int64
    /// The attributes by name, in the order of the model.
    package internal(set) var values: [(key: String, value: Value)] = []
    package internal(set) var links: [Link] = []
  }

  /// The objects to which a relationship leads, by their indices in the store.
  package struct Link: Sendable {
    package let key: String
    package let isToMany: Bool
    package internal(set) var places: [Int]
  }
}

extension GeneratedStore {
  /// Returns a graph of exactly these objects.
  func graph(of model: Model, in context: EvaluationContext) throws -> Graph {
    var filled = GraphContext(Graph(model: model))
    let new = objects.map { object in
      NewObject(
        entity: object.entity, number: object.number,
        values: object.values.map { NewValue($0.key, $0.value) }
          + object.links.map { NewValue($0.key, value(of: $0, model)) })
    }
    _ = try filled.perform("", in: context) { editor in try editor.insert(new) }
    return filled.graph
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

  /// Returns whether the objects satisfy the rules of their model.
  func isValid(for model: Model, in context: EvaluationContext) -> Bool {
    guard let graph = try? graph(of: model, in: context) else { return false }
    return GraphContext(graph).allValidationFailures(in: context).isEmpty
  }
}

// Reducing
extension GeneratedStore {
  /// Returns the store without an object and without the links to it.
  func without(_ place: Int) -> GeneratedStore {
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

  /// Returns only the objects of a range, which must not link to others.
  func part(_ range: Range<Int>) -> GeneratedStore {
    var result = GeneratedStore()
    for var object in objects[range] {
      for link in object.links.indices {
        object.links[link].places = object.links[link].places.map { $0 - range.lowerBound }
      }
      result.objects.append(object)
    }
    return result
  }

  /// Returns the store with objectIDs from 1, separately for each root entity.
  func renumbered(_ model: Model) -> GeneratedStore {
    var (result, given) = (self, [String: Int64]())
    for place in objects.indices {
      let root = model.root(of: objects[place].entity)
      given[root, default: 0] += 1
      result.objects[place].number = given[root] ?? 1
    }
    return result
  }

  /// Returns the statements that create it, one for each object, in an order in which links lead to
  /// existing objects.
  ///
  ///     insert Tag {"objectID": 1, "name": "a"}
  ///     insert Item {"objectID": 1, "title": "x", "tags": [1]}
  package func statements(_ model: Model, _ zone: ZoneRules) -> [String] {
    let order = order(model)
    let links = links(written: order, model)
    return order.map { statement(of: objects[$0], links[$0], model, zone) }
  }

  /// Returns an order in which targets precede the objects that link to them, if a relationship has
  /// no inverse.
  private func order(_ model: Model) -> [Int] {
    var order: [Int] = []
    while order.count < objects.count {
      let left = objects.indices.filter { !order.contains($0) }
      let next = left.first { place in
        objects[place].links.allSatisfy { link in
          model.inverse(of: link.key, in: objects[place].entity) != nil
            || link.places.allSatisfy { $0 == place || order.contains($0) }
        }
      }
      order.append(next ?? left[0])
    }
    return order
  }

  /// Returns the links of each object to be written: each link once, on the object that comes
  /// later.
  private func links(written order: [Int], _ model: Model) -> [[Link]] {
    var result: [[Link]] = objects.map { _ in [] }
    for (turn, place) in order.enumerated() {
      for link in objects[place].links {
        for target in link.places {
          let inverse = model.inverse(of: link.key, in: objects[place].entity)?.relationship
          let isKnown = order[..<turn].contains(target)
          if let inverse, !isKnown {
            result[target].add(inverse.name, isToMany: inverse.isToMany, place)
          } else {
            result[place].add(link.key, isToMany: link.isToMany, target)
          }
        }
      }
    }
    return result
  }

  private func statement(
    of object: Object, _ links: [Link], _ model: Model, _ zone: ZoneRules
  ) -> String {
    var members = [(key: "objectID", text: "\(object.number)")]
    for (key, value) in object.values {
      let type = model.allAttributes(of: object.entity).first { $0.name == key }?.type ?? .json
      members.append((key, type.node(value, in: zone).text))
    }
    for link in links {
      let numbers = link.places.map { "\(objects[$0].number)" }.joined(separator: ", ")
      members.append((link.key, link.isToMany ? "[\(numbers)]" : numbers))
    }
    let text = members.map { key, text in
      "\(AttributeType.json.node(.string(key), in: zone).text): \(text)"
    }
    return "insert \(StatementText.name(object.entity)) {\(text.joined(separator: ", "))}"
  }
}

extension [GeneratedStore.Link] {
  fileprivate mutating func add(_ key: String, isToMany: Bool, _ place: Int) {
    guard let known = firstIndex(where: { $0.key == key }) else {
      return append(GeneratedStore.Link(key: key, isToMany: isToMany, places: [place]))
    }
    if !self[known].places.contains(place) { self[known].places.append(place) }
  }
}

/// Pseudorandom numbers, which are the same for the same seed.
struct Seeds {
  private var numbers: SplitMix64

  init(_ seed: UInt64) { numbers = SplitMix64(state: seed) }
}

extension Seeds {
  mutating func next() -> UInt64 { numbers.next() }

  /// Returns a number from 0 up to, but not including, `count`, which must not be 0.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// Returns true in one of `cases` cases.
  mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// Returns one of several choices; nil if there are none.
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[below(choices.count)]
  }
}
