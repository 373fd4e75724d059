extension ManagedObjectContext {
  /// Takes in what was changed in a context that began with this one's graph, as one undo group.
  package mutating func adopt(_ scratch: ManagedObjectContext, _ name: String) {
    guard scratch.hasChanges else { return }
    let changes =
      scratch.hasModelChanges
      ? scratch.pending.map(\.change) : [GraphChange.objects(scratch.netChange)]
    for change in changes { graph.apply(change) }
    record(name, changes)
  }
}
