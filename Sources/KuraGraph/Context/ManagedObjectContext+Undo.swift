package import KuraBytes
package import KuraDiagnostics
import KuraPredicates

extension ManagedObjectContext {
  /// Takes back the last group and gives its name; nil if there is none.
  ///
  /// Linear in what the group changed. Where somebody asks to stop, it is as if it had not begun. A group
  /// that no longer fits what others have saved is refused, once: it is given up, so that those before it
  /// can be taken back.
  package mutating func undo(
    _ cancel: CancelFlag = CancelFlag()
  ) throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeUndoable() else { return nil }
    do throws(Diagnostic) {
      if let object = group.shared {
        throw Diagnostic(ChangeFacts.notUndoable(name: group.name, object))
      }
      try turn(.undone, group.inverted, &group, cancel)
    } catch {
      if !error.givesUp { history.putRedone(group, in: graph) }
      throw error
    }
    history.putUndone(group)
    return group
  }

  /// Does the group again that was taken back last; nil if there is none. One that no longer fits is given
  /// up, as by `undo`.
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

  /// Does changes that take a group back or do it again.
  ///
  /// Where the opposite is the last thing unsaved, the two are nothing.
  private mutating func turn(
    _ act: ContextChange.Act, _ changes: [GraphChange], _ group: inout UndoGroup,
    _ cancel: CancelFlag
  ) throws(Diagnostic) {
    let changes = wasMerged ? try graph.adapted(changes, name: group.name) : changes
    try change(act, group.name) { graph throws(Diagnostic) in
      try graph.apply(changes, cancel)
      return changes
    }
    // What others have done too was no part of it, and does not come back with its opposite.
    if wasMerged { group.changes = act == .undone ? changes.reversed().map(\.inverted) : changes }
    if pending.last?.token == group.token {
      while pending.last?.token == group.token { pending.popLast() }
    } else {
      group.token = keepUnsaved(changes)
    }
  }

  /// Takes back everything since the last save, as one group that `undo` brings back.
  package mutating func rollback() {
    guard hasChanges else { return }
    let changes = unsavedChanges.reversed().map(\.inverted)
    change(.rolledBack, "rollback") { graph in
      for change in changes { graph.apply(change) }
      return changes
    }
    history.add(UndoGroup(name: "rollback", changes: changes, token: keepUnsaved([])), in: graph)
    pending = StepList()
  }

  /// Is again what it was earlier, as if nothing had been done since.
  package mutating func reset(to earlier: ManagedObjectContext) { become(earlier, .reset) }

  /// Begins anew with what another store has.
  package mutating func open(_ graph: Graph) { become(ManagedObjectContext(graph), .opened) }
}

extension Graph {
  /// Does steps; where somebody asks to stop meanwhile, none of them.
  fileprivate mutating func apply(
    _ changes: [GraphChange], _ cancel: CancelFlag
  ) throws(Diagnostic) {
    // The chunks that they change are copied for that: not where they are done in no time.
    let before = changes.contains(where: \.isLarge) ? self : nil
    let cancel = before == nil ? CancelFlag() : cancel
    for change in changes { apply(change, cancel) }
    guard cancel.isRequested, let before else { return }
    self = before
    throw Diagnostic(EvaluationFacts.stopped)
  }
}

extension Diagnostic {
  /// Whether it says that a group fits no more, which it will not do later either.
  fileprivate var givesUp: Bool {
    if case .notUndoable? = facts as? ChangeFacts { true } else { false }
  }
}
