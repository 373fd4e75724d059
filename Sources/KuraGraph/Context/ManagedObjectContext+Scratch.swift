extension ManagedObjectContext {
  /// Takes in what was changed in a context that began with this one's graph, as one undo group.
  ///
  /// This one has not changed since: its graph is the other's from now on, with the numbers given
  /// there. Linear in the changes.
  package mutating func adopt(_ scratch: ManagedObjectContext, _ name: String) {
    graph = scratch.graph
    guard scratch.hasChanges else { return }
    record(
      name,
      scratch.hasModelChanges
        ? scratch.pending.map(\.change) : [GraphChange.objects(scratch.netChange)])
  }
}

extension ManagedObjectContext {
  /// Takes note of the numbers given in a context that is forgotten: whoever still has one of them
  /// must not find another object under it.
  package mutating func abandon(_ scratch: ManagedObjectContext) {
    let given = scratch.graph.givenNumbers
    // A root that was renamed has its table where it was.
    let places = scratch.graph.tables.map(\.nextNumber)
    let isSamePlace = places.count == graph.tables.count
    graph.giveNoNumberTwice(
      graph.tables.indices.map { i in
        given[graph.tables[i].layout.root] ?? (isSamePlace ? places[i] : 1)
      })
  }
}
