import KuraBytes
import KuraDiagnostics
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
  package internal(set) var savedModel: Model
  /// The numbers that had been given at the last save, by root.
  package internal(set) var savedNumbers: [String: Int64]
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
    let (result, change, nextNumbers) = try edited(in: context, edit)
    if context.cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped) }
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
    in context: EvaluationContext, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> (Result, ChangeSet, [Int64]) {
    var editor = GraphEditor(graph)
    editor.cancel = context.cancel
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
    let token = keepUnsaved(changes)
    history.add(UndoGroup(name: name, changes: changes, token: token))
  }

  /// Keeps changes as unsaved and gives the token of their group.
  @discardableResult mutating func keepUnsaved(_ changes: [GraphChange]) -> Int {
    lastToken += 1
    pending += changes.map { (lastToken, $0) }
    return lastToken
  }
}
