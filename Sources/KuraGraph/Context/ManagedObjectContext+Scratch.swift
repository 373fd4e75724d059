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
