package import KuraDiagnostics

extension ManagedObjectContext {
  /// Takes back the last group and gives its name; nil if there is none.
  ///
  /// Linear in what the group changed.
  package mutating func undo() throws(Diagnostic) -> UndoGroup? {
    guard var group = history.takeUndoable() else { return nil }
    do throws(Diagnostic) {
      if let object = group.shared {
        throw Diagnostic(ChangeFacts.notUndoable(name: group.name, object))
      }
      try turn(.undone, group.inverted, &group)
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
      try turn(.redone, group.changes, &group)
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
    _ act: ContextChange.Act, _ changes: [GraphChange], _ group: inout UndoGroup
  ) throws(Diagnostic) {
    let changes = wasMerged ? try graph.adapted(changes, name: group.name) : changes
    apply(changes, act, group.name)
    // What others have done too was no part of it, and does not come back with its opposite.
    if wasMerged { group.changes = act == .undone ? changes.reversed().map(\.inverted) : changes }
    if pending.last?.token == group.token {
      while pending.last?.token == group.token { pending.removeLast() }
    } else {
      group.token = keepUnsaved(changes)
    }
  }

  private mutating func apply(
    _ changes: [GraphChange], _ act: ContextChange.Act, _ name: String
  ) {
    change(act, name) { graph in
      for change in changes { graph.apply(change) }
      return changes
    }
  }

  /// Takes back everything since the last save, as one group that `undo` brings back.
  package mutating func rollback() {
    guard hasChanges else { return }
    let changes = pending.reversed().map(\.change.inverted)
    apply(changes, .rolledBack, "rollback")
    history.add(UndoGroup(name: "rollback", changes: changes, token: keepUnsaved([])))
    pending = []
  }

  /// Is again what it was earlier, as if nothing had been done since.
  package mutating func reset(to earlier: ManagedObjectContext) { become(earlier, .reset) }

  /// Begins anew with what another store has.
  package mutating func open(_ graph: Graph) { become(ManagedObjectContext(graph), .opened) }
}
