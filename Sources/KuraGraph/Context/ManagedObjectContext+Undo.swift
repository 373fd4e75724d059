package import KuraDiagnostics

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
      group.token = keepUnsaved(changes)
    }
  }

  /// Takes back everything since the last save, as one group that `undo` brings back.
  package mutating func rollback() {
    guard hasChanges else { return }
    let changes = pending.reversed().map(\.change.inverted)
    for change in changes { graph.apply(change) }
    history.add(UndoGroup(name: "rollback", changes: changes, token: keepUnsaved([])))
    pending = []
  }
}
