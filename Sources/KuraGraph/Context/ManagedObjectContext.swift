package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraValues

/// The graph with its changes since it was last saved, and the way back.
///
///     var context = ManagedObjectContext(graph)
///     let done = try context.perform("insert Category") { editor in
///       try editor.insert([NewObject(entity: "Category")])
///     }
///     context.undo()       // "insert Category"
package struct ManagedObjectContext: Sendable {
  package internal(set) var graph: Graph
  package var history = UndoHistory()
  /// What was changed since the last save, in its order, each under its group's token.
  var pending: [(token: Int, change: GraphChange)] = []
  private var lastToken = 0
  /// The model as it was last saved.
  package private(set) var savedModel: Model
  /// The numbers that had been given at the last save, by root.
  package private(set) var savedNumbers: [String: Int64]
  /// Others have saved since groups of the history were made.
  var wasMerged = false

  package init(_ graph: Graph) {
    self.graph = graph
    savedModel = graph.model
    savedNumbers = graph.givenNumbers
  }

  /// The graph as it is now, for what reads it later.
  package var snapshot: GraphSnapshot { GraphSnapshot(graph) }

  /// Whether nothing has been done since the last save.
  package var isUntouched: Bool { pending.isEmpty }

  /// Whether a save would write something. Linear in the changes.
  package var hasChanges: Bool { !pending.isEmpty && (hasModelChanges || !netChange.isEmpty) }

  /// Whether the model was changed since the last save.
  package var hasModelChanges: Bool {
    pending.contains { if case .model = $0.change { true } else { false } }
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
  package mutating func perform<Result>(
    _ name: String, in context: EvaluationContext,
    _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    let (result, change, nextNumbers) = try edited(edit)
    graph.giveNoNumberTwice(nextNumbers)
    guard !change.isEmpty else { return Performed(result: result, change: change) }
    graph.apply(change)
    let derived: ChangeSet
    do {
      derived = try graph.derivation(after: change, in: context)
    } catch {
      graph.apply(change.inverted)
      throw error
    }
    if !derived.isEmpty { graph.apply(derived) }
    let whole =
      derived.isEmpty ? change : ChangeSet.net(of: [change, derived], in: graph.model)
    record(name, [.objects(whole)])
    return Performed(result: result, change: whole)
  }

  /// The editor is gone when the graph is changed: a copy of it would be copied chunk by chunk.
  private func edited<Result>(
    _ edit: (inout GraphEditor) throws -> Result
  ) throws -> (Result, ChangeSet, [Int64]) {
    var editor = GraphEditor(graph)
    let result = try edit(&editor)
    return (result, editor.change, editor.nextNumbers)
  }

  /// Gives the graph another model and other contents, as one undo group.
  package mutating func changeModel(_ name: String, to after: Graph) {
    let before = graph
    graph.apply(.model(before: before, after: after))
    record(name, [.model(before: before, after: after)])
  }

  /// Gives the graph another model; objects keep what both models know.
  package mutating func setModel(_ model: Model, _ name: String) {
    var after = graph
    after.setModel(model)
    changeModel(name, to: after)
  }

  /// Keeps what was done as a group and as unsaved.
  mutating func record(_ name: String, _ changes: [GraphChange]) {
    lastToken += 1
    history.add(UndoGroup(name: name, changes: changes, token: lastToken))
    pending += changes.map { (lastToken, $0) }
  }
}

extension ManagedObjectContext {
  /// Takes back the last group and gives its name; nil if there is none.
  ///
  /// Linear in what the group changed.
  package mutating func undo() throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeUndoable() else { return nil }
    do throws(Diagnostic) {
      try turn(group.inverted, &group)
    } catch {
      history.putRedone(group)
      throw error
    }
    history.putUndone(group)
    return group
  }

  /// Does the group again that was taken back last; nil if there is none.
  package mutating func redo() throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeRedoable() else { return nil }
    do throws(Diagnostic) {
      try turn(group.changes, &group)
    } catch {
      history.putUndone(group)
      throw error
    }
    history.putRedone(group)
    return group
  }

  /// Does changes that take a group back or do it again.
  ///
  /// Where the opposite is the last thing unsaved, the two are nothing.
  private mutating func turn(
    _ changes: [GraphChange], _ group: inout UndoGroup
  ) throws(Diagnostic) {
    let changes = wasMerged ? try graph.adapted(changes, name: group.name) : changes
    for change in changes { graph.apply(change) }
    if pending.last?.token == group.token {
      while pending.last?.token == group.token { pending.removeLast() }
    } else {
      lastToken += 1
      group.token = lastToken
      pending += changes.map { (lastToken, $0) }
    }
  }

  /// Takes back everything since the last save, as one group that `undo` brings back.
  package mutating func rollback() {
    guard hasChanges else { return }
    let changes = pending.reversed().map(\.change.inverted)
    for change in changes { graph.apply(change) }
    lastToken += 1
    history.add(UndoGroup(name: "rollback", changes: changes, token: lastToken))
    pending = []
  }
}

extension ManagedObjectContext {
  /// Everything has been saved.
  package mutating func didSave() {
    pending = []
    savedModel = graph.model
    savedNumbers = graph.givenNumbers
    graph.mayDangle = false
  }

  /// The graph as it was last saved. Linear in the changes.
  package var savedGraph: Graph {
    var saved = graph
    for change in pending.reversed() { saved.apply(change.change.inverted) }
    return saved
  }

  /// Computes what is derived from the moment of a save, for all objects that it writes.
  package mutating func deriveAtSave(in context: EvaluationContext) throws(Diagnostic) {
    let change = try graph.derivationAtSave(of: netChange, in: context)
    guard !change.isEmpty else { return }
    graph.apply(change)
    lastToken += 1
    pending.append((lastToken, .objects(change)))
  }

  /// What was changed since the last save, as one change; what came and went is not in it.
  ///
  /// A change of the model leaves out the objects that it brought along.
  package var netChange: ChangeSet { ChangeSet.net(of: objectChanges, in: graph.model) }

  /// Every change of objects since the last save, in its order, in the names of the present model.
  var objectChanges: [ChangeSet] {
    var changes: [ChangeSet] = []
    for (_, change) in pending {
      switch change {
      case .objects(let change): changes.append(change)
      case .model(let before, let after):
        changes = changes.map { $0.carried(from: before.model, to: after.model) }
      }
    }
    return changes
  }

  /// Takes in what others have saved: `base` is the store as it is now, `merged` what became of the
  /// unsaved changes on it.
  ///
  /// The history goes on with the new numbers; a step that others have changed since is refused
  /// when its turn comes. Where others have changed the model, the history ends.
  package mutating func merge(_ merged: MergedChange, onto base: Graph) {
    let model = graph.model
    if base.model.entities == savedModel.entities {
      history.mapChanges { change in
        guard case .objects(let objects) = change else { return change }
        return .objects(merged.renumbering(objects, in: model))
      }
    } else {
      history.removeAll()
    }
    graph = merged.graph
    savedModel = base.model
    savedNumbers = base.givenNumbers
    lastToken += 1
    pending = merged.change.isEmpty ? [] : [(lastToken, .objects(merged.change))]
    wasMerged = true
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
