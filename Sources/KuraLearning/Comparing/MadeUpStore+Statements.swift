import KuraBytes
import KuraJSON
package import KuraModel
package import KuraValues

extension MadeUpStore {
  /// The statements that make it, one for each object, in an order in which each finds what it names.
  ///
  ///     insert Tag {"objectID": 1, "name": "a"}
  ///     insert Item {"objectID": 1, "title": "x", "tags": [1]}
  package func statements(_ model: Model, _ zone: ZoneRules) -> [String] {
    let order = order(model)
    let links = links(written: order, model)
    return order.map { statement(of: objects[$0], links[$0], model, zone) }
  }

  /// What is led to before what leads there, where the way back has no name.
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

  /// The links of each object as they are written: each once, at the end that comes later.
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

extension [MadeUpStore.Link] {
  fileprivate mutating func add(_ key: String, isToMany: Bool, _ place: Int) {
    guard let known = firstIndex(where: { $0.key == key }) else {
      return append(MadeUpStore.Link(key: key, isToMany: isToMany, places: [place]))
    }
    if !self[known].places.contains(place) { self[known].places.append(place) }
  }
}
