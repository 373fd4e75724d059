import KuraBytes
import KuraDiagnostics
package import KuraModel
package import KuraPredicates
package import KuraValues

/// The graph with its changes since it was last saved, and the way back.
///
///     var context = ManagedObjectContext(graph)
///     let done = try context.perform("insert Category") { editor in
///       try editor.insert([NewObject(entity: "Category")])
///     }
///     context.undo()       // "insert Category"
package struct ManagedObjectContext: Sendable {
  /// Set by `change` alone, which is in this file.
  package private(set) var graph: Graph
  package var history = UndoHistory()
  /// What was changed since the last save, in its order, each under its group's token.
  var pending = StepList<UnsavedStep>() { didSet { net = RememberedChange() } }
  /// What the pending changes of objects come to.
  private(set) var net = RememberedChange()
  private var lastToken = 0
  /// The model as it was last saved.
  package internal(set) var savedModel: Model
  /// The numbers that had been given at the last save, by root.
  package internal(set) var savedNumbers: [String: Int64]
  /// Others have saved since groups of the history were made.
  var wasMerged = false
  private var observers: [ContextObserver] = []
  private var lastObserver = 0

  package init(_ graph: Graph) {
    self.graph = graph
    savedModel = graph.model
    savedNumbers = graph.givenNumbers
  }

  /// The graph as it is now, for what reads it later.
  package var snapshot: GraphSnapshot { GraphSnapshot(graph) }

  /// Whether nothing has been done since the last save.
  package var isUntouched: Bool { pending.isEmpty }

  /// Whether a save would write something. Linear in the changes where they may have come to nothing.
  package var hasChanges: Bool {
    guard !pending.isEmpty else { return false }
    return hasModelChanges || ChangeSet.leaveSomething(objectChanges, in: graph.model)
      || !netChange.isEmpty
  }

  /// Whether the model was changed since the last save.
  package var hasModelChanges: Bool {
    pending.mapParts(step: \.change.isOfModel, run: { _, _ in false }).contains(true)
  }

  /// What was changed since the last save, step by step; insertions that were kept as one are one.
  var unsavedChanges: [GraphChange] {
    pending.mapParts(step: \.change, run: { .objects($0.change($1)) })
  }
}

extension ManagedObjectContext {
  /// The one way through which the graph changes: who observes it is told once, of all that an act
  /// did, and of no act that failed or left everything as it was.
  ///
  /// `body` gives the steps that it took. Unless somebody observes, nothing is made of them.
  mutating func change<Failed: Error>(
    _ act: ContextChange.Act, _ name: String = "",
    _ body: (inout Graph) throws(Failed) -> [GraphChange]
  ) throws(Failed) {
    let steps = try body(&graph)
    guard !observers.isEmpty, let net = GraphChange.net(of: steps, endingIn: graph) else { return }
    let change = ContextChange(act: act, name: name, change: net)
    for observer in observers { observer.body(change, graph) }
  }

  /// Calls `body` behind each act that changes the graph, with what it changed and the graph as it
  /// is now; who keeps that lets the next act copy the chunks that it changes.
  ///
  /// A copy of the context tells the same observers: what is to be tried apart begins with
  /// `ManagedObjectContext(context.graph)`.
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

  /// Becomes what another one is, history and all; who observes this one goes on with it.
  mutating func become(_ other: ManagedObjectContext, _ act: ContextChange.Act) {
    change(act) { graph in
      let before = graph
      graph = other.graph
      return [.model(before: before, after: graph)]
    }
    (history, pending, lastToken) = (other.history, other.pending, other.lastToken)
    (savedModel, savedNumbers) = (other.savedModel, other.savedNumbers)
    wasMerged = other.wasMerged
  }

  /// Keeps what was done as a group and as unsaved.
  mutating func record(_ name: String, _ changes: [GraphChange]) {
    let token = keepUnsaved(changes)
    history.add(UndoGroup(name: name, changes: changes, token: token), in: graph)
    condenseUnsaved()
  }

  /// Keeps objects that were inserted, each as a group of its own.
  mutating func record(_ name: String, _ batch: ObjectBatch) {
    let run = InsertedRun(name, lastToken + 1, batch)
    lastToken += run.count
    // No unsaved step has a name, and steps of one name are kept as one.
    pending.append(InsertedRun("", run.firstToken, batch), in: graph)
    history.add(run, in: graph)
    condenseUnsaved()
  }

  /// Keeps changes as unsaved and gives the token of their group.
  @discardableResult mutating func keepUnsaved(_ changes: [GraphChange]) -> Int {
    lastToken += 1
    for change in changes {
      pending.append(UnsavedStep(token: lastToken, change: change), in: graph)
    }
    return lastToken
  }
}

/// What came of a statement that changes.
package struct Performed<Result: Sendable>: Sendable {
  package var result: Result
  /// What was changed; derived attributes are in it.
  package var change: ChangeSet
}

extension ManagedObjectContext {
  /// Changes objects as one undo group: all of it or, with an error, nothing.
  ///
  /// `accept`, if there is one, sees the graph with the change, and takes it back by throwing.
  package mutating func perform<Result>(
    _ name: String, in context: EvaluationContext,
    accept: ((Graph, ChangeSet) throws -> Void)? = nil,
    _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    let (result, edits) = try edited(in: context, edit)
    let whole = try perform(name, edits, in: context, accept)
    return Performed(result: result, change: whole)
  }

  /// Does edits as one undo group, and gives the whole with what is derived.
  mutating func perform(
    _ name: String, _ edits: EditedGraph, in context: EvaluationContext,
    _ accept: ((Graph, ChangeSet) throws -> Void)?
  ) throws -> ChangeSet {
    try context.checkCancel()
    var whole = ChangeSet()
    try change(.performed, name) { graph throws in
      let before = accept == nil ? nil : graph
      graph.giveNoNumberTwice(edits.nextNumbers)
      whole = try graph.perform(edits, in: context)
      do { try accept?(graph, whole) } catch {
        if let before { graph = before }
        throw error
      }
      return [.objects(whole)]
    }
    if !whole.isEmpty { record(name, [.objects(whole)]) }
    return whole
  }

  /// Inserts objects as one undo group and returns their identities; all or, with an error, none.
  package mutating func insert(_ objects: [NewObject]) throws -> [ObjectID] {
    try perform("insert", in: EvaluationContext(nilArithmeticIsNil: true)) { editor in
      try editor.insert(objects)
    }.result
  }

  /// The editor is gone when the graph is changed: a copy of it would be copied chunk by chunk.
  private func edited<Result>(
    in context: EvaluationContext, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> (Result, EditedGraph) {
    var editor = GraphEditor(graph)
    editor.cancel = context.cancel
    editor.context = context
    let result = try edit(&editor)
    return (result, EditedGraph(editor))
  }
}

extension Graph {
  /// Does edits with what is derived from them, and gives the whole; with an error, nothing is done.
  fileprivate mutating func perform(
    _ edits: EditedGraph, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    guard !edits.change.isEmpty else { return edits.change }
    guard edits.change.isLarge else { return try performSmall(edits, in: context) }
    // It takes long, and may be stopped at any moment: the chunks that it changes are copied for that.
    let before = self
    do throws(Diagnostic) { return try performStoppable(edits, in: context) } catch {
      self = before
      throw error
    }
  }

  private mutating func performSmall(
    _ edits: EditedGraph, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    try admit(edits, CancelFlag())
    let derived: ChangeSet
    do throws(Diagnostic) {
      derived = try derivation(after: edits.change, in: context)
    } catch {
      apply(.objects(edits.change.inverted))
      throw error
    }
    if derived.isEmpty { return edits.change }
    try admit(derived)
    return ChangeSet.net(of: [edits.change, derived], in: model)
  }

  private mutating func performStoppable(
    _ edits: EditedGraph, in context: EvaluationContext
  ) throws(Diagnostic) -> ChangeSet {
    try admit(edits, context.cancel)
    try context.checkCancel()
    let derived = try derivation(after: edits.change, in: context)
    if derived.isEmpty { return edits.change }
    try admit(derived, context.cancel)
    let whole = ChangeSet.net(of: [edits.change, derived], in: model, context.cancel)
    try context.checkCancel()
    return whole
  }
}

extension ChangeSet {
  /// Whether it takes so long that somebody may want to stop it.
  var isLarge: Bool {
    let counts = counts
    return counts.inserted + counts.updated + counts.deleted > 10_000
  }
}

extension ManagedObjectContext {
  /// Unsaved steps that no group of the history represents are kept as their net change.
  ///
  /// Under `.undo levels` the memory depends on what a save would write, and not on how many statements
  /// led there.
  mutating func condenseUnsaved() {
    guard let oldest = history.oldestToken else { return }
    let (unsaved, model) = (pending, graph.model)
    pending.condense(where: { $0.token < oldest }) { old in
      guard let last = old.last, old.mayCondense else { return nil }
      let after = unsaved.parts(behind: old.endIndex).lazy.compactMap(\.modelBefore).first ?? model
      let changes = old.map(\.change).condensed(endingIn: after)
      let token = last[last.count - 1].token
      return (
        changes.map { UnsavedStep(token: token, change: $0) }, changes.reduce(0) { $0 + $1.size }
      )
    }
  }
}

extension ArraySlice<StepList<UnsavedStep>.Part> {
  /// Whether it is likely that less is left: what inserts alone is kept as cells of the tables, which is
  /// the least.
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

  /// How many objects it names.
  fileprivate var size: Int {
    guard case .objects(let change) = self else { return 1 }
    let counts = change.counts
    return counts.inserted + counts.updated + counts.deleted
  }
}

extension [GraphChange] {
  /// The same changes as fewer ones: successive changes of objects become one.
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

  /// Changes that lead from a model back to the same one are a change of objects: each state of the model
  /// between them holds a whole graph.
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

extension ManagedObjectContext {
  /// Gives the graph another model and other contents, as one undo group.
  package mutating func changeModel(_ name: String, to after: Graph) {
    let change = GraphChange.model(before: graph, after: after)
    self.change(.changedModel, name) { graph in
      graph.apply(change)
      return [change]
    }
    record(name, [change])
  }

  /// Gives the graph another model; objects keep what both models know.
  package mutating func setModel(_ model: Model, _ name: String) {
    var after = graph
    after.setModel(model)
    changeModel(name, to: after)
  }

  /// Takes an entity out of the model, and with it its objects and the links to them, as one undo
  /// group; what others derive from objects that a cascade reached is computed anew.
  ///
  /// No other entity leads to it or inherits from it.
  package mutating func drop(
    entity name: String, _ title: String, in context: EvaluationContext,
    accept: ([EntityCount]) throws -> Void = { _ in }
  ) throws {
    var model = graph.model
    model.remove(name)
    var without = ManagedObjectContext(graph)
    _ = try without.perform(title, in: context) { editor in
      try editor.delete(editor.graph.objectIDs(of: name))
      try accept(editor.deletedCounts)
    }
    var after = without.graph
    after.setModel(model)
    changeModel(title, to: after)
  }
}

/// How much was changed since the last save.
package struct UnsavedChanges: Sendable, Equatable {
  package var objects: Int
  package var entities: Int
  package var requests = 0
}

extension ManagedObjectContext {
  package var unsaved: UnsavedChanges {
    let counts = netChange.counts
    return UnsavedChanges(
      objects: counts.inserted + counts.updated + counts.deleted,
      entities: changedEntities.count, requests: changedRequests.count)
  }

  /// Whether an entity was defined since the last save.
  package func isNew(entity: String) -> Bool {
    graph.model[entity] != nil && savedModel[entity] == nil
  }
}

/// An entity before and after changes of the model.
package struct ChangedEntity: Sendable {
  /// Nil: it was defined.
  package var old: Entity?
  /// Nil: it was dropped.
  package var new: Entity?
  /// Each key that it declares itself, as it was called and as it is called now.
  package var keys: [(old: String?, new: String?)]
}

extension ManagedObjectContext {
  /// The entities that were defined, altered or dropped since the last save; one that was renamed
  /// is the same. Linear in the model and its changes.
  package var changedEntities: [ChangedEntity] { ModelChanges(self).entities }

  /// Saved requests before and after, where they are not the same; one of the two may be missing.
  package var changedRequests: [(old: SavedRequest?, new: SavedRequest?)] {
    let (before, now) = (savedModel.requests, graph.model.requests)
    let present = now.map { new in (old: before.first { $0.name == new.name }, new: new) }
    let dropped = before.filter { old in !now.contains { $0.name == old.name } }
    return present.filter { $0.old != $0.new }.map { ($0.old, Optional($0.new)) }
      + dropped.map { (Optional($0), nil) }
  }
}

/// What became of the names of the saved model in the course of several changes.
private struct ModelChanges {
  let before: Model
  let now: Model
  let steps: [ModelRenaming]
  /// By an entity's present name the one it comes from.
  private var origins: [String: Entity] = [:]

  init(_ context: ManagedObjectContext) {
    before = context.savedModel
    now = context.graph.model
    steps = context.unsavedChanges.compactMap { change in
      guard case .model(let before, let after) = change else { return nil }
      return ModelRenaming(from: before.model, to: after.model)
    }
    for entity in before.entities {
      if let name = present(entity.name) { origins[name] = entity }
    }
    // One that was dropped and defined anew is the same entity to whoever compares.
    let kept = Set(origins.values.map(\.name))
    for entity in before.entities where !kept.contains(entity.name) {
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
    let kept = Set(origins.values.map(\.name))
    let present = now.entities.filter { origins[$0.name] != $0 }.map { entity in
      ChangedEntity(old: origins[entity.name], new: entity, keys: keys(of: entity))
    }
    let dropped = before.entities.filter { !kept.contains($0.name) }
    return present + dropped.map { ChangedEntity(old: $0, new: nil, keys: []) }
  }

  private func keys(of entity: Entity) -> [(old: String?, new: String?)] {
    guard let old = origins[entity.name] else { return [] }
    var names: [String: String] = [:]
    for key in old.ownKeys {
      if let name = self.present(key, of: old.name) { names[name] = key }
    }
    let kept = Set(names.values)
    for key in old.ownKeys where !kept.contains(key) && names[key] == nil { names[key] = key }
    let own = Set(entity.ownKeys)
    let dropped = old.ownKeys.filter { key in !names.contains { own.contains($0) && $1 == key } }
    return entity.ownKeys.map { (names[$0], $0) } + dropped.map { ($0, nil) }
  }
}

extension Entity {
  fileprivate var ownKeys: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

extension ManagedObjectContext {
  /// Takes in what another session had changed and not saved, as one undo group.
  ///
  /// `merged` is what became of it on the graph as it is now.
  package mutating func recover(_ merged: MergedChange, _ name: String) {
    guard !merged.change.isEmpty else { return }
    let next = graph.tables.map(\.nextNumber)
    change(.performed, name) { graph in
      graph = merged.graph
      graph.giveNoNumberTwice(next)
      return [.objects(merged.change)]
    }
    record(name, [.objects(merged.change)])
  }

  /// What `commit` would make of scratch contexts, the innermost last: this one with all their
  /// changes.
  package func adopting(_ scratches: [ManagedObjectContext], names: [String])
    -> ManagedObjectContext
  {
    var contexts = [self] + scratches
    var names = names
    while contexts.count > 1, let inside = contexts.popLast(), let name = names.popLast() {
      contexts[contexts.count - 1].adopt(inside, name)
    }
    return contexts[0]
  }
}
