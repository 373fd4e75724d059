package import KuraModel
import KuraValues

/// The types of the keys in a change, at the time when the change was made.
///
/// A value in a change set does not determine its type: `7` is a number, a date or, in a
/// relationship, an object. A history or a recovery file stores these types with a change, and
/// compares them before another model reads the change.
package struct KeyTypes: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// `title: string`
    case attribute(AttributeType)
    /// `category: Category?`, by its destination
    case object(String)
    /// `tags: [Tag]`, by its destination
    case objects(String)
  }

  /// The types by entity and key.
  package var entities: [String: [String: Kind]]

  package init(_ entities: [String: [String: Kind]] = [:]) { self.entities = entities }

  /// Creates the types of a change that was made for a model. Linear in its columns.
  package init(_ change: ChangeSet, in model: Model) {
    entities = [:]
    for batch in change.batches { note(batch.entity, batch.columns.map(\.key), in: model) }
  }

  private mutating func note(_ entity: String, _ keys: [String], in model: Model) {
    for key in keys where entities[entity]?[key] == nil {
      if let kind = Kind(key, of: entity, in: model) { entities[entity, default: [:]][key] = kind }
    }
  }
}

extension KeyTypes.Kind {
  /// Returns nil if the entity has no such key.
  init?(_ key: String, of entity: String, in model: Model) {
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute)?: self = .attribute(attribute.type)
    case .relationship(let relationship)?:
      self =
        relationship.isToMany
        ? .objects(relationship.destination) : .object(relationship.destination)
    case nil: return nil
    }
  }
}

extension KeyTypes {
  /// Returns the first key, by name, that a model does not have, or has with another type.
  package func firstDifference(from model: Model) -> (entity: String, key: String)? {
    for (entity, keys) in entities.sorted(by: { $0.key < $1.key }) {
      for (key, kind) in keys.sorted(by: { $0.key < $1.key })
      where Kind(key, of: entity, in: model) != kind {
        return (entity, key)
      }
    }
    return nil
  }
}

extension AttributeType {
  /// Returns whether an attribute of this type can have a stored value.
  func admits(_ value: StoredCell) -> Bool {
    switch value {
    case .null: true
    case .integer(let number): integers?.contains(number) ?? false
    case .double(let number): admits(number)
    case .boolean: self == .boolean
    case .text(let text): admits(text)
    case .object, .objects: false
    }
  }

  /// The range of integers in a column of this type, with dates in microseconds; nil for other types.
  var integers: ClosedRange<Int64>? {
    self == .date
      ? Timestamp.earliest.microseconds...Timestamp.latest.microseconds : integerRange
  }

  func admits(_ number: Double) -> Bool {
    switch self {
    case .double, .float: holds(.double(number))
    case .integer, .integer16, .integer32, .decimal, .string, .boolean, .date, .uuid, .uri,
      .binary, .json:
      false
    }
  }

  func admits(_ text: String) -> Bool {
    switch self {
    case .string: true
    case .uri: !text.isEmpty
    case .decimal, .json, .uuid, .binary:
      // Texts that a document can contain; others are read as nil, or not at all.
      (try? value(ofText: text, in: .utc)).map { $0 != .null } ?? false
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: false
    }
  }

  /// Whether every text is a value of this type, so that its columns need no check.
  package var admitsEveryText: Bool { self == .string }
}

extension KeySlot {
  /// Returns whether a key can have a value, according to its type. Whether the objects of a
  /// relationship exist is not checked.
  package func admits(_ value: StoredCell) -> Bool {
    if let type = attributeType { return type.admits(value) }
    return switch value {
    case .null, .object: true
    case .objects(let numbers): isToMany || numbers.count <= 1
    case .integer, .double, .boolean, .text: false
    }
  }
}

/// The reason why a change cannot enter a graph: the first part that the graph's model or objects do not allow.
package struct ChangeRefusal: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The model has no such entity, or the entity is abstract.
    case entity
    /// The entity has no such key, or the change has the key twice.
    case key
    /// The value has another type than the key, or is out of the type's range.
    case value(StoredCell, AttributeType)
    /// The value of a relationship is not a list of objects, or a to-one relationship has several.
    case notLinks
    /// A link does not lead to an object of the relationship's destination.
    case destination(Int64)
    /// The object does not exist.
    case missing
    /// The object exists already, or the change inserts or deletes it twice.
    case taken
    /// No object can have this number.
    case number
    /// A key has more or fewer values than the change has objects.
    case count
  }

  package var entity: String
  /// The number of the object; nil if the reason concerns the entity or a key of it.
  package var number: Int64?
  package var key: String?
  package var reason: Reason

  package init(_ reason: Reason, _ entity: String, _ number: Int64? = nil, _ key: String? = nil) {
    (self.entity, self.number, self.key, self.reason) = (entity, number, key, reason)
  }
}

extension ChangeRefusal {
  /// `Item/3.title`, `Item/3`, `Item.title` or `Item`
  package var place: String {
    let object = number.map { "\(entity)/\($0)" } ?? entity
    return key.map { "\(object).\($0)" } ?? object
  }
}
