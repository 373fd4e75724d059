import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A type of Swift whose values are objects of an entity.
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
/// Its coding keys are keys of the entity. A relationship is an `ObjectID`, a list of them, or, in a
/// type that is only read, a type of the objects at its other end. A key `objectID` of the type
/// `ObjectID?` is given the object's identity, and is not stored; nor is a key that the model derives.
public protocol Storable: Codable, SendableMetatype {
  /// The entity; the type's own name unless said.
  static var entityName: String { get }
}

extension Storable {
  /// `Item`
  public static var entityName: String { String(describing: Self.self) }
}

extension ManagedObjectContext {
  /// Inserts an object with the values of a type, as one undo group.
  ///
  /// Linear in the keys, whatever the number of objects. Throws a diagnostic where the entity does not have
  /// a key, or a value does not fit.
  @discardableResult public func insert(
    _ value: some Storable, actionName: String? = nil
  ) throws -> ManagedObject { try insert([value], actionName: actionName)[0] }

  /// Inserts several objects with the values of a type, as one undo group. Linear in the objects.
  @discardableResult public func insert<Stored: Storable>(
    _ values: [Stored], actionName: String? = nil
  ) throws -> [ManagedObject] {
    try check(Stored.self)
    return try insert(
      Stored.entityName, try values.map { try keyed($0) }, actionName: actionName)
  }

  /// Gives an object the values of a type, as one undo group; keys that are nil are emptied. Linear in
  /// the keys.
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

  /// What is to be stored of a value: not its identity, nor what the model derives.
  private func keyed<Stored: Storable>(_ value: Stored) throws -> KeyedValues {
    guard case .dictionary(let dictionary) = try ValueEncoder().encode(value) else {
      throw Diagnostic(StorableFacts.withoutKeys("\(Stored.self)"))
    }
    let derived = model.derivedKeys(of: Stored.entityName)
    var values: KeyedValues = [:]
    for (key, value) in zip(dictionary.keys, dictionary.values)
    where key != "objectID" && !derived.contains(key) {
      values[key] = value
    }
    return values
  }

  /// Throws where a type does not fit the model; looked at once for each model.
  func check(_ type: any Storable.Type) throws(StoreError) {
    if storage.knows(type) { return }
    try check([type])
    storage.note(type)
  }

  /// Throws where types do not fit the model.
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

  /// What of a type does not fit its entity.
  fileprivate func problems(of type: any Storable.Type) -> [StorableFacts] {
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
  /// Why a key of a type is no such property.
  fileprivate func problem(of key: ProbedKey) -> String? {
    switch self {
    case .attribute(let attribute):
      if attribute.isOptional, !key.isOptional, attribute.derivation == nil {
        return "is optional in the model, and there is no ? behind it here"
      }
      if key.isList { return attribute.type == .json ? nil : "is one value in the model" }
      return attribute.type.stored.contains(key.stored)
        ? nil : "is of the type \(attribute.type.rawValue) in the model"
    case .relationship(let relationship):
      guard key.stored == .any || key.stored == .object else {
        return "is a relationship in the model: ObjectID, or a type of \(relationship.destination)"
      }
      if relationship.isToMany, !key.isList, key.stored == .object {
        return "leads to many objects in the model: [ObjectID]"
      }
      if !relationship.isToMany, key.isList { return "leads to one object in the model" }
      return relationship.isOptional && !relationship.isToMany && !key.isOptional
        ? "may lead nowhere in the model, and there is no ? behind it here" : nil
    }
  }
}

extension AttributeType {
  /// The kinds of type that can be read from it.
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
