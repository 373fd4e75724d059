package import KuraBytes
import KuraDiagnostics
package import KuraGraph
package import KuraModel
import KuraValues

/// The saves that a history remembers, and what the store was at each of them.
package struct SaveChain: Sendable {
  /// The oldest first.
  package let saves: [SaveEntry]
  /// If it is requested, what the chain gives is incomplete.
  private let cancel: CancelFlag

  /// Whether the store is as the last save left it, as far as that is known.
  private let isCurrent: Bool

  package init(
    _ saves: [SaveEntry], isCurrent: Bool = true, _ cancel: CancelFlag = CancelFlag()
  ) {
    (self.saves, self.isCurrent, self.cancel) = (saves, isCurrent, cancel)
  }

  /// The saves of a history, of a store that is in a state now.
  package init(
    _ history: SaveHistory.Contents, now state: String?, _ cancel: CancelFlag = CancelFlag()
  ) {
    let isOther = state != nil && history.state != nil && state != history.state
    self.init(history.saves, isCurrent: !isOther && !history.endsInGap, cancel)
  }

  /// Why an earlier state cannot be told, or a save cannot be reverted.
  package enum Break: Error, Equatable {
    /// No save of that number is kept.
    case unknown(Int64, kept: ClosedRange<Int64>?)
    /// A save changed the model, of which a change set knows nothing.
    case model(Int64)
    /// A save has values of a key that the model does not have, or has with another type.
    case otherType(Int64, entity: String, key: String)
    /// A save has a value that the model does not allow.
    case refused(Int64, ChangeRefusal)
    /// After a save the store was changed, and the history does not say how: a save was not noted, its line
    /// is damaged, or the document was edited.
    case gap(Int64)
  }
}

extension SaveChain {
  /// The saves after which there is a gap.
  package var gaps: [Int64] {
    saves.filter(\.followsGap).map(number(before:)) + (isCurrent ? [] : [saves.last?.number ?? 0])
  }

  private func number(before save: SaveEntry) -> Int64 {
    saves.last { $0.number < save.number }?.number ?? save.number - 1
  }

  /// The store as it was after a save, worked out from how it is now; after save 0 if the first is kept.
  package func graph(behind number: Int64, from now: Graph) throws(Break) -> Graph {
    try check(number)
    guard isCurrent else { throw .gap(saves.last?.number ?? 0) }
    var graph = now
    for save in saves.reversed() where save.number > number && !cancel.isRequested {
      let back = try change(of: save, in: now.model).inverted
      guard graph.otherOldValue(in: back, cancel) == nil else { throw .gap(save.number) }
      do throws(Diagnostic) { try graph.admit(back, cancel, checkingOld: true) } catch {
        throw Break(save.number, error)
      }
      guard graph.formFault(after: back) == nil else { throw .gap(save.number) }
      try checkJoint(before: save)
    }
    return graph
  }

  /// What the saves after one did, up to another one.
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

  /// What one save did, to be taken back under the present model.
  package func change(of number: Int64, in model: Model) throws(Break) -> ChangeSet {
    guard let save = saves.first(where: { $0.number == number }) else {
      throw .unknown(number, kept: kept)
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
    if let refusal = change.refusal(in: model) { throw .refused(save.number, refusal) }
    return change
  }

  /// An entry without types was made for the present model only if each save since is known, and none of
  /// them changed the model.
  private func checkModelIsKept(since number: Int64) throws(Break) {
    var last = number
    for save in saves where save.number > number {
      guard save.number == last + 1 else { throw .gap(last) }
      guard save.change != nil else { throw .model(save.number) }
      last = save.number
    }
  }

  /// Throws where the save does not follow on the one before.
  private func checkJoint(before save: SaveEntry) throws(Break) {
    if save.followsGap { throw .gap(number(before: save)) }
  }

  private func check(_ number: Int64) throws(Break) {
    guard let kept, number >= kept.lowerBound - 1, number <= kept.upperBound else {
      throw .unknown(number, kept: kept)
    }
  }

  private var kept: ClosedRange<Int64>? {
    guard let first = saves.first?.number, let last = saves.last?.number, first <= last else {
      return nil
    }
    return first...last
  }
}

extension SaveChain.Break {
  fileprivate init(_ number: Int64, _ diagnostic: Diagnostic) {
    guard case .refused(let refusal)? = diagnostic.facts as? ChangeFacts,
      ![.missing, .taken].contains(refusal.reason)
    else {
      self = .gap(number)
      return
    }
    self = .refused(number, refusal)
  }
}
