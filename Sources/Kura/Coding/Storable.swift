import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A Swift type whose values are stored as objects of an entity.
///
///     struct Item: Storable {
///       var title: String
///       var due: Date?
///       var parentCategory: ObjectID?
///     }
///     let store = try Store.open("todo.json", storing: [Item.self])   // the keys are checked
///     try store.context.insert(Item(title: "掃除"))
///     let items = try store.context.fetch(Item.self, where: "due == nil")
///
/// The coding keys are the keys of the entity. A relationship is an `ObjectID` or an array of them.
/// In a type that is only read, it can also be a type for the destination objects. A key `objectID`
/// of the type `ObjectID?` receives the object's identity. It is not stored; neither are keys that
/// the model derives.
public protocol Storable: Codable, SendableMetatype {
  /// The name of the entity; by default, the name of the type.
  static var entityName: String { get }
}

extension Storable {
  /// The name of the type, such as `Item`.
  public static var entityName: String { String(describing: Self.self) }
}

extension ManagedObjectContext {
  /// Inserts an object with the values of an instance, as one undo group.
  ///
  /// Linear in the keys, independent of the number of objects. Throws a diagnostic if the entity
  /// does not have a key or a value does not fit.
  @discardableResult public func insert(
    _ value: some Storable, actionName: String? = nil
  ) throws -> ManagedObject { try insert([value], actionName: actionName)[0] }

  /// Inserts an object for each instance, as one undo group. Linear in the objects.
  @discardableResult public func insert<Stored: Storable>(
    _ values: [Stored], actionName: String? = nil
  ) throws -> [ManagedObject] {
    try check(Stored.self)
    return try insert(
      Stored.entityName, try values.map { try keyed($0) }, actionName: actionName)
  }

  /// Sets the values of an object to those of an instance, as one undo group. Keys that are nil
  /// become null. Linear in the keys.
  public func update<Stored: Storable>(
    _ object: ManagedObject, to value: Stored, actionName: String? = nil
  ) throws {
    try check(Stored.self)
    var values = try keyed(value)
    let derived = model.derivedKeys(of: Stored.entityName)
    for key in KeyProbe.keys(of: Stored.self)
    where key.isOptional && key.name != "objectID" && !derived.contains(key.name) {
      if values[key.name] == nil { values.updateValue(nil, forKey: key.name) }
    }
    try update(object, values, actionName: actionName)
  }

  /// Returns the values to store: all keys except the identity and the keys that the model derives.
  private func keyed<Stored: Storable>(_ value: Stored) throws -> KeyedValues {
    guard case .dictionary(let dictionary) = try ValueEncoder().encode(value) else {
      throw Diagnostic(StorableProblem.withoutKeys("\(Stored.self)"))
    }
    let derived = model.derivedKeys(of: Stored.entityName)
    var values: KeyedValues = [:]
    for (key, value) in zip(dictionary.keys, dictionary.values)
    where key != "objectID" && !derived.contains(key) {
      values[key] = value
    }
    return values
  }

  /// Throws if a type does not fit the model. The result is cached per model.
  func check(_ type: any Storable.Type) throws(StoreError) {
    if storage.knows(type) { return }
    try check([type])
    storage.note(type)
  }

  /// Throws if types do not fit the model.
  func check(_ types: [any Storable.Type]) throws(StoreError) {
    let model = model
    let problems = types.flatMap { model.problems(of: $0) }
    if !problems.isEmpty { throw .storable(problems.map { Diagnostic($0) }) }
  }
}

extension Model {
  fileprivate func derivedKeys(of entity: String) -> Set<String> {
    Set(allAttributes(of: entity).filter { $0.derivation != nil }.map(\.name))
  }

  /// Returns what does not match between a type and its entity.
  fileprivate func problems(of type: any Storable.Type) -> [StorableProblem] {
    let (name, entity) = ("\(type)", type.entityName)
    guard self[entity] != nil else {
      return [.unknownEntity(type: name, entity, known: entities.map(\.name))]
    }
    return KeyProbe.keys(of: type).filter { $0.name != "objectID" }.compactMap { key in
      guard let property = property(named: key.name, of: entity) else {
        return .unknownKey(type: name, key.name, entity: entity, known: keys(of: entity))
      }
      return property.problem(of: key).map { .unfit(type: name, key.name, entity: entity, $0) }
    }
  }
}

extension Property {
  /// Returns why the type of a key does not fit this property; nil if it fits.
  fileprivate func problem(of key: ProbedKey) -> String? {
    switch self {
    case .attribute(let attribute):
      if attribute.isOptional, !key.isOptional, attribute.derivation == nil {
        return "is optional in the model, so its Swift type needs a ?"
      }
      if key.isList {
        return attribute.type == .json ? nil : "is a single value in the model, not a list"
      }
      return attribute.type.stored.contains(key.stored)
        ? nil : "has the type \(attribute.type.rawValue) in the model"
    case .relationship(let relationship):
      guard key.stored == .any || key.stored == .object else {
        return "is a relationship in the model: use ObjectID or a \(relationship.destination) type"
      }
      if relationship.isToMany, !key.isList, key.stored == .object {
        return "is a to-many relationship in the model: use [ObjectID]"
      }
      if !relationship.isToMany, key.isList {
        return "is a to-one relationship in the model, not a list"
      }
      return relationship.isOptional && !relationship.isToMany && !key.isOptional
        ? "is optional in the model, so its Swift type needs a ?" : nil
    }
  }
}

extension AttributeType {
  /// The kinds of Swift types that can read this attribute type.
  fileprivate var stored: [StoredKind] {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: [.number, .any]
    case .string: [.string, .any]
    case .boolean: [.boolean, .any]
    case .date: [.date, .any]
    case .uuid: [.uuid, .any]
    case .uri: [.uri, .string, .any]
    case .binary: [.binary, .any]
    case .json: [.number, .string, .boolean, .any]
    }
  }
}
