package import KuraBytes
import KuraDiagnostics
package import KuraGraph
package import KuraModel
import KuraValues

/// The saves that a history records, and the state of the store after each of them.
package struct SaveChain: Sendable {
  /// The saves, the oldest first.
  package let saves: [SaveEntry]
  /// Cancels the work; results are incomplete then.
  private let cancel: CancelFlag

  /// Whether the store is as the last save left it, as far as known.
  private let isCurrent: Bool

  package init(
    _ saves: [SaveEntry], isCurrent: Bool = true, _ cancel: CancelFlag = CancelFlag()
  ) {
    (self.saves, self.isCurrent, self.cancel) = (saves, isCurrent, cancel)
  }

  /// Creates the chain of a history's saves, for a store in the given state.
  package init(
    _ history: SaveHistory.Contents, now state: String?, _ cancel: CancelFlag = CancelFlag()
  ) {
    let isOther = state != nil && history.state != nil && state != history.state
    self.init(history.saves, isCurrent: !isOther && !history.endsInGap, cancel)
  }

  /// A reason why an earlier state cannot be determined, or a save cannot be reverted.
  package enum Break: Error, Equatable {
    /// The history has no save of that number.
    case unknown(Int64, available: ClosedRange<Int64>?)
    /// A save changed the model, which a change set does not describe.
    case model(Int64)
    /// A save has values of a key that is missing from the model or has another type there.
    case otherType(Int64, entity: String, key: String)
    /// A save has a value that the model does not allow.
    case refused(Int64, ChangeRefusal)
    /// The store was changed after a save, and the history does not say how: a save was not
    /// recorded, its line is damaged, or the document was edited.
    case gap(Int64)
  }
}

extension SaveChain {
  /// The numbers of the saves that a gap follows.
  package var gaps: [Int64] {
    saves.filter(\.followsGap).map(number(before:)) + (isCurrent ? [] : [saves.last?.number ?? 0])
  }

  private func number(before save: SaveEntry) -> Int64 {
    saves.last { $0.number < save.number }?.number ?? save.number - 1
  }

  /// Returns the store as it was after a save, computed from its present state; after save 0 if the
  /// first save is recorded.
  package func graph(after number: Int64, from now: Graph) throws(Break) -> Graph {
    try check(number)
    guard isCurrent else { throw .gap(saves.last?.number ?? 0) }
    var graph = now
    for save in saves.reversed() where save.number > number && !cancel.isRequested {
      let back = try change(of: save, in: now.model).inverted
      guard graph.otherOldValue(in: back, cancel) == nil else { throw .gap(save.number) }
      do throws(Diagnostic) { try graph.admit(back, cancel, checkingOld: true) } catch {
        throw Break(save.number, error)
      }
      guard graph.unrepresentableState(after: back, cancel) == nil else { throw .gap(save.number) }
      try checkJoint(before: save)
    }
    return graph
  }

  /// Returns the changes after one save, up to and including another.
  package func change(
    _ from: Int64, _ to: Int64, in model: Model
  ) throws(Break) -> ChangeSet {
    try check(from)
    try check(to)
    var changes: [ChangeSet] = []
    for save in saves where save.number > from && save.number <= to {
      let change = try change(of: save, in: model)
      try checkJoint(before: save)
      changes.append(change)
    }
    return ChangeSet.net(of: changes, in: model, cancel)
  }

  /// Returns the change of one save, to be reverted under the present model.
  package func change(of number: Int64, in model: Model) throws(Break) -> ChangeSet {
    guard let save = saves.first(where: { $0.number == number }) else {
      throw .unknown(number, available: available)
    }
    return try change(of: save, in: model)
  }

  /// Throws unless each value has the type that its key has in the present model.
  private func change(of save: SaveEntry, in model: Model) throws(Break) -> ChangeSet {
    guard let change = save.change else { throw .model(save.number) }
    if let types = save.types {
      if let (entity, key) = types.firstDifference(from: model) {
        throw .otherType(save.number, entity: entity, key: key)
      }
    } else {
      try checkModelIsKept(since: save.number)
    }
    if let refusal = change.refusal(in: model, cancel) { throw .refused(save.number, refusal) }
    return change
  }

  /// Throws unless all saves since are known and did not change the model. Only then does an entry
  /// without types match the present model.
  private func checkModelIsKept(since number: Int64) throws(Break) {
    var last = number
    for save in saves where save.number > number {
      guard save.number == last + 1 else { throw .gap(last) }
      guard save.change != nil else { throw .model(save.number) }
      last = save.number
    }
  }

  /// Throws if the save does not follow directly on the one before.
  private func checkJoint(before save: SaveEntry) throws(Break) {
    if save.followsGap { throw .gap(number(before: save)) }
  }

  private func check(_ number: Int64) throws(Break) {
    guard let available, number >= available.lowerBound - 1, number <= available.upperBound else {
      throw .unknown(number, available: available)
    }
  }

  private var available: ClosedRange<Int64>? {
    guard let first = saves.first?.number, let last = saves.last?.number, first <= last else {
      return nil
    }
    return first...last
  }
}

extension SaveChain.Break {
  fileprivate init(_ number: Int64, _ diagnostic: Diagnostic) {
    guard case .refused(let refusal)? = diagnostic.facts as? ChangeProblem,
      ![.missing, .taken].contains(refusal.reason)
    else {
      self = .gap(number)
      return
    }
    self = .refused(number, refusal)
  }
}
