package import KuraModel

/// The tables of a model, and the place of each entity.
package struct ModelLayout: Sendable {
  package let tables: [TableLayout]
  /// The table of each entity, and its code in it.
  package let places: [String: EntityPlace]
  /// The attributes that are computed after each change.
  let derivations: [Derivation]
  /// Whether any key has JSON values.
  package let hasJSON: Bool

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
    var known: ColumnPlaces = [:]
    for (number, column) in columns.flatMap({ $0.enumerated() }) {
      let key = EntityKey(column.entity, column.key)
      if known[key] == nil { known[key] = (number, column.kind) }
    }
    tables = trees.indices.map {
      TableLayout(
        root: roots[$0], entities: trees[$0], columns: columns[$0],
        slots: ModelLayout.slots(of: trees[$0], model, places, known))
    }
    self.places = places
    derivations = model.derivations
    hasJSON = columns.contains { $0.contains { $0.kind == .attribute(.json) } }
  }
}

/// A table, and the code of an entity in it.
package struct EntityPlace: Sendable, Hashable {
  package var table: Int
  package var code: Int
}

extension ModelLayout {
  /// Returns the codes of an entity and its subentities in their table.
  package func codes(of entity: String, _ model: Model) -> Set<Int> {
    Set(([entity] + model.descendants(of: entity)).compactMap { places[$0]?.code })
  }

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
            kind: relationship.isToMany ? .toMany(destination: to) : .toOne(destination: to),
            isOrdered: relationship.isOrdered)
        }
    }
  }

  /// Returns whether a relationship has a column: the stored side, or both if both are ordered.
  private static func isKept(_ relationship: Relationship, of entity: String, _ model: Model)
    -> Bool
  {
    switch model.writtenSide(of: relationship.name, in: entity) {
    case .here, .both, .lowerObjectID: true
    case .there, nil: false
    }
  }

  /// Returns the keys of each entity of a tree, including inherited ones. Each entity's own keys
  /// are looked up once. Linear in the tree.
  private static func slots(
    of tree: [String], _ model: Model, _ places: [String: EntityPlace], _ columns: ColumnPlaces
  ) -> [[String: KeySlot]] {
    var known: [String: [String: KeySlot]] = [:]
    for name in tree {
      var line: [Entity] = []
      var next: String? = name
      while let name = next, known[name] == nil, let entity = model[name] {
        line.append(entity)
        next = entity.parent
      }
      for entity in line.reversed() {
        let slots = own(entity, model, places, columns)
        let inherited = entity.parent.flatMap { known[$0] } ?? [:]
        known[entity.name] =
          inherited.isEmpty ? slots : slots.merging(inherited) { _, ancestors in ancestors }
      }
    }
    return tree.map { known[$0] ?? [:] }
  }

  private static func own(
    _ entity: Entity, _ model: Model, _ places: [String: EntityPlace], _ columns: ColumnPlaces
  ) -> [String: KeySlot] {
    var slots: [String: KeySlot] = [:]
    for attribute in entity.attributes {
      let column = columns[EntityKey(entity.name, attribute.name)]
      if let column { slots[attribute.name] = .attribute(column: column.column, attribute.type) }
    }
    for relationship in entity.relationships {
      slots[relationship.name] = slot(relationship, of: entity.name, model, places, columns)
    }
    return slots
  }

  private static func slot(
    _ relationship: Relationship, of declaring: String, _ model: Model,
    _ places: [String: EntityPlace], _ columns: ColumnPlaces
  ) -> KeySlot {
    guard let here = places[declaring]?.table, let there = places[relationship.destination]?.table
    else { return .unresolved(isToMany: relationship.isToMany) }
    if let own = columns[EntityKey(declaring, relationship.name)] {
      return relationship.isToMany
        ? .toMany(column: own.column, destination: there, isOrdered: relationship.isOrdered)
        : .toOne(column: own.column, destination: there)
    }
    if let inverse = model.inverse(of: relationship.name, in: declaring),
      let other = columns[EntityKey(inverse.owner, inverse.relationship.name)],
      other.kind.destination == here
    {
      return .inverse(source: there, column: other.column, isToMany: relationship.isToMany)
    }
    return .unresolved(isToMany: relationship.isToMany)
  }
}

/// The columns of keys, by declaring entity.
private typealias ColumnPlaces = [EntityKey: (column: Int, kind: ColumnKind)]

/// The columns for the keys of an entity and all its subentities: one table per tree.
package struct TableLayout: Sendable {
  /// The entity at the root of the tree.
  package let root: String
  /// The entities of the tree, the root first. The index of an entity is its code in the table.
  package let entities: [String]
  /// The definition of each column.
  package let columns: [ColumnDefinition]
  /// The keys of each entity, including inherited ones.
  package let slots: [[String: KeySlot]]

  package init(
    root: String, entities: [String], columns: [ColumnDefinition], slots: [[String: KeySlot]]
  ) {
    self.root = root
    self.entities = entities
    self.columns = columns
    self.slots = slots
  }
}

/// A column, with its key and the entity that declares the key.
package struct ColumnDefinition: Sendable, Hashable {
  package var entity: String
  package var key: String
  package var kind: ColumnKind
  /// Whether the objects of a to-many relationship keep the order in which they were added; otherwise they have the
  /// order of their objectIDs.
  package var isOrdered = false
}

/// The place of a key's values.
package enum KeySlot: Sendable, Hashable {
  /// `title`
  case attribute(column: Int, AttributeType)
  /// `parentCategory`, stored as row numbers
  case toOne(column: Int, destination: Int)
  /// `tags` on the stored side, as lists
  case toMany(column: Int, destination: Int, isOrdered: Bool)
  /// the other side: derived from the inverse's column in the table `source`
  case inverse(source: Int, column: Int, isToMany: Bool)
  /// a relationship whose destination is not defined yet: always empty
  case unresolved(isToMany: Bool)
}

extension KeySlot {
  package var isToMany: Bool {
    switch self {
    case .attribute, .toOne: false
    case .toMany: true
    case .inverse(_, _, let isToMany), .unresolved(let isToMany): isToMany
    }
  }

  package var attributeType: AttributeType? {
    if case .attribute(_, let type) = self { type } else { nil }
  }

  /// The column with its values, if it is stored on this side.
  package var column: Int? {
    switch self {
    case .attribute(let column, _), .toOne(let column, _), .toMany(let column, _, _): column
    case .inverse, .unresolved: nil
    }
  }
}
