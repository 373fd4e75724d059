import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraModel
import KuraPredicates
import KuraSentences
public import KuraValues

/// The objects of a store with the changes since it was last saved, and the way back.
///
///     let store = try Store.inMemory(model)
///     let home = try store.context.insert("Category", ["name": "家"])
///     let item = try store.context.insert("Item", ["title": "掃除", "parentCategory": home])
///     try item["title"]            // string("掃除")
///     try store.context.undo()     // "insert Item"
///
/// A context belongs to one isolation: to the main actor, to an actor of yours, or to a
/// ``ContextActor``. The compiler sees to it, for a context is not `Sendable`. Its objects are, and
/// so is a ``Snapshot``, which is fetched from anywhere.
public final class ManagedObjectContext {
  let storage: ContextStorage
  /// Where it saves to.
  let home: Home
  /// What becomes of changes that meet those of others.
  public var mergePolicy = MergePolicy.error
  /// Who saves, for the history of the store; nil: the user.
  public var transactionAuthor: String?
  /// Whether each change is held to the model's rules, and not only a save.
  public var validatesEachChange = false

  enum Home {
    case store(StoreConnection)
    /// A context of which this is a child, as it was at some version.
    case parent(ManagedObjectContext, ParentVersion)
  }

  init(_ storage: ContextStorage, home: Home) {
    self.storage = storage
    self.home = home
  }

  deinit { storage.listeners.endAll() }
}

extension ManagedObjectContext {
  /// The model of its objects.
  public var model: Model { storage.model }

  /// Whether a save would write something. Linear in the changes.
  public var hasChanges: Bool { storage.context.hasChanges }

  /// The objects as they are now, to be read from anywhere; it takes no time, and later changes
  /// copy what they change as long as somebody keeps it.
  public var snapshot: Snapshot { Snapshot(reader) }

  var reader: GraphReader {
    GraphReader(
      snapshot: storage.snapshot, surroundings: storage.environment, origin: storage.origin)
  }

  /// The object of an identity; nil if there is none.
  ///
  ///     context.object(home.id)?.id.description   // Category/1
  ///
  /// Constant, or logarithmic in the objects of its entity.
  public func object(_ id: ObjectID) -> ManagedObject? {
    guard let known = storage.snapshot.graph.present(id) else { return nil }
    return ManagedObject(known, storage)
  }

  /// The object of an entity with a number; nil if there is none.
  ///
  ///     context.object("Category", 1)?.id.description   // Category/1
  ///
  /// Constant, or logarithmic in the objects of the entity.
  public func object(_ entity: String, _ number: Int64) -> ManagedObject? {
    object(ObjectID(entity: entity, number: number))
  }

  /// How a name of an undo group begins that nobody has named: `insert Item`.
  func name(_ given: String?, _ verb: String, _ entity: String?) -> String {
    given ?? [verb, entity ?? "objects"].joined(separator: " ")
  }

  /// Does edits as one undo group.
  func edit<Result: Sendable>(
    _ name: String, _ body: (inout GraphEditor) throws -> Result
  ) throws -> Result {
    if case .store(let connection) = home, storage.context.isUntouched {
      connection.prepareToSave()
    }
    let evaluation = storage.evaluation
    let accept: @Sendable (Graph, ChangeSet) throws -> Void = { graph, change in
      let failures = graph.validationFailures(after: change, in: evaluation)
      if !failures.isEmpty { throw StoreError.invalid(failures) }
    }
    return try storage.edit(name, accept: validatesEachChange ? accept : nil, body)
  }
}

extension Graph {
  /// The identity that an object has which somebody names; nil if there is none, or it is none of
  /// the entity that he says.
  func present(_ id: ObjectID) -> ObjectID? {
    guard let place = find(id) else { return nil }
    let own = tables[place.table].objectID(place.row)
    return model.entity(own.entity, isKindOf: id.entity) ? own : nil
  }
}

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

extension ManagedObjectContext {
  /// Takes back the last undo group and gives its name; nil if there is none.
  ///
  ///     try context.undo()   // insert Item
  ///
  /// Linear in what the group changed. Throws a diagnostic where others have saved a change of the
  /// same objects since, and gives that group up: the next undo takes back the one before it.
  @discardableResult public func undo() throws(Diagnostic) -> String? {
    try storage.change { state throws(Diagnostic) in try state.current.undo()?.name }
  }

  /// Does the group again that was taken back last and gives its name; nil if there is none. Linear in
  /// what the group changed. Throws as `undo` does.
  @discardableResult public func redo() throws(Diagnostic) -> String? {
    try storage.change { state throws(Diagnostic) in try state.current.redo()?.name }
  }

  /// Takes back everything since the last save, as one group that `undo` brings back. Linear in what was
  /// changed.
  public func rollback() { storage.change { $0.current.rollback() } }

  /// Whether `undo` has a group to take back.
  ///
  ///     undoButton.isEnabled = context.canUndo
  ///
  /// Constant.
  public var canUndo: Bool { storage.context.history.canUndo }

  /// Whether `redo` has a group to do again. Constant.
  public var canRedo: Bool { storage.context.history.canRedo }

  /// The names of the groups that can be undone; the last one is next. Linear in them.
  public var undoableActionNames: [String] { storage.context.history.undoableNames }

  /// The names of the groups that can be done again; the last one is next. Linear in them.
  public var redoableActionNames: [String] { storage.context.history.redoableNames }

  /// How many undo groups are kept; 0: all, which is so at the beginning.
  public var levelsOfUndo: Int {
    get { storage.context.history.levels }
    set { storage.change { $0.current.history.levels = newValue } }
  }

  /// Does several changes as one undo group: all of them or, with an error, none.
  ///
  ///     try context.perform("move house") {
  ///       try context.update(home, ["name": "新しい家"])
  ///       try context.delete(FetchRequest("Item", where: "parentCategory == %@", home))
  ///     }
  ///     try context.undo()   // move house
  ///
  /// What was changed inside is seen inside at once, and by those who watch the context at the end.
  /// One may stand in another; a save inside throws ``StoreError/performing``. Beside what `body` costs,
  /// linear in the changes. Throws what `body` throws.
  @discardableResult public func perform<Result>(_ actionName: String, _ body: () throws -> Result)
    throws -> Result
  {
    storage.change { $0.beginGroup() }
    let result: Result
    do { result = try body() } catch {
      storage.change { $0.cancelGroup() }
      throw error
    }
    storage.change { $0.endGroup(actionName) }
    return result
  }
}

extension ManagedObjectContext {
  /// Does several changes as one undo group, and saves: where either fails, none is done.
  ///
  ///     try context.performAndSave("add") { try context.insert("Item", ["title": "掃除"]) }
  ///
  /// The save takes along what was unsaved before, and is refused where that breaks a rule or meets what
  /// others have saved; then what was unsaved is so again. It costs what `perform` and `save` do, and
  /// throws as they do.
  @discardableResult public func performAndSave<Result>(
    _ actionName: String, _ body: () throws -> Result
  ) throws -> Result {
    try storage.checkNoGroup()
    let before = storage.context
    let result = try perform(actionName) {
      let result = try body()
      let failures = validate()
      if !failures.isEmpty { throw StoreError.invalid(failures) }
      return result
    }
    do { try save(actionName: actionName) } catch {
      storage.change { $0.current.reset(to: before) }
      throw error
    }
    return result
  }
}

extension ContextStorage.State {
  mutating func beginGroup() {
    var inside = ContextStorage.GraphContext(current.graph)
    inside.history.levels = current.history.levels
    around.append(current)
    current = inside
  }

  mutating func endGroup(_ name: String) {
    guard var outside = around.popLast() else { return }
    swap(&outside, &current)
    current.adopt(outside, name)
  }

  mutating func cancelGroup() {
    guard var outside = around.popLast() else { return }
    swap(&outside, &current)
    current.abandon(outside)
  }
}

// Rules
extension ManagedObjectContext {
  /// Every rule that something changed since the last save breaks, in the order of the objects; a
  /// save would be refused for them.
  ///
  ///     context.validate().map(\.description)
  ///     // ["Item/1: \"title\" has no value, and is not optional (1570)"]
  ///
  /// Linear in the changes; where a key is unique, once in the objects of its entity, and where the
  /// model was changed, in all objects.
  public func validate() -> [ValidationFailure] {
    storage.context.validationFailures(in: storage.evaluation)
  }

  /// The rules that one object breaks, as a form asks before a save; none where it has not changed since the
  /// last one. It costs what `validate()` does.
  ///
  ///     context.validate(item).map(\.rule)   // [.missing]
  public func validate(_ object: ManagedObject) -> [ValidationFailure] {
    validate().filter { $0.object == object.id }
  }

  /// The objects that were inserted, updated and deleted since the last save. Linear in the changes.
  public var unsavedChanges: ObjectChanges {
    let context = storage.context
    return ObjectChanges(
      .objects(context.netChange), kind: .unsaved, actionName: "", in: context.graph.model,
      isOfModel: context.hasModelChanges)
  }
}
