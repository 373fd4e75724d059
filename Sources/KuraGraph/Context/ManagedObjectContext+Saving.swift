package import KuraBytes
package import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraValues

extension ManagedObjectContext {
  /// Everything has been saved.
  package mutating func didSave() {
    pending = StepList()
    savedModel = graph.model
    savedNumbers = graph.givenNumbers
    change(.derived) { graph in
      graph.mayDangle = false
      return []
    }
  }

  /// The graph as it was last saved. Linear in the changes.
  package var savedGraph: Graph {
    var saved = graph
    for change in unsavedChanges.reversed() { saved.apply(change.inverted) }
    return saved
  }

  /// The graph as the store has it, where nothing was done since it was saved; nil else.
  package var storedGraph: Graph? {
    guard isUntouched else { return nil }
    var stored = graph
    for i in stored.tables.indices {
      stored.tables[i].nextNumber = savedNumbers[stored.tables[i].layout.root] ?? 1
    }
    return stored
  }

  /// Computes what is derived from the moment of a save, for all objects that it writes.
  package mutating func deriveAtSave(in context: EvaluationContext) throws(Diagnostic) {
    guard let net = netChange(context.cancel) else { throw Diagnostic(EvaluationFacts.stopped) }
    let change = try graph.derivationAtSave(of: net, in: context)
    guard !change.isEmpty else { return }
    try self.change(.derived) { graph throws(Diagnostic) in
      try graph.admit(change)
      return [.objects(change)]
    }
    keepUnsaved([.objects(change)])
  }

  /// What was changed since the last save, as one change; what came and went is not in it.
  ///
  /// A change of the model leaves out the objects that it brought along.
  package var netChange: ChangeSet { netChange(CancelFlag()) ?? ChangeSet() }

  /// The same; nil where somebody asked to stop before it was known.
  package func netChange(_ cancel: CancelFlag) -> ChangeSet? {
    net.change {
      let change = ChangeSet.net(of: objectChanges, in: graph.model, cancel)
      return cancel.isRequested ? nil : change
    }
  }

  /// Every change of objects since the last save, in its order, in the names of the present model.
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
}

extension ManagedObjectContext {
  /// What the steps since the last save are called, in their order.
  package var unsavedActions: [String] {
    let tokens = pending.mapParts(
      step: { $0.token..<$0.token + 1 },
      run: { $1.lowerBound + $0.firstToken..<$1.upperBound + $0.firstToken })
    return history.undoableNames { tokens.ascendingContain($0) }
      + history.redoableNames { tokens.ascendingContain($0) }.map { "undo \($0)" }
  }
}

extension [Range<Int>] {
  /// Whether one of these, which ascend, has a number.
  fileprivate func ascendingContain(_ number: Int) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].contains(number)
  }
}

extension ManagedObjectContext {
  /// Takes in what others have saved: `base` is the store as it is now, `merged` what became of the
  /// unsaved changes on it.
  ///
  /// The history goes on with the new numbers; a step that others have changed since is refused
  /// when its turn comes. Where others have changed the model, the history ends, and where this one
  /// has; returned is whether it does.
  @discardableResult package mutating func merge(
    _ merged: MergedChange, onto base: Graph
  ) -> Bool {
    let endsHistory = adaptHistory(merged, base)
    let given = numbersBehind(merged.renumbering)
    change(.merged) { graph in
      let before = graph
      graph = merged.graph
      graph.giveNoNumberTwice(graph.tables.map { given[$0.layout.root] ?? 1 })
      return [merged.others.map(GraphChange.objects) ?? .model(before: before, after: graph)]
    }
    savedModel = base.model
    savedNumbers = base.givenNumbers
    pending = StepList()
    if !merged.change.isEmpty { keepUnsaved([.objects(merged.change)]) }
    wasMerged = true
    return endsHistory
  }

  /// The numbers that come next, by root, where objects have got others.
  private func numbersBehind(_ renumbering: Renumbering) -> [String: Int64] {
    var given = graph.givenNumbers
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

// Scratch contexts, which began with this one's graph
extension ManagedObjectContext {
  /// Takes in what was changed in a scratch context, as one undo group.
  ///
  /// This one has not changed since: its graph is the other's from now on, with the numbers given
  /// there. Linear in the changes.
  package mutating func adopt(_ scratch: ManagedObjectContext, _ name: String) {
    let changes = scratch.hasChanges ? scratch.changes : []
    change(.committed, name) { graph in
      graph = scratch.graph
      return changes
    }
    if !changes.isEmpty { record(name, changes) }
  }

  /// Its changes as those of one group.
  private var changes: [GraphChange] {
    hasModelChanges ? unsavedChanges : [.objects(netChange)]
  }

  /// Takes note of the numbers given in a scratch context that is forgotten: whoever still has one
  /// of them must not find another object under it.
  package mutating func abandon(_ scratch: ManagedObjectContext) {
    change(.reset) { graph in
      graph.giveNoNumberTwice(as: scratch.graph)
      return []
    }
  }
}

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
