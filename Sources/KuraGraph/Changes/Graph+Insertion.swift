package import KuraDiagnostics
import KuraModel
import KuraValues

extension Graph {
  /// The change that inserts some objects: numbers given, defaults filled in, everything checked.
  ///
  /// Throws where an entity, a key or a value does not fit; nothing has changed then.
  package func insertion(of objects: [NewObject]) throws(Diagnostic) -> ChangeSet {
    var free = tables.map(\.nextNumber)
    var taken: Set<ObjectID> = []
    var batches: [InsertedObjects] = []
    for object in objects {
      let number = try number(for: object, &free, &taken)
      let columns = try columns(of: object)
      append(object.entity, number, columns, to: &batches)
    }
    return ChangeSet(inserted: batches)
  }

  private func number(
    for object: NewObject, _ free: inout [Int64], _ taken: inout Set<ObjectID>
  ) throws(Diagnostic) -> Int64 {
    guard let entity = model[object.entity], let place = place(of: object.entity) else {
      throw Diagnostic(ChangeFacts.unknownEntity(object.entity, known: model.entities.map(\.name)))
    }
    guard !entity.isAbstract else { throw Diagnostic(ChangeFacts.abstractEntity(object.entity)) }
    let number = object.number ?? free[place.table]
    let id = ObjectID(
      entity: object.entity, root: tables[place.table].layout.root, number: number)
    let isTaken = tables[place.table].identifiers.row(of: number) != nil
    guard number > 0, number < .max else {
      throw Diagnostic(ChangeFacts.badObjectID(number), at: object.numberSpan)
    }
    guard !isTaken, taken.insert(id).inserted else {
      throw Diagnostic(ChangeFacts.takenObjectID(id), at: object.numberSpan)
    }
    free[place.table] = max(free[place.table], number + 1)
    return number
  }

  /// All attributes in the model's order, then the relationships that were given.
  private func columns(of object: NewObject) throws(Diagnostic) -> [(key: String, values: [Value])]
  {
    for (i, value) in object.values.enumerated() {
      guard model.property(named: value.key, of: object.entity) != nil else {
        throw Diagnostic(
          ChangeFacts.unknownKey(
            value.key, entity: object.entity, known: model.keys(of: object.entity)), at: value.span)
      }
      if object.values[..<i].contains(where: { $0.key == value.key }) {
        throw Diagnostic(ChangeFacts.keyTwice(value.key), at: value.span)
      }
    }
    var columns: [(key: String, values: [Value])] = []
    for attribute in model.allAttributes(of: object.entity) {
      let given = object.values.first { $0.key == attribute.name }
      columns.append((attribute.name, [given?.value ?? attribute.defaultValue ?? .null]))
    }
    for relationship in model.allRelationships(of: object.entity) {
      guard let given = object.values.first(where: { $0.key == relationship.name }) else {
        continue
      }
      try check(given, relationship, object.entity)
      columns.append((relationship.name, [given.value]))
    }
    return columns
  }

  private func check(
    _ given: NewValue, _ relationship: Relationship, _ entity: String
  ) throws(Diagnostic) {
    let objects = given.value.relatedObjects
    let fits = objects?.allSatisfy { $0 != nil } ?? false
    guard fits, let objects, relationship.isToMany || objects.count <= 1 else {
      throw Diagnostic(
        ChangeFacts.notObjects(
          key: relationship.name, destination: relationship.destination,
          isToMany: relationship.isToMany), at: given.span)
    }
    for case let id? in objects {
      guard let found = find(id) else {
        throw Diagnostic(ChangeFacts.noObject(id), at: given.span)
      }
      let kind = tables[found.table].objectID(found.row).entity
      guard model.entity(kind, isKindOf: relationship.destination) else {
        throw Diagnostic(
          ChangeFacts.wrongDestination(
            id, key: relationship.name, destination: relationship.destination), at: given.span)
      }
    }
  }

  /// Objects of one entity with the same keys stand in one batch.
  private func append(
    _ entity: String, _ number: Int64, _ columns: [(key: String, values: [Value])],
    to batches: inout [InsertedObjects]
  ) {
    if let last = batches.indices.last, batches[last].entity == entity,
      batches[last].columns.map(\.key) == columns.map(\.key)
    {
      batches[last].numbers.append(number)
      for i in columns.indices { batches[last].columns[i].values += columns[i].values }
    } else {
      batches.append(InsertedObjects(entity: entity, numbers: [number], columns: columns))
    }
  }
}

extension Value {
  /// The objects that a relationship's value names; nil inside for what is no object.
  var relatedObjects: [ObjectID?]? {
    switch self {
    case .null: []
    case .object(let reference): [reference.id]
    case .list(let values): values.map(\.objectIDValue)
    case .set(let values): values.elements.map(\.objectIDValue)
    default: nil
    }
  }

  private var objectIDValue: ObjectID? {
    if case .object(let reference) = self { reference.id } else { nil }
  }
}
