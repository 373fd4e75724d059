import KuraModel
import KuraPredicates

/// Finds entities and keys of the model for spellings in other languages.
struct ModelNames: Sendable {
  let model: Model

  /// Returns `Item` for `item`, `items`, `ITEMS`, `Items`; `MemoDate` for `memo_dates`; nil if none
  /// fits.
  func entity(_ name: String) -> String? {
    if model[name] != nil { return name }
    let wanted = Self.plain(name)
    guard !wanted.isEmpty else { return nil }
    let names = model.entities.map(\.name)
    return names.first { Self.plain($0) == wanted }
      ?? names.first { Self.plurals(of: Self.plain($0)).contains(wanted) }
      ?? names.first { Self.plurals(of: wanted).contains(Self.plain($0)) }
  }

  /// Returns the name and the property of a key of an entity; the property is nil for `objectID`.
  func key(_ name: String, of entity: String) -> (name: String, property: Property?)? {
    if let property = model.property(named: name, of: entity) { return (name, property) }
    let wanted = Self.plain(name)
    let properties = properties(of: entity)
    if let found = properties.first(where: { Self.plain($0.name) == wanted }) {
      return (found.name, found)
    }
    if Self.identities.contains(wanted) || wanted == Self.plain(entity) + "id" {
      return ("objectID", nil)
    }
    return foreignKey(wanted, properties)
  }

  /// Returns `parentCategory` for `parent_category_id`, `categoryID`.
  private func foreignKey(
    _ wanted: String, _ properties: [Property]
  ) -> (name: String, property: Property?)? {
    guard wanted.hasSuffix("id"), wanted.count > 2 else { return nil }
    let stem = String(wanted.dropLast(2))
    let ways = properties.filter {
      if case .relationship(let way) = $0 { !way.isToMany } else { false }
    }
    let found =
      ways.filter { Self.plain($0.name) == stem } + ways.filter { destination(of: $0) == stem }
    return found.first.map { ($0.name, $0) }
  }

  private func destination(of property: Property) -> String? {
    guard case .relationship(let way) = property else { return nil }
    return Self.plain(way.destination)
  }

  private static let identities: Set = [
    "id", "objectid", "pk", "rowid", "zpk", "persistentmodelid",
  ]

  private func properties(of entity: String) -> [Property] {
    model.allAttributes(of: entity).map { .attribute($0) }
      + model.allRelationships(of: entity).map { .relationship($0) }
  }

  /// Returns whether a name denotes the objectID: `id`, `item_id`.
  func isIdentity(_ key: String, of entity: String) -> Bool {
    self.key(key, of: entity)?.name == "objectID"
  }

  func relationships(from entity: String, to other: String) -> [Relationship] {
    model.allRelationships(of: entity).filter {
      $0.destination == other || model.entity(other, isKindOf: $0.destination)
    }
  }

  /// Returns only the letters and digits, in lowercase.
  static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func plurals(of name: String) -> [String] {
    var plurals = [name + "s", name + "es", name + "list"]
    if name.hasSuffix("y") { plurals.append(name.dropLast() + "ies") }
    return plurals
  }

  /// Returns a key or an entity as a statement writes it.
  static func written(_ name: String) -> String {
    name.isIdentifier && Keyword(word: name) == nil ? name : StatementText.name(name)
  }
}
