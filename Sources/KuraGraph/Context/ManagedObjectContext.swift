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
