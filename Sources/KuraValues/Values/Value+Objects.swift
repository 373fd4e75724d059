extension Value {
  /// Calls the body with each object that it is or holds, in their order.
  package func forEachObject(_ body: (ObjectReference) -> Void) {
    if case .object(let reference) = self { return body(reference) }
    for element in elements ?? [] { element.forEachObject(body) }
  }

  /// The same with other values in the place of the objects that it is or holds.
  package func mapObjects(_ body: (ObjectReference) -> Value) -> Value {
    switch self {
    case .object(let reference): body(reference)
    case .list(let values): .list(values.map { $0.mapObjects(body) })
    case .set(let set): .set(ValueSet(distinct: set.elements.map { $0.mapObjects(body) }))
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues { $0.mapObjects(body) })
    case .null, .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary: self
    }
  }

  /// The identities of the objects that it is or holds. Linear in what it holds.
  public var objectIDs: [ObjectID] {
    var ids: [ObjectID] = []
    forEachObject { if let id = $0.id { ids.append(id) } }
    return ids
  }

  /// Whether it is an object or holds one.
  package var holdsObjects: Bool {
    switch self {
    case .object: true
    default: elements?.contains(where: \.holdsObjects) ?? false
    }
  }
}
