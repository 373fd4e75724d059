import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// What keys are to be: Swift's values for attributes, enumerations with raw values and Foundation's
/// classes too, objects for relationships, nil for nothing.
public typealias KeyedValues = [String: Any?]

// Inserting
extension ManagedObjectContext {
  /// Inserts an object as one undo group; keys that are not given get their defaults.
  ///
  ///     try context.insert("Item", ["title": "掃除", "due": Date.now, "parentCategory": home])
  ///
  /// Linear in the keys, whatever the number of objects. Throws a diagnostic where an entity, a key or a
  /// value does not fit; nothing is inserted then.
  @discardableResult public func insert(
    _ entity: String, _ values: KeyedValues = [:], actionName: String? = nil
  ) throws -> ManagedObject {
    try insert(entity, [values], actionName: actionName)[0]
  }

  /// Inserts several objects as one undo group: all of them or, with an error, none.
  ///
  ///     try context.insert("Tag", [["name": "家"], ["name": "仕事"]])
  ///
  /// Linear in the objects; to insert many at once is much faster than one by one.
  @discardableResult public func insert(
    _ entity: String, _ objects: [KeyedValues], actionName: String? = nil
  ) throws -> [ManagedObject] {
    let reading = ValueReading(storage)
    let new = try objects.map {
      NewObject(entity: entity, values: try reading.values($0, of: entity))
    }
    let ids = try edit(name(actionName, "insert", entity)) { editor in try editor.insert(new) }
    return ids.map { ManagedObject($0, storage) }
  }
}

// Updating
extension ManagedObjectContext {
  /// Gives keys of an object other values, as one undo group.
  ///
  ///     try context.update(item, ["done": true, "parentCategory": nil])
  ///
  /// Linear in the keys, whatever the number of objects. Throws a diagnostic where a key or a value does
  /// not fit, or the object is gone.
  public func update(
    _ object: ManagedObject, _ values: KeyedValues, actionName: String? = nil
  ) throws { try update([object], values, actionName: actionName) }

  /// Gives keys of several objects the same values, as one undo group. Linear in the objects.
  public func update(
    _ objects: [ManagedObject], _ values: KeyedValues, actionName: String? = nil
  ) throws { try set(own(objects), values, .set, actionName) }

  /// Gives keys of all objects that a request finds the same values, as one undo group, and says how
  /// many they are.
  ///
  ///     try context.update(FetchRequest("Item", where: "due < %@", Date.now), ["done": true])   // 3
  ///
  /// What the fetch costs, and linear in the objects found. A limit of 0, which is none, is refused.
  @discardableResult public func update(
    _ request: FetchRequest, _ values: KeyedValues, actionName: String? = nil
  ) throws -> Int {
    let ids = try reader.ids(request.checkingItsLimit())
    try set(ids, values, .set, actionName)
    return ids.count
  }

  /// Puts objects to those of a to-many relationship.
  ///
  ///     try context.add([tag], to: "tags", of: item)
  ///
  /// Linear in the objects that stand there then.
  public func add(
    _ others: [ManagedObject], to key: String, of object: ManagedObject, actionName: String? = nil
  ) throws { try set(own([object]), [key: others], .add, actionName) }

  /// Takes objects out of those of a to-many relationship. Linear in the objects that stood there.
  public func remove(
    _ others: [ManagedObject], from key: String, of object: ManagedObject,
    actionName: String? = nil
  ) throws { try set(own([object]), [key: others], .remove, actionName) }

  /// The identities of objects of this store. Throws where one is another's.
  private func own(_ objects: [ManagedObject]) throws(Diagnostic) -> [ObjectID] {
    for object in objects { try storage.origin.check(object) }
    return objects.map(\.id)
  }

  private func set(
    _ ids: [ObjectID], _ values: KeyedValues, _ operation: NewValue.Operation, _ name: String?
  ) throws {
    guard !ids.isEmpty else { return }
    let reading = ValueReading(storage)
    var known: [String: [NewValue]] = [:]
    for entity in Set(ids.map(\.entity)).sorted() {
      known[entity] = try reading.values(values, of: entity, operation)
    }
    try edit(self.name(name, "update", known.count == 1 ? known.keys.first : nil)) { editor in
      for id in ids {
        for value in known[id.entity] ?? [] { try editor.set(value, of: id) }
      }
    }
  }
}

// Deleting
extension ManagedObjectContext {
  /// Deletes an object, and what its delete rules say of others, as one undo group.
  ///
  /// A relationship whose rule is `deny` is asked at the save. Linear in the objects that go and those
  /// that lead to them. Throws a diagnostic where there is no such object.
  public func delete(_ object: ManagedObject, actionName: String? = nil) throws {
    try delete([object], actionName: actionName)
  }

  /// Deletes several objects, as one undo group. Linear in the objects that go and those that lead to
  /// them.
  public func delete(_ objects: [ManagedObject], actionName: String? = nil) throws {
    try delete(ids: own(objects), actionName)
  }

  /// Deletes all objects that a request finds, and says how many those are; what delete rules took
  /// with them is not counted.
  ///
  ///     try context.delete(FetchRequest("Item", where: "done == YES"))   // 12
  ///
  /// What the fetch costs, and linear in the objects that go and those that lead to them. A limit of 0,
  /// which is none, is refused.
  @discardableResult public func delete(
    _ request: FetchRequest, actionName: String? = nil
  ) throws -> Int {
    let ids = try reader.ids(request.checkingItsLimit())
    try delete(ids: ids, actionName)
    return ids.count
  }

  private func delete(ids: [ObjectID], _ name: String?) throws {
    guard !ids.isEmpty else { return }
    let entities = Set(ids.map(\.entity))
    try edit(self.name(name, "delete", entities.count == 1 ? entities.first : nil)) { editor in
      try editor.delete(ids)
    }
  }
}

/// Reads Swift's values as what a model's keys take.
struct ValueReading {
  /// Not the graph: who keeps that lets the next change copy what it changes.
  private let model: Model
  private let environment: FetchEnvironment
  private let origin: StoreOrigin

  init(_ storage: ContextStorage) {
    (model, origin) = (storage.model, storage.origin)
    environment = FetchEnvironment(
      now: .now, rules: storage.environment.rules, locale: EvaluationContext.plainLocale)
  }

  /// The values by the keys of an entity, in the order of the keys.
  func values(
    _ values: KeyedValues, of entity: String, _ operation: NewValue.Operation = .set
  ) throws(Diagnostic) -> [NewValue] {
    guard model[entity] != nil else {
      let known = model.entities.map(\.name)
      throw Diagnostic(ChangeFacts.unknownEntity(entity, known: known))
    }
    var result: [NewValue] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let given = try Self.given(value, key, entity)
      let value = try self.value(given.inWholeMicroseconds, key, entity, operation)
      result.append(NewValue(key, value, operation: operation))
    }
    return result
  }

  private static func given(
    _ value: Any?, _ key: String, _ entity: String
  ) throws(Diagnostic) -> Value {
    guard let value else { return .null }
    do { return try Value(untyped: value) } catch {
      throw Diagnostic(KeyedFacts(key: key, entity: entity, facts: UnreadableFacts(error: error)))
    }
  }

  private func value(
    _ value: Value, _ key: String, _ entity: String, _ operation: NewValue.Operation
  ) throws(Diagnostic) -> Value {
    switch model.property(named: key, of: entity) {
    case .attribute(let attribute)? where operation == .set:
      do { return try attribute.type.taking(value, in: environment) } catch {
        throw Diagnostic(KeyedFacts(key: key, entity: entity, facts: error.facts))
      }
    case .relationship(let relationship)? where operation == .set || relationship.isToMany:
      try origin.check(value)
      return value.named(in: model)
    case .attribute?, .relationship?: throw Diagnostic(NotToManyFacts(key: key, entity: entity))
    case nil:
      let known = model.keys(of: entity)
      throw Diagnostic(ChangeFacts.unknownKey(key, entity: entity, known: known))
    }
  }
}

/// What is wrong with the value of a key.
private struct KeyedFacts: DiagnosticFacts {
  let key: String
  let entity: String
  let facts: any DiagnosticFacts

  var kind: Diagnostic.Kind { .change }
  var sentence: String { "\(entity).\(key): \(facts.sentence)" }
  var help: String? { facts.help }
}

/// A value of a type that predicates do not know.
private struct UnreadableFacts: DiagnosticFacts {
  let error: UnknownValueType

  var kind: Diagnostic.Kind { .change }
  var sentence: String { error.description }
}

/// `add([tag], to: "title", of: item)`
private struct NotToManyFacts: DiagnosticFacts {
  let key: String
  let entity: String

  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("\(entity).\(key) is no to-many relationship") }
  var help: String? { localized("give it another value: update(_:_:)") }
}
