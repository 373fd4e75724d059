import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
public import KuraModel
import KuraPredicates
import KuraSentences
public import KuraValues

/// The objects of a store with their unsaved changes, and the undo history.
///
///     let store = try Store.inMemory(model)
///     let home = try store.context.insert("Category", ["name": "家"])
///     let item = try store.context.insert("Item", ["title": "掃除", "parentCategory": home])
///     try item["title"]            // string("掃除")
///     try store.context.undo()     // "insert Item"
///
/// A context belongs to one isolation: the main actor, one of your actors, or a ``ContextActor``.
/// The compiler enforces this because a context is not `Sendable`. Its objects are `Sendable`, and
/// so is a ``Snapshot``, which you can fetch from in any isolation.
public final class ManagedObjectContext {
  let storage: ContextStorage
  /// The destination of a save.
  let home: Home
  /// The policy for resolving conflicts with changes of others at a save.
  public var mergePolicy = MergePolicy.error
  /// The author that the history of the store records; if nil, the user's name.
  public var transactionAuthor: String?
  /// Whether each change is validated against the model's rules; if false, only saves are.
  public var validatesEachChange = false

  enum Home {
    case store(StoreConnection)
    /// The parent of a child context, and the parent's version when the child started.
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

  /// Whether there are unsaved changes. Linear in the changes.
  public var hasChanges: Bool { storage.context.hasChanges }

  /// The objects in their current state, readable from any isolation. Creating a snapshot takes
  /// constant time. While it exists, changes copy the data that they modify.
  public var snapshot: Snapshot { Snapshot(reader) }

  var reader: GraphReader { storage.reader(of: storage.snapshot) }

  /// Returns the object with an identity; nil if it does not exist.
  ///
  ///     context.object(home.id)?.id.description   // Category/1
  ///
  /// Constant time, or logarithmic in the objects of its entity.
  public func object(_ id: ObjectID) -> ManagedObject? {
    guard let known = storage.snapshot.graph.present(id) else { return nil }
    return ManagedObject(known, storage)
  }

  /// Returns the object of an entity with a number; nil if it does not exist.
  ///
  ///     context.object("Category", 1)?.id.description   // Category/1
  ///
  /// Constant time, or logarithmic in the objects of the entity.
  public func object(_ entity: String, _ number: Int64) -> ManagedObject? {
    object(ObjectID(entity: entity, number: number))
  }

  /// Returns the name of an undo group, by default the verb and the entity: `insert Item`.
  func name(_ given: String?, _ verb: String, _ entity: String?) -> String {
    given ?? [verb, entity ?? "objects"].joined(separator: " ")
  }

  /// Performs edits as one undo group.
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
  /// Returns the object's identity with its actual entity; nil if the object does not exist or is
  /// not of the given entity.
  func present(_ id: ObjectID) -> ObjectID? {
    guard let place = find(id) else { return nil }
    let own = tables[place.table].objectID(place.row)
    return model.entity(own.entity, isKindOf: id.entity) ? own : nil
  }
}

/// Values to set, by key. A value is a Swift value, an enumeration with raw values or a Foundation
/// object for an attribute, an object for a relationship, or nil for null.
public typealias KeyedValues = [String: Any?]

// Inserting
extension ManagedObjectContext {
  /// Inserts an object as one undo group. Keys without a value get their defaults.
  ///
  ///     try context.insert("Item", ["title": "掃除", "due": Date.now, "parentCategory": home])
  ///
  /// A dictionary as the value of a relationship, or in a list of objects, is inserted as well:
  ///
  ///     try context.insert("Category", ["name": "家", "items": [["title": "掃除"], ["title": "洗濯"]]])
  ///
  /// Linear in the keys, independent of the number of objects. Throws a diagnostic if the entity, a
  /// key or a value does not fit; nothing is inserted in that case.
  @discardableResult public func insert(
    _ entity: String, _ values: KeyedValues = [:], actionName: String? = nil
  ) throws -> ManagedObject {
    try insert(entity, [values], actionName: actionName)[0]
  }

  /// Inserts several objects as one undo group. If one of them fails, none is inserted.
  ///
  ///     try context.insert("Tag", [["name": "家"], ["name": "仕事"]])
  ///
  /// Linear in the objects. One call for many objects is much faster than one call per object.
  @discardableResult public func insert(
    _ entity: String, _ objects: [KeyedValues], actionName: String? = nil
  ) throws -> [ManagedObject] {
    let new = try newObjects(entity, objects)
    let ids = try edit(name(actionName, "insert", entity)) { editor in try editor.insert(new) }
    return ids.map { ManagedObject($0, storage) }
  }
}

// Inserting unless a unique key has the same values
extension ManagedObjectContext {
  /// Returns the object that has the same values of a unique key, or inserts one, as one undo group.
  ///
  ///     try context.insertOrFetch("Category", ["name": "家"])   // Category/1
  ///
  /// It costs a fetch for each unique key, logarithmic in the objects with an index. Throws a
  /// diagnostic if no unique key of the entity has a value, if several objects have such values, or
  /// if the entity, a key or a value does not fit.
  @discardableResult public func insertOrFetch(
    _ entity: String, _ values: KeyedValues, actionName: String? = nil
  ) throws -> ManagedObject {
    try insertOrFetch(entity, [values], actionName: actionName)[0]
  }

  /// Returns, for each dictionary, the object that has the same values of a unique key, or inserts
  /// one. It costs and throws what the method for one object does.
  @discardableResult public func insertOrFetch(
    _ entity: String, _ objects: [KeyedValues], actionName: String? = nil
  ) throws -> [ManagedObject] {
    try insert(entity, objects, name(actionName, "insert or fetch", entity), updating: false)
  }

  /// Updates the object that has the same values of a unique key, or inserts one, as one undo group.
  ///
  ///     try context.insertOrUpdate("Category", ["name": "家", "color": "green"])   // Category/1
  ///
  /// It costs and throws what `insertOrFetch` does.
  @discardableResult public func insertOrUpdate(
    _ entity: String, _ values: KeyedValues, actionName: String? = nil
  ) throws -> ManagedObject {
    try insertOrUpdate(entity, [values], actionName: actionName)[0]
  }

  /// Updates, for each dictionary, the object that has the same values of a unique key, or inserts
  /// one. It costs and throws what `insertOrFetch` does.
  @discardableResult public func insertOrUpdate(
    _ entity: String, _ objects: [KeyedValues], actionName: String? = nil
  ) throws -> [ManagedObject] {
    try insert(entity, objects, name(actionName, "insert or update", entity), updating: true)
  }

  private func insert(
    _ entity: String, _ objects: [KeyedValues], _ name: String, updating: Bool
  ) throws -> [ManagedObject] {
    let new = try newObjects(entity, objects)
    let reader = reader
    let environment = try reader.environment(FetchRequest(entity), CancelFlag())
    let matches: UniqueMatches
    do { matches = try UniqueMatches(of: new, at: nil, reader.snapshot, environment) } catch {
      throw (error as? Diagnostic)?.forPrograms ?? error
    }
    let ids = try edit(name) { editor in try editor.insert(matches, updating: updating) }
    return ids.map { ManagedObject($0, storage) }
  }

  private func newObjects(_ entity: String, _ objects: [KeyedValues]) throws -> [NewObject] {
    let reading = ValueReading(storage)
    return try objects.map {
      NewObject(entity: entity, values: try reading.values($0, of: entity))
    }
  }
}

// Updating
extension ManagedObjectContext {
  /// Sets keys of an object, as one undo group.
  ///
  ///     try context.update(item, ["done": true, "parentCategory": nil])
  ///
  /// A dictionary as the value of a relationship, or in a list of objects, is inserted.
  ///
  /// Linear in the keys, independent of the number of objects. Throws a diagnostic if a key or a
  /// value does not fit, or if the object was deleted.
  public func update(
    _ object: ManagedObject, _ values: KeyedValues, actionName: String? = nil
  ) throws { try update([object], values, actionName: actionName) }

  /// Sets keys of several objects to the same values, as one undo group. Linear in the objects.
  public func update(
    _ objects: [ManagedObject], _ values: KeyedValues, actionName: String? = nil
  ) throws { try set(own(objects), values, .set, actionName) }

  /// Sets keys of all objects that a request finds to the same values, as one undo group. Returns
  /// the number of objects.
  ///
  ///     try context.update(FetchRequest("Item", where: "due < %@", Date.now), ["done": true])   // 3
  ///
  /// Costs a fetch, and is linear in the objects found. Throws a diagnostic if the limit is 0,
  /// which means no limit in a fetch.
  @discardableResult public func update(
    _ request: FetchRequest, _ values: KeyedValues, actionName: String? = nil
  ) throws -> Int {
    let ids = try reader.ids(request.checkingItsLimit())
    try set(ids, values, .set, actionName)
    return ids.count
  }

  /// Adds objects to a to-many relationship.
  ///
  ///     try context.add([tag], to: "tags", of: item)
  ///
  /// Linear in the objects of the relationship after the change.
  public func add(
    _ others: [ManagedObject], to key: String, of object: ManagedObject, actionName: String? = nil
  ) throws { try set(own([object]), [key: others], .add, actionName) }

  /// Removes objects from a to-many relationship. Linear in the objects of the relationship before
  /// the change.
  public func remove(
    _ others: [ManagedObject], from key: String, of object: ManagedObject,
    actionName: String? = nil
  ) throws { try set(own([object]), [key: others], .remove, actionName) }

  /// Returns the identities of objects. Throws if one belongs to another store.
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
      for id in ids { try editor.set(known[id.entity] ?? [], of: id) }
    }
  }
}

// Deleting
extension ManagedObjectContext {
  /// Deletes an object and applies its delete rules, as one undo group.
  ///
  /// The rule `deny` is checked at the save. Linear in the deleted objects and the objects that
  /// refer to them. Throws a diagnostic if the object does not exist.
  public func delete(_ object: ManagedObject, actionName: String? = nil) throws {
    try delete([object], actionName: actionName)
  }

  /// Deletes several objects, as one undo group. Linear in the deleted objects and the objects that
  /// refer to them.
  public func delete(_ objects: [ManagedObject], actionName: String? = nil) throws {
    try delete(ids: own(objects), actionName)
  }

  /// Deletes all objects that a request finds, and returns their number. Objects that delete rules
  /// also delete are not counted.
  ///
  ///     try context.delete(FetchRequest("Item", where: "done == YES"))   // 12
  ///
  /// Costs a fetch, and is linear in the deleted objects and the objects that refer to them. Throws
  /// a diagnostic if the limit is 0, which means no limit in a fetch.
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

  /// Undoes the last undo group and returns its name; nil if there is none.
  ///
  ///     try context.undo()   // insert Item
  ///
  /// Linear in the changes of the group. Throws a diagnostic if others have saved a change of the
  /// same objects in the meantime. That group is then discarded: the next `undo` undoes the one
  /// before it.
  @discardableResult public func undo() throws(Diagnostic) -> String? {
    try storage.change { state throws(Diagnostic) in try state.current.undo()?.name }
  }

  /// Redoes the group that was undone last and returns its name; nil if there is none. Linear in
  /// the changes of the group. Throws as `undo` does.
  @discardableResult public func redo() throws(Diagnostic) -> String? {
    try storage.change { state throws(Diagnostic) in try state.current.redo()?.name }
  }

  /// Discards all changes since the last save. This is one group, which `undo` restores. Linear in
  /// the changes.
  public func rollback() { storage.change { $0.current.rollback() } }

  /// Whether `undo` has a group to undo.
  ///
  ///     undoButton.isEnabled = context.canUndo
  ///
  /// Constant time.
  public var canUndo: Bool { storage.context.history.canUndo }

  /// Whether `redo` has a group to redo. Constant time.
  public var canRedo: Bool { storage.context.history.canRedo }

  /// The names of the groups that can be undone; `undo` takes the last one. Linear in them.
  public var undoableActionNames: [String] { storage.context.history.undoableNames }

  /// The names of the groups that can be redone; `redo` takes the last one. Linear in them.
  public var redoableActionNames: [String] { storage.context.history.redoableNames }

  /// The maximum number of undo groups to keep; 0, the default, means no limit.
  public var levelsOfUndo: Int {
    get { storage.context.history.levels }
    set { storage.change { $0.current.history.levels = newValue } }
  }

  /// Performs several changes as one undo group. If `body` throws, none is applied.
  ///
  ///     try context.perform("move house") {
  ///       try context.update(home, ["name": "新しい家"])
  ///       try context.delete(FetchRequest("Item", where: "parentCategory == %@", home))
  ///     }
  ///     try context.undo()   // move house
  ///
  /// Code in `body` sees each change at once; observers see all changes at the end. Calls can be
  /// nested. A save inside throws ``StoreError/performing``. In addition to the cost of `body`,
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

  /// Performs several changes as one undo group, and saves. If either fails, no change is applied.
  ///
  ///     try context.performAndSave("add") { try context.insert("Item", ["title": "掃除"]) }
  ///
  /// The save includes earlier unsaved changes. It fails if they break a rule or conflict with
  /// saves of others; they then remain unsaved. It costs what `perform` and `save` do, and throws
  /// as they do.
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
    var inside = GraphContext(current.graph)
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
  /// Returns every rule that unsaved changes break, in the order of the objects. A save would fail
  /// because of them.
  ///
  ///     context.validate().map(\.description)
  ///     // ["Item/1: \"title\" has no value, but is not optional (1570)"]
  ///
  /// Linear in the changes. A unique key adds one pass over the objects of its entity; a changed
  /// model, one over all objects.
  public func validate() -> [ValidationFailure] {
    storage.context.validationFailures(in: storage.evaluation)
  }

  /// Returns the rules that one object breaks, for example to validate a form before a save. An
  /// object without unsaved changes breaks none. It costs what `validate()` does.
  ///
  ///     context.validate(item).map(\.rule)   // [.missing]
  public func validate(_ object: ManagedObject) -> [ValidationFailure] {
    validate().filter { $0.object == object.id }
  }

  /// The objects that were inserted, updated and deleted since the last save. Linear in the
  /// changes.
  public var unsavedChanges: ObjectChanges {
    let context = storage.context
    return ObjectChanges(
      .objects(context.netChange), kind: .unsaved, actionName: "", in: context.graph.model,
      isOfModel: context.hasModelChanges)
  }
}
