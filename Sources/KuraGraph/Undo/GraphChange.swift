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
  var isOfModel: Bool {
    switch self {
    case .objects: false
    case .model: true
    }
  }

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
      let before = self
      self = after
      giveNoNumberTwice(as: before)
    }
  }

  /// Numbers that another state of the graph has given are not given again.
  mutating func giveNoNumberTwice(as other: Graph) {
    let given = other.givenNumbers
    // A root that was renamed has its table where it was.
    let places = other.tables.map(\.nextNumber)
    let isSamePlace = places.count == tables.count
    giveNoNumberTwice(
      tables.indices.map { i in given[tables[i].layout.root] ?? (isSamePlace ? places[i] : 1) })
  }
}
