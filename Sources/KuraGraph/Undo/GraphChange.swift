/// A step from one state of the graph to the next.
package enum GraphChange: Sendable {
  /// Objects: `insert`, `update`, `delete`.
  case objects(ChangeSet)
  /// The model, and with it what the objects hold: `entity`, `alter entity`, `drop entity`.
  ///
  /// Two states of the graph share the chunks that are the same.
  case model(before: Graph, after: Graph)
}

extension GraphChange {
  package var inverted: GraphChange {
    switch self {
    case .objects(let change): .objects(change.inverted)
    case .model(let before, let after): .model(before: after, after: before)
    }
  }
}

extension Graph {
  /// Does a change; numbers that were given once are not given again.
  package mutating func apply(_ change: GraphChange) {
    switch change {
    case .objects(let change): apply(change)
    case .model(_, let after):
      let numbers = Dictionary(
        tables.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
      // A root that was renamed has its table where it was.
      let places = tables.map(\.nextNumber)
      let isSamePlace = places.count == after.tables.count
      self = after
      for i in tables.indices {
        let number = numbers[tables[i].layout.root] ?? (isSamePlace ? places[i] : 1)
        tables[i].nextNumber = max(tables[i].nextNumber, number)
      }
    }
  }
}
