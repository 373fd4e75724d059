package import KuraModel

/// Where the keys of an entity and of all its subentities are kept: one table for the whole tree.
package struct TableLayout: Sendable {
  /// The entity at the root of the tree.
  package let root: String
  /// The entities of the tree, the root first; an entity's place is its code in the table.
  package let entities: [String]
  /// What each column holds.
  package let columns: [ColumnDefinition]
  /// For each entity: its keys, inherited ones too.
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

/// A column by the entity that declares its key.
package struct ColumnDefinition: Sendable, Hashable {
  package var entity: String
  package var key: String
  package var kind: ColumnKind

  package init(entity: String, key: String, kind: ColumnKind) {
    self.entity = entity
    self.key = key
    self.kind = kind
  }
}

/// Where a key's values are.
package enum KeySlot: Sendable, Hashable {
  /// `title`
  case attribute(column: Int, AttributeType)
  /// `parentCategory`, kept as row numbers
  case toOne(column: Int, destination: Int)
  /// `tags` on the side that is written, kept as lists
  case toMany(column: Int, destination: Int, isOrdered: Bool)
  /// the other side: read from the inverse's column in the table `source`
  case inverse(source: Int, column: Int, isToMany: Bool)
  /// a relationship whose destination is not defined yet: of no object
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

  /// The type of an attribute; nil for a relationship.
  package var attributeType: AttributeType? {
    if case .attribute(_, let type) = self { type } else { nil }
  }

  /// The column that holds it, if this side has one.
  package var column: Int? {
    switch self {
    case .attribute(let column, _), .toOne(let column, _), .toMany(let column, _, _): column
    case .inverse, .unresolved: nil
    }
  }
}
