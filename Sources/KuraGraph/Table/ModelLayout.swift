package import KuraModel

/// The tables of a model and where each entity is.
package struct ModelLayout: Sendable {
  package let tables: [TableLayout]
  /// For each entity its table and its code in it.
  package let places: [String: EntityPlace]
  /// What is computed after each change.
  let derivations: [Derivation]

  package init(_ model: Model) {
    let roots = model.entities.filter { $0.parent == nil }.map(\.name)
    let trees = roots.map { [$0] + model.descendants(of: $0) }
    var places: [String: EntityPlace] = [:]
    for (table, tree) in trees.enumerated() {
      for (code, name) in tree.enumerated() {
        places[name] = EntityPlace(table: table, code: code)
      }
    }
    let columns = trees.map { ModelLayout.columns(of: $0, model, places) }
    tables = trees.indices.map {
      TableLayout(
        root: roots[$0], entities: trees[$0], columns: columns[$0],
        slots: trees[$0].map { ModelLayout.slots(of: $0, model, places, columns) })
    }
    self.places = places
    derivations = model.derivations
  }
}

/// A table and an entity's code in it.
package struct EntityPlace: Sendable, Hashable {
  package var table: Int
  package var code: Int
}

extension ModelLayout {
  private static func columns(
    of tree: [String], _ model: Model, _ places: [String: EntityPlace]
  ) -> [ColumnDefinition] {
    tree.flatMap { name -> [ColumnDefinition] in
      guard let entity = model[name] else { return [] }
      let attributes = entity.attributes.map {
        ColumnDefinition(entity: name, key: $0.name, kind: .attribute($0.type))
      }
      return attributes
        + entity.relationships.compactMap { relationship in
          guard let to = places[relationship.destination]?.table,
            isKept(relationship, of: name, model)
          else { return nil }
          return ColumnDefinition(
            entity: name, key: relationship.name,
            kind: relationship.isToMany ? .toMany(destination: to) : .toOne(destination: to))
        }
    }
  }

  /// Whether a relationship has a column: the written side does, and both if both are ordered.
  private static func isKept(_ relationship: Relationship, of entity: String, _ model: Model)
    -> Bool
  {
    switch model.writtenSide(of: relationship.name, in: entity) {
    case .here, .both, .lowerObjectID: true
    case .there, nil: false
    }
  }

  private static func slots(
    of name: String, _ model: Model, _ places: [String: EntityPlace],
    _ columns: [[ColumnDefinition]]
  ) -> [String: KeySlot] {
    guard let table = places[name]?.table else { return [:] }
    var slots: [String: KeySlot] = [:]
    for declaring in [name] + model.ancestors(of: name) {
      guard let entity = model[declaring] else { continue }
      for attribute in entity.attributes {
        let column = columns[table].firstIndex {
          $0.entity == declaring && $0.key == attribute.name
        }
        if let column { slots[attribute.name] = .attribute(column: column, attribute.type) }
      }
      for relationship in entity.relationships {
        slots[relationship.name] = slot(relationship, of: declaring, model, places, columns)
      }
    }
    return slots
  }

  private static func slot(
    _ relationship: Relationship, of declaring: String, _ model: Model,
    _ places: [String: EntityPlace], _ columns: [[ColumnDefinition]]
  ) -> KeySlot {
    guard let here = places[declaring]?.table, let there = places[relationship.destination]?.table
    else { return .unresolved(isToMany: relationship.isToMany) }
    if let own = place(of: relationship.name, declaring, in: columns[here]) {
      return relationship.isToMany
        ? .toMany(column: own, destination: there, isOrdered: relationship.isOrdered)
        : .toOne(column: own, destination: there)
    }
    if let inverse = model.inverse(of: relationship.name, in: declaring),
      let other = place(of: inverse.relationship.name, inverse.owner, in: columns[there]),
      columns[there][other].kind.points(to: here)
    {
      return .inverse(source: there, column: other, isToMany: relationship.isToMany)
    }
    return .unresolved(isToMany: relationship.isToMany)
  }

  private static func place(
    of key: String, _ entity: String, in columns: [ColumnDefinition]
  ) -> Int? { columns.firstIndex { $0.entity == entity && $0.key == key } }
}

extension ColumnKind {
  func points(to table: Int) -> Bool {
    switch self {
    case .attribute: false
    case .toOne(let destination), .toMany(let destination): destination == table
    }
  }
}
