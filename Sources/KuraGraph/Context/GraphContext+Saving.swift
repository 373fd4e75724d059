package import KuraBytes
package import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraValues

extension GraphContext {
  /// Marks all changes as saved.
  package mutating func didSave() {
    pending = StepList()
    savedModel = graph.model
    savedNumbers = graph.assignedNumbers
    change(.derived) { graph in
      graph.mayDangle = false
      return []
    }
  }

  /// The graph of the last save. Linear in the changes.
  package var savedGraph: Graph {
    var saved = graph
    for change in unsavedChanges.reversed() { saved.apply(change.inverted) }
    return saved
  }

  /// The graph as stored, if nothing was changed since the save; otherwise nil.
  package var storedGraph: Graph? {
    guard isUntouched else { return nil }
    var stored = graph
    for i in stored.tables.indices {
      stored.tables[i].nextNumber = savedNumbers[stored.tables[i].layout.root] ?? 1
    }
    return stored
  }

  /// Computes the values that derive at a save, for all objects that it writes.
  package mutating func deriveAtSave(in context: EvaluationContext) throws(Diagnostic) {
    guard let net = netChange(context.cancel) else { throw Diagnostic(EvaluationError.stopped) }
    let change = try graph.derivationAtSave(of: net, in: context)
    guard !change.isEmpty else { return }
    try self.change(.derived) { graph throws(Diagnostic) in
      try graph.admit(change)
      return [.objects(change)]
    }
    recordUnsaved([.objects(change)])
  }

  /// The net change since the last save. Objects that were inserted and deleted again are left out.
  ///
  /// Objects that a change of the model added are not included.
  package var netChange: ChangeSet { netChange(CancelFlag()) ?? ChangeSet() }

  /// Returns the net change since the last save; nil if cancelled.
  package func netChange(_ cancel: CancelFlag) -> ChangeSet? {
    net.change {
      let change = ChangeSet.net(of: objectChanges, in: graph.model, cancel)
      return cancel.isRequested ? nil : change
    }
  }

  /// All changes of objects since the last save, in order, with the names of the current model.
  var objectChanges: [ChangeSet] {
    var changes: [ChangeSet] = []
    for change in unsavedChanges {
      switch change {
      case .objects(let change): changes.append(change)
      case .model(let before, let after):
        changes = changes.map { $0.carried(from: before.model, to: after.model) }
      }
    }
    return changes
  }

  /// The names of the steps since the last save, in order.
  package var unsavedActions: [String] {
    let tokens = pending.mapParts(
      step: { $0.token..<$0.token + 1 },
      run: { $1.lowerBound + $0.firstToken..<$1.upperBound + $0.firstToken })
    return history.undoableNames { tokens.ascendingContain($0) }
      + history.redoableNames { tokens.ascendingContain($0) }.map { "undo \($0)" }
  }
}

extension [Range<Int>] {
  /// Returns whether one of the ascending ranges contains a number.
  fileprivate func ascendingContain(_ number: Int) -> Bool {
    let next = indices.partitioningIndex { self[$0].upperBound > number }
    return next < count && self[next].contains(number)
  }
}

extension GraphContext {
  /// Merges the saves of other sessions: `base` is the current store, `merged` is the unsaved change on top of it.
  ///
  /// The history continues with the new numbers; a step that conflicts with later changes of other sessions is rejected
  /// when it is undone. If either side changed the model, the history ends. Returns whether it ends.
  @discardableResult package mutating func merge(
    _ merged: MergedChange, onto base: Graph
  ) -> Bool {
    let endsHistory = adaptHistory(merged, base)
    let given = numbersAfter(merged.renumbering)
    change(.merged) { graph in
      let before = graph
      graph = merged.graph
      graph.reserveNumbers(graph.tables.map { given[$0.layout.root] ?? 1 })
      return [merged.others.map(GraphChange.objects) ?? .model(before: before, after: graph)]
    }
    savedModel = base.model
    savedNumbers = base.assignedNumbers
    pending = StepList()
    if !merged.change.isEmpty { recordUnsaved([.objects(merged.change)]) }
    wasMerged = true
    return endsHistory
  }

  /// Returns the next numbers by root, after objects were renumbered.
  private func numbersAfter(_ renumbering: Renumbering) -> [String: Int64] {
    var given = graph.assignedNumbers
    for (_, new) in renumbering.objects {
      given[new.root] = max(given[new.root] ?? 1, new.number + 1)
    }
    return given
  }

  private mutating func adaptHistory(_ merged: MergedChange, _ base: Graph) -> Bool {
    guard base.model.entities == savedModel.entities else {
      defer { history.removeAll() }
      return !history.isEmpty
    }
    let endsHistory = history.removeModelChanges()
    let model = graph.model
    let deleted = DeletedValues(merged.change, model)
    history.mapChanges { change in
      guard case .objects(let objects) = change else { return change }
      return .objects(deleted.within(merged.renumbering(objects, in: model)))
    }
    let own = merged.renumbering(net: netChange, in: model)
    history.note(SharedEdits(own, base), in: base)
    return endsHistory
  }
}

// Scratch contexts, which start with this context's graph
extension GraphContext {
  /// Adds the changes of a scratch context as one undo group.
  ///
  /// This context must be unchanged since; it takes over the other graph, including the numbers
  /// assigned there. Linear in the changes.
  package mutating func adopt(_ scratch: GraphContext, _ name: String) {
    let changes = scratch.hasChanges ? scratch.changes : []
    change(.committed, name) { graph in
      graph = scratch.graph
      return changes
    }
    if !changes.isEmpty { record(name, changes) }
  }

  /// Its unsaved changes, as the changes of one group.
  private var changes: [GraphChange] {
    hasModelChanges ? unsavedChanges : [.objects(netChange)]
  }

  /// Reserves the numbers assigned in a discarded scratch context, because a remaining reference to
  /// one must not lead to another object.
  package mutating func abandon(_ scratch: GraphContext) {
    change(.reset) { graph in
      graph.reserveNumbers(as: scratch.graph)
      return []
    }
  }

  /// Undoes the last group and returns it; nil if there is none.
  ///
  /// Linear in the changes of the group. If cancelled, nothing is changed. A group that conflicts with saves of other
  /// sessions is rejected once and discarded, so that earlier groups can be undone.
  package mutating func undo(
    _ cancel: CancelFlag = CancelFlag()
  ) throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeUndoable() else { return nil }
    do throws(Diagnostic) {
      if let object = group.shared {
        throw Diagnostic(ChangeProblem.notUndoable(name: group.name, object))
      }
      try turn(.undone, group.inverted, &group, cancel)
    } catch {
      if !error.givesUp { history.putRedone(group, in: graph) }
      throw error
    }
    history.putUndone(group)
    return group
  }

  /// Redoes the group that was undone last; nil if there is none. A group that no longer applies is
  /// discarded, as by `undo`.
  package mutating func redo(
    _ cancel: CancelFlag = CancelFlag()
  ) throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeRedoable() else { return nil }
    do throws(Diagnostic) {
      try turn(.redone, group.changes, &group, cancel)
    } catch {
      if !error.givesUp { history.putUndone(group) }
      throw error
    }
    history.putRedone(group, in: graph)
    return group
  }

  /// Applies changes that undo or redo a group.
  ///
  /// If the last unsaved step is the opposite, the two cancel out.
  private mutating func turn(
    _ act: ContextChange.Act, _ changes: [GraphChange], _ group: inout UndoGroup,
    _ cancel: CancelFlag
  ) throws(Diagnostic) {
    let changes = wasMerged ? try graph.adapted(changes, name: group.name) : changes
    try change(act, group.name) { graph throws(Diagnostic) in
      try graph.apply(changes, cancel)
      return changes
    }
    // Changes that other sessions made too are not part of the group, and do not return with its inverse.
    if wasMerged { group.changes = act == .undone ? changes.reversed().map(\.inverted) : changes }
    if pending.last?.token == group.token {
      while pending.last?.token == group.token { pending.popLast() }
    } else {
      group.token = recordUnsaved(changes)
    }
  }

  /// Discards all changes since the last save, as one group that `undo` restores.
  package mutating func rollback() {
    guard hasChanges else { return }
    let changes = unsavedChanges.reversed().map(\.inverted)
    change(.rolledBack, "rollback") { graph in
      for change in changes { graph.apply(change) }
      return changes
    }
    let group = UndoGroup(name: "rollback", changes: changes, token: recordUnsaved([]))
    history.add(.step(group), in: graph)
    pending = StepList()
  }

  package mutating func reset(to earlier: GraphContext) { become(earlier, .reset) }

  /// Starts over with the graph of another store.
  package mutating func open(_ graph: Graph) { become(GraphContext(graph), .opened) }
}

extension Graph {
  /// Applies steps; none of them if cancelled.
  fileprivate mutating func apply(
    _ changes: [GraphChange], _ cancel: CancelFlag
  ) throws(Diagnostic) {
    // A copy of the previous state forces changed chunks to be copied, so quick steps do without it.
    let before = changes.contains(where: \.isLarge) ? self : nil
    let cancel = before == nil ? CancelFlag() : cancel
    for change in changes { apply(change, cancel) }
    guard cancel.isRequested, let before else { return }
    self = before
    throw Diagnostic(EvaluationError.stopped)
  }
}

extension Diagnostic {
  /// Whether it says that a group no longer applies, which is permanent.
  fileprivate var givesUp: Bool {
    if case .notUndoable? = facts as? ChangeProblem { true } else { false }
  }
}
