package import KuraGraph
package import KuraModel
import KuraValues

/// What a store was at earlier saves, by the saves that are kept.
package struct SaveChain: Sendable {
  /// The first is the oldest.
  package let saves: [SaveEntry]

  package init(_ saves: [SaveEntry]) { self.saves = saves }

  /// Why an earlier state cannot be told.
  package enum Break: Error, Equatable {
    /// No save of that number is kept.
    case unknown(Int64, kept: ClosedRange<Int64>?)
    /// A save changed the model, of which a change set knows nothing.
    case model(Int64)
    /// Behind a save something was saved that was not kept here, or the document was edited.
    case gap(Int64)
  }

  /// The store as it was behind a save, from how it is now; behind save 0 where the first is kept.
  package func graph(behind number: Int64, from now: Graph) throws(Break) -> Graph {
    try check(number)
    var graph = now
    for save in saves.reversed() where save.number > number {
      guard let change = save.change else { throw .model(save.number) }
      let back = change.inverted
      guard graph.fits(back) else { throw .gap(save.number) }
      graph.apply(back)
    }
    return graph
  }

  /// What the saves behind one did, up to another one.
  package func change(
    _ from: Int64, _ to: Int64, in model: Model
  ) throws(Break) -> ChangeSet {
    try check(from)
    try check(to)
    var changes: [ChangeSet] = []
    for save in saves where save.number > from && save.number <= to {
      guard let change = save.change else { throw .model(save.number) }
      changes.append(change)
    }
    return ChangeSet.net(of: changes, in: model)
  }

  /// The save of a number.
  package func save(_ number: Int64) throws(Break) -> SaveEntry {
    guard let save = saves.first(where: { $0.number == number }) else {
      throw .unknown(number, kept: kept)
    }
    return save
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

extension Graph {
  /// Whether what a change finds is what is there.
  fileprivate func fits(_ change: ChangeSet) -> Bool {
    change.deleted.allSatisfy { batch in
      batch.numbers.indices.allSatisfy { i in
        find(id(batch.entity, batch.numbers[i])) != nil
          && batch.columns.allSatisfy {
            value($0.key, of: id(batch.entity, batch.numbers[i])) == $0.values[i]
          }
      }
    }
      && change.inserted.allSatisfy { batch in
        batch.numbers.allSatisfy { find(id(batch.entity, $0)) == nil }
      }
      && change.updated.allSatisfy { batch in
        batch.numbers.indices.allSatisfy { i in
          find(id(batch.entity, batch.numbers[i])) != nil
            && batch.columns.allSatisfy {
              value($0.key, of: id(batch.entity, batch.numbers[i])) == $0.old[i]
            }
        }
      }
  }
}
