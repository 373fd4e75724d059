import KuraBytes
import KuraDiagnostics
package import KuraModel
package import KuraPredicates
package import KuraValues

/// A graph with its changes since the last save, and the undo history.
///
///     var context = GraphContext(graph)
///     let done = try context.perform("insert Category") { editor in
///       try editor.insert([NewObject(entity: "Category")])
///     }
///     context.undo()       // "insert Category"
package struct GraphContext: Sendable {
  /// Set only by `change`, in this file.
  package private(set) var graph: Graph
  package var history = UndoHistory()
  /// The changes since the last save, in order, each with the token of its group.
  var pending = StepList<UnsavedStep>() { didSet { net = CachedNetChange() } }
  private(set) var net = CachedNetChange()
  private var lastToken = 0
  /// The model of the last save.
  package internal(set) var savedModel: Model
  /// The numbers assigned up to the last save, by root.
  package internal(set) var savedNumbers: [String: Int64]
  /// Whether other sessions have saved since groups of the history were recorded.
  var wasMerged = false
  private var observers: [ContextObserver] = []
  private var lastObserver = 0

  package init(_ graph: Graph) {
    self.graph = graph
    savedModel = graph.model
    savedNumbers = graph.assignedNumbers
  }

  /// The current graph, for later reads.
  package var snapshot: GraphSnapshot { GraphSnapshot(graph) }

  /// Whether there was no step since the last save.
  package var isUntouched: Bool { pending.isEmpty }

  /// Whether a save would write changes. Linear in the changes if they may cancel out.
  package var hasChanges: Bool {
    guard !pending.isEmpty else { return false }
    return hasModelChanges || ChangeSet.leaveSomething(objectChanges, in: graph.model)
      || !netChange.isEmpty
  }

  /// Whether the model was changed since the last save.
  package var hasModelChanges: Bool {
    pending.mapParts(step: \.change.isOfModel, run: { _, _ in false }).contains(true)
  }

  /// The changes since the last save, step by step; a run of insertions is one step.
  var unsavedChanges: [GraphChange] {
    pending.mapParts(step: \.change, run: { .objects($0.change($1)) })
  }
}

extension GraphContext {
  /// Performs every change of the graph. Observers are notified once per operation, but not of
  /// operations that failed or changed nothing.
  ///
  /// `body` returns the steps that it performed. Without observers, nothing is derived from them.
  mutating func change<Failed: Error>(
    _ act: ContextChange.Act, _ name: String = "",
    _ body: (inout Graph) throws(Failed) -> [GraphChange]
  ) throws(Failed) {
    let steps = try body(&graph)
    guard !observers.isEmpty, let net = GraphChange.net(of: steps, endingIn: graph) else { return }
    let change = ContextChange(act: act, name: name, change: net)
    for observer in observers { observer.body(change, graph) }
  }

  /// Calls `body` after each operation that changes the graph, with the change and the new graph.
  /// While the caller keeps the graph, the next operation copies the chunks that it modifies.
  ///
  /// A copy of the context notifies the same observers. To try something separately, start with
  /// `GraphContext(context.graph)`.
  @discardableResult package mutating func observe(
    _ body: @escaping ContextObserver.Body
  ) -> ContextObserver.ID {
    lastObserver += 1
    observers.append(ContextObserver(id: lastObserver, body: body))
    return lastObserver
  }

  var isObserved: Bool { !observers.isEmpty }

  package mutating func removeObserver(_ id: ContextObserver.ID) {
    observers.removeAll { $0.id == id }
  }

  /// Replaces the state by the state of another context, including the history; the observers remain.
  mutating func become(_ other: GraphContext, _ act: ContextChange.Act) {
    change(act) { graph in
      let before = graph
      graph = other.graph
      return [.model(before: before, after: graph)]
    }
    (history, pending, lastToken) = (other.history, other.pending, other.lastToken)
    (savedModel, savedNumbers) = (other.savedModel, other.savedNumbers)
    wasMerged = other.wasMerged
  }

  /// Records changes as a group and as unsaved.
  mutating func record(_ name: String, _ changes: [GraphChange]) {
    let token = recordUnsaved(changes)
    history.add(.step(UndoGroup(name: name, changes: changes, token: token)), in: graph)
    condenseUnsaved()
  }

  /// Records inserted objects, each as a separate group.
  mutating func record(_ name: String, _ batch: ObjectBatch) {
    let run = InsertedRun(name: name, firstToken: lastToken + 1, batch: batch)
    // Unsaved steps have no name, and steps with the same name are merged.
    let unnamed = InsertedRun(name: "", firstToken: run.firstToken, batch: batch)
    lastToken += run.count
    pending.append(.run(unnamed, 0..<run.count), in: graph)
    history.add(.run(run, 0..<run.count), in: graph)
    condenseUnsaved()
  }

  /// Records changes as unsaved, and returns the token of their group.
  @discardableResult mutating func recordUnsaved(_ changes: [GraphChange]) -> Int {
    lastToken += 1
    for change in changes {
      pending.append(.step(UnsavedStep(token: lastToken, change: change)), in: graph)
    }
    return lastToken
  }
}

/// The result of a statement that changes objects.
package struct Performed<Result: Sendable>: Sendable {
  package var result: Result
  /// The change, including derived attributes.
  package var change: ChangeSet
}

extension GraphContext {
  /// Changes objects as one undo group. If it throws, nothing is changed.
  ///
  /// `accept` receives the changed graph, and rejects the change by throwing.
  package mutating func perform<Result>(
    _ name: String, in context: EvaluationContext,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil,
    _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    let (result, change, numbers) = try edited(in: context, edit)
    let done = try perform(name, change, in: context, assigned: numbers, accept: accept)
    return Performed(result: result, change: done.change)
  }

  /// Applies a change as one undo group, and returns it with derived values.
  ///
  /// `numbers` are the next numbers of the tables. A change of new objects of one entity can be a
  /// group per object, if nothing is derived.
  package mutating func perform(
    _ name: String, _ change: ChangeSet, in context: EvaluationContext,
    assigned numbers: [Int64] = [], isOneGroup: Bool = true,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil
  ) throws -> Performed<Void> {
    try context.checkCancel()
    var whole = ChangeSet()
    try self.change(.performed, name) { graph throws in
      let before = accept == nil ? nil : graph
      graph.reserveNumbers(numbers)
      whole = try graph.perform(change, in: context)
      do { try accept?(graph, whole) } catch {
        if let before { graph = before }
        throw error
      }
      return [.objects(whole)]
    }
    if !isOneGroup {
      record(name, whole.inserted[0])
    } else if !whole.isEmpty {
      record(name, [.objects(whole)])
    }
    return Performed(result: (), change: whole)
  }

  /// Inserts objects as one undo group, and returns their identities. If it throws, none is inserted.
  package mutating func insert(_ objects: [NewObject]) throws -> [ObjectID] {
    try perform("insert", in: EvaluationContext(nilArithmeticIsNil: true)) { editor in
      try editor.insert(objects)
    }.result
  }

  /// Runs edits. The editor is released before the graph changes; otherwise its copy of the graph would force changed
  /// chunks to be copied.
  private func edited<Result>(
    in context: EvaluationContext, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> (Result, ChangeSet, numbers: [Int64]) {
    var editor = GraphEditor(graph)
    editor.cancel = context.cancel
    editor.context = context
    let result = try edit(&editor)
    return (result, editor.change, editor.nextNumbers)
  }
}

extension Graph {
  /// Applies a change with the values derived from it, and returns the whole change. If it throws, nothing is changed.
  fileprivate mutating func perform(
    _ change: ChangeSet, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    guard !change.isEmpty else { return change }
    // A long change can be cancelled at any time, which requires a copy of the chunks that it modifies.
    let before = change.isLarge ? self : nil
    let cancel = before == nil ? CancelFlag() : context.cancel
    var isAdmitted = false
    do throws(Diagnostic) {
      try admit(change, cancel)
      isAdmitted = true
      if before != nil { try context.checkCancel() }
      let derived = try derivation(after: change, in: context)
      if derived.isEmpty { return change }
      try admit(derived, cancel)
      let whole = ChangeSet.net(of: [change, derived], in: model, cancel)
      if before != nil { try context.checkCancel() }
      return whole
    } catch {
      if let before { self = before } else if isAdmitted { apply(.objects(change.inverted)) }
      throw error
    }
  }
}

extension ChangeSet {
  /// Whether it takes long enough that the user may want to cancel it.
  var isLarge: Bool { objectCount > 10_000 }
}

extension GraphContext {
  /// Condenses unsaved steps without a group in the history to their net change.
  ///
  /// With a limit of undo levels, the memory then depends on what a save would write, and not on
  /// the number of statements.
  mutating func condenseUnsaved() {
    guard let oldest = history.oldestToken else { return }
    let (unsaved, model) = (pending, graph.model)
    pending.condense(where: { $0.token < oldest }) { old in
      guard let last = old.last, old.mayCondense else { return nil }
      let after = unsaved.parts(after: old.endIndex).lazy.compactMap(\.modelBefore).first ?? model
      let changes = old.map(\.change).condensed(endingIn: after)
      let token = last[last.count - 1].token
      return (
        changes.map { UnsavedStep(token: token, change: $0) }, changes.reduce(0) { $0 + $1.size }
      )
    }
  }
}

extension ArraySlice<StepList<UnsavedStep>.Part> {
  /// Whether condensing is likely to help. Runs of insertions are already minimal: they are cells of the tables.
  fileprivate var mayCondense: Bool {
    let steps = reduce(0) { $0 + $1.count }
    return count { !$0.inserts } * 4 >= steps
  }
}

extension StepList<UnsavedStep>.Part {
  fileprivate var inserts: Bool {
    switch self {
    case .run: true
    case .step(let step): step.change.inserts
    }
  }

  fileprivate var change: GraphChange {
    switch self {
    case .run(let run, let places): .objects(run.change(places))
    case .step(let step): step.change
    }
  }

  /// The model before a step that changed it.
  fileprivate var modelBefore: Model? {
    guard case .step(let step) = self, case .model(let before, _) = step.change else { return nil }
    return before.model
  }
}

extension GraphChange {
  fileprivate var inserts: Bool {
    guard case .objects(let change) = self else { return false }
    return change.updated.isEmpty && change.deleted.isEmpty
  }

  /// The number of objects in the change.
  fileprivate var size: Int {
    if case .objects(let change) = self { change.objectCount } else { 1 }
  }
}

extension [GraphChange] {
  /// Returns fewer equivalent changes: successive changes of objects become one.
  fileprivate func condensed(endingIn model: Model) -> [GraphChange] {
    var result: [GraphChange] = []
    var objects: [ChangeSet] = []
    for change in withoutCircles {
      switch change {
      case .objects(let change): objects.append(change)
      case .model(let before, _):
        result += Self.net(objects, in: before.model) + [change]
        objects = []
      }
    }
    return result + Self.net(objects, in: model)
  }

  private static func net(_ changes: [ChangeSet], in model: Model) -> [GraphChange] {
    let net = ChangeSet.net(of: changes, in: model)
    return net.isEmpty ? [] : [.objects(net)]
  }

  /// The changes without detours of the model. Changes that lead from a model back to the same model are replaced by a
  /// change of objects, because each intermediate state contains a whole graph.
  private var withoutCircles: [GraphChange] {
    var result: [GraphChange] = []
    var next = startIndex
    while next < endIndex {
      defer { next += 1 }
      guard case .model(let before, _) = self[next],
        let end = lastReturn(to: before.model, from: next), case .model(_, let after) = self[end]
      else {
        result.append(self[next])
        continue
      }
      let change = before.difference(to: after)
      if !change.isEmpty { result.append(.objects(change)) }
      next = end
    }
    return result
  }

  private func lastReturn(to model: Model, from start: Int) -> Int? {
    indices[start...].last { place in
      if case .model(_, let after) = self[place] { after.model == model } else { false }
    }
  }
}

extension GraphContext {
  /// Replaces the model and content of the graph, as one undo group.
  package mutating func changeModel(_ name: String, to after: Graph) {
    let change = GraphChange.model(before: graph, after: after)
    self.change(.changedModel, name) { graph in
      graph.apply(change)
      return [change]
    }
    record(name, [change])
  }

  /// Replaces the model; objects keep the values of keys in both models.
  package mutating func setModel(_ model: Model, _ name: String) {
    var after = graph
    after.setModel(model)
    changeModel(name, to: after)
  }

  /// Removes an entity from the model, with its objects and the links to them, as one undo group.
  /// Values that are derived from objects reached by a cascade are recomputed.
  ///
  /// No other entity may refer to it or inherit from it.
  package mutating func drop(
    entity name: String, _ title: String, in context: EvaluationContext,
    accept: ([EntityCount]) throws -> Void = { _ in }
  ) throws {
    var model = graph.model
    model.remove(name)
    var without = GraphContext(graph)
    _ = try without.perform(title, in: context) { editor in
      try editor.delete(editor.graph.objectIDs(of: name))
      try accept(editor.deletedCounts)
    }
    var after = without.graph
    after.setModel(model)
    changeModel(title, to: after)
  }
}

/// The amount of changes since the last save.
package struct UnsavedChanges: Sendable, Equatable {
  package var objects: Int
  package var entities: Int
  package var requests = 0
}

extension GraphContext {
  package var unsaved: UnsavedChanges {
    UnsavedChanges(
      objects: netChange.objectCount, entities: changedEntities.count,
      requests: changedRequests.count)
  }

  /// Returns whether an entity was defined since the last save.
  package func isNew(entity: String) -> Bool {
    graph.model[entity] != nil && savedModel[entity] == nil
  }
}

/// An entity before and after changes of the model.
package struct ChangedEntity: Sendable {
  /// The old entity; nil if it was defined.
  package var old: Entity?
  /// The new entity; nil if it was dropped.
  package var new: Entity?
  /// The old and new names of each key that it declares.
  package var keys: [(old: String?, new: String?)]
}

extension GraphContext {
  /// The entities that were defined, altered or dropped since the last save; a renamed entity
  /// counts as the same. Linear in the model and its changes.
  package var changedEntities: [ChangedEntity] { ModelChanges(self).entities }

  /// The saved requests that differ, before and after; nil if there is none.
  package var changedRequests: [(old: SavedRequest?, new: SavedRequest?)] {
    let (before, now) = (savedModel.requests, graph.model.requests)
    let present = now.map { new in (old: before.first { $0.name == new.name }, new: new) }
    let dropped = before.filter { old in !now.contains { $0.name == old.name } }
    return present.filter { $0.old != $0.new }.map { ($0.old, Optional($0.new)) }
      + dropped.map { (Optional($0), nil) }
  }
}

/// The mapping of the names in the saved model over several changes.
private struct ModelChanges {
  let before: Model
  let now: Model
  let steps: [ModelRenaming]
  /// The original entities, by present name.
  private var origins: [String: Entity] = [:]

  init(_ context: GraphContext) {
    before = context.savedModel
    now = context.graph.model
    steps = context.unsavedChanges.compactMap { change in
      guard case .model(let before, let after) = change else { return nil }
      return ModelRenaming(from: before.model, to: after.model)
    }
    for entity in before.entities {
      if let name = present(entity.name) { origins[name] = entity }
    }
    // An entity that was dropped and defined again counts as the same in a comparison.
    let retained = Set(origins.values.map(\.name))
    for entity in before.entities where !retained.contains(entity.name) {
      if now[entity.name] != nil, origins[entity.name] == nil { origins[entity.name] = entity }
    }
  }

  private func present(_ entity: String) -> String? {
    steps.reduce(entity) { name, step in name.flatMap(step.entity) }
  }

  private func present(_ key: String, of entity: String) -> String? {
    var names: (entity: String, key: String)? = (entity, key)
    for step in steps {
      guard let (entity, key) = names else { return nil }
      names = step.key(key, of: entity).flatMap { key in
        step.entity(entity).map { ($0, key) }
      }
    }
    return names?.key
  }
}

extension ModelChanges {
  var entities: [ChangedEntity] {
    let retained = Set(origins.values.map(\.name))
    let present = now.entities.filter { origins[$0.name] != $0 }.map { entity in
      ChangedEntity(old: origins[entity.name], new: entity, keys: keys(of: entity))
    }
    let dropped = before.entities.filter { !retained.contains($0.name) }
    return present + dropped.map { ChangedEntity(old: $0, new: nil, keys: []) }
  }

  private func keys(of entity: Entity) -> [(old: String?, new: String?)] {
    guard let old = origins[entity.name] else { return [] }
    var names: [String: String] = [:]
    for key in old.ownKeys {
      if let name = self.present(key, of: old.name) { names[name] = key }
    }
    let retained = Set(names.values)
    for key in old.ownKeys where !retained.contains(key) && names[key] == nil { names[key] = key }
    let own = Set(entity.ownKeys)
    let dropped = old.ownKeys.filter { key in !names.contains { own.contains($0) && $1 == key } }
    return entity.ownKeys.map { (names[$0], $0) } + dropped.map { ($0, nil) }
  }
}

extension Entity {
  fileprivate var ownKeys: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

extension GraphContext {
  /// Restores the unsaved changes of another session, as one undo group.
  ///
  /// `merged` is their result on the current graph.
  package mutating func recover(_ merged: MergedChange, _ name: String) {
    guard !merged.change.isEmpty else { return }
    let next = graph.tables.map(\.nextNumber)
    change(.performed, name) { graph in
      graph = merged.graph
      graph.reserveNumbers(next)
      return [.objects(merged.change)]
    }
    record(name, [.objects(merged.change)])
  }

  /// Returns the result of committing scratch contexts, the innermost last: this context with all their changes.
  package func adopting(_ scratches: [GraphContext], names: [String])
    -> GraphContext
  {
    var contexts = [self] + scratches
    var names = names
    while contexts.count > 1, let inside = contexts.popLast(), let name = names.popLast() {
      contexts[contexts.count - 1].adopt(inside, name)
    }
    return contexts[0]
  }
}
