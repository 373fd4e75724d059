import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues

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
