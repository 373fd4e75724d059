package import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraValues

extension Graph {
  /// This state of the graph, which others have made, with a change that was made for another.
  ///
  /// New objects whose numbers are taken get others. Where both changed the same key of the same
  /// object the policy decides. The change is done edit by edit, so that both ends of every
  /// relationship agree; what that reaches beside the change is a conflict too. `givenBefore` says
  /// by root which numbers had been given when the change was begun. Linear in the change.
  package func merging(
    _ change: ChangeSet, policy: MergePolicy, givenBefore: [String: Int64],
    in context: EvaluationContext
  ) throws(Diagnostic) -> MergedChange {
    var merged = MergedChange(graph: self)
    merged.renumbering = renumbering(of: change, givenBefore)
    let wanted = present(merged.renumbering(change, in: model)).without(derivedKeys)
    let found = conflicts(with: wanted)
    let settled = wanted.settling(found, by: policy, in: model)
    let back = merged.renumbering.inverted
    merged.conflicts = settled.conflicts.map { back($0, in: model) }
    merged.settled = found.map { back($0, in: model) }
    guard merged.conflicts.isEmpty else { return merged }
    let result = try replay(settled.change)
    if policy != .memory {
      merged.conflicts = reasons(conflicts(beside: settled.change, in: result), found)
        .map { back($0, in: model) }
      guard merged.conflicts.isEmpty else { return merged }
    }
    merged.graph.apply(result)
    let derived = try merged.graph.derivation(after: result, in: context)
    merged.graph.apply(derived)
    merged.change = ChangeSet.net(of: [result, derived], in: model)
    return merged
  }

  /// Conflicts beside a change; a deletion that was given up, and follows from another, is about an
  /// object that was changed, and not added.
  private func reasons(_ beside: [ChangeConflict], _ found: [ChangeConflict]) -> [ChangeConflict] {
    let changed = Dictionary(
      found.filter { $0.kind == .changed }.map { ($0.object, $0) }, uniquingKeysWith: { a, _ in a })
    return beside.map { changed[$0.object] ?? $0 }
  }

  /// A change without the deletions of objects that are gone already.
  private func present(_ change: ChangeSet) -> ChangeSet {
    var deleted = BatchBuilder()
    for batch in change.deleted {
      for (i, number) in batch.numbers.enumerated() where find(id(batch.entity, number)) != nil {
        deleted.add(batch.entity, number, batch.values(i))
      }
    }
    var change = change
    change.deleted = deleted.batches
    return change
  }

  /// The numbers that come next, by root.
  package var givenNumbers: [String: Int64] {
    Dictionary(
      tables.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
  }

  private func renumbering(of change: ChangeSet, _ givenBefore: [String: Int64]) -> Renumbering {
    var result = Renumbering()
    let gone = Set(change.deleted.flatMap { batch in batch.numbers.map { id(batch.entity, $0) } })
    var next = tables.map(\.nextNumber)
    for batch in change.inserted {
      guard let place = place(of: batch.entity) else { continue }
      let highest = batch.numbers.max() ?? 0
      next[place.table] = max(next[place.table], highest &+ 1)
    }
    for batch in change.inserted {
      guard let place = place(of: batch.entity) else { continue }
      for number in batch.numbers {
        let id = id(batch.entity, number)
        let before = givenBefore[id.root] ?? 1
        let isGiven = number >= before && number < tables[place.table].nextNumber
        guard isGiven || find(id) != nil, !gone.contains(id) else { continue }
        result.add(id, next[place.table])
        next[place.table] += 1
      }
    }
    return result
  }

  /// Keys that are computed anew, and mean nothing in a merge.
  var derivedKeys: Set<String> { Set(layout.derivations.map(\.attribute.name)) }
}

extension ChangeSet {
  /// The change without updates of some keys, which are computed anew.
  func without(_ keys: Set<String>) -> ChangeSet {
    if keys.isEmpty { return self }
    var result = self
    result.updated = updated.compactMap { batch in
      var batch = batch
      batch.columns.removeAll { keys.contains($0.key) }
      return batch.columns.isEmpty ? nil : batch
    }
    return result
  }
}
