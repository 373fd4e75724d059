import KuraBytes
import KuraDiagnostics
import KuraModel
import KuraValues

/// Applies a change to a graph that other sessions have changed, according to a policy.
///
/// With `store` and `memory` it always ends without conflicts, because each round gives up a part of the change.
struct Merger {
  private let store: Graph
  private let policy: MergePolicy
  private let given: AssignedNumbers
  /// The rest of the change, with the original numbers.
  private var change: ChangeSet
  private var settled: [ChangeConflict] = []
  /// The deletions of the whole change.
  private let deleted: Set<ObjectID>
  /// The insertions of the whole change. Other sessions may have used their numbers.
  private let inserted: Set<ObjectID>
  /// The graph for which the change was made.
  private let origin: Graph
  private let cancel: CancelFlag

  init(
    _ change: ChangeSet, of origin: Graph, onto store: Graph, _ policy: MergePolicy,
    _ given: AssignedNumbers, _ cancel: CancelFlag
  ) {
    self.cancel = cancel
    (self.store, self.policy, self.given, self.origin) = (store, policy, given, origin)
    self.change = change.without(store.derivedKeys)
    deleted = Set(change.deletedObjects(in: store))
    inserted = Set(change.insertedObjects(in: store))
  }
}

extension Merger {
  mutating func merge() throws(Diagnostic) -> MergedChange {
    while true {
      let renumbering = given.renumbering(of: change, in: store)
      let back = renumbering.inverted
      let wanted = store.present(renumbering(net: change, in: store.model))
      let found = store.conflicts(with: wanted)
      let open = found.filter { !policy.letsThrough($0.kind) }
      guard open.isEmpty else {
        let causes = open.map { DiscardedPart($0) }
        guard giveUp(causes, open, back) else { return refused(open, renumbering) }
        continue
      }
      let replay = try Replay(
        wanted, deletedThere: deleted, wasLeading: linksOfOrigin, in: store, cancel)
      let reached = replay.reached
      guard !reached.isEmpty, policy != .memory else {
        note(found + reached.map(\.conflict), back)
        return merged(replay.result, renumbering)
      }
      let conflicts = reached.map(\.conflict)
      guard giveUp(reached.map { DiscardedPart($0.cause) }, conflicts, back) else {
        return refused(conflicts, renumbering)
      }
    }
  }

  /// Returns whether an object that exists on both sides led to another in the origin.
  private var linksOfOrigin: (KeyOfObject, ObjectID) -> Bool {
    { [origin, inserted] key, id in
      !inserted.contains(key.id) && origin.value(key.key, of: key.id).numbers.contains(id.number)
    }
  }

  private mutating func note(_ conflicts: [ChangeConflict], _ back: Renumbering) {
    for conflict in conflicts {
      let known = back(conflict, in: store.model)
      if !settled.contains(known) { settled.append(known) }
    }
  }

  /// Removes conflicting parts from the change; returns false if the policy forbids it, or if no part was removed.
  private mutating func giveUp(
    _ causes: [DiscardedPart], _ conflicts: [ChangeConflict], _ back: Renumbering
  ) -> Bool {
    guard policy != .error else { return false }
    var dropped = DiscardedParts(store)
    for cause in causes { dropped.add(cause.renumbered(back), of: change) }
    let rest = dropped.rest(of: change)
    guard rest != change else { return false }
    change = rest
    note(conflicts + dropped.companions, back)
    return true
  }

  private func refused(
    _ conflicts: [ChangeConflict], _ renumbering: Renumbering
  ) -> MergedChange {
    let back = renumbering.inverted
    var merged = MergedChange(graph: store)
    merged.renumbering = renumbering
    merged.conflicts = conflicts.map { back($0, in: store.model) }
    return merged
  }

  private func merged(_ result: ChangeSet, _ renumbering: Renumbering) -> MergedChange {
    var merged = MergedChange(graph: store)
    merged.renumbering = renumbering
    merged.settled = settled
    merged.change = result
    return merged
  }
}

extension MergePolicy {
  /// Returns whether the change takes precedence over the store for this kind of conflict.
  fileprivate func letsThrough(_ kind: ChangeConflict.Kind) -> Bool {
    switch kind {
    case .value, .changed: self == .memory
    case .deleted, .destination, .taken, .beside, .leads, .together: false
    }
  }
}
