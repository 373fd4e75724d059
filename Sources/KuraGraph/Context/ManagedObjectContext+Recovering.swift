extension ManagedObjectContext {
  /// Takes in what another session had changed and not saved, as one undo group.
  ///
  /// `merged` is what became of it on the graph as it is now.
  package mutating func recover(_ merged: MergedChange, _ name: String) {
    guard !merged.change.isEmpty else { return }
    let next = graph.tables.map(\.nextNumber)
    change(.performed, name) { graph in
      graph = merged.graph
      graph.giveNoNumberTwice(next)
      return [.objects(merged.change)]
    }
    record(name, [.objects(merged.change)])
  }

  /// What `commit` would make of scratch contexts, the innermost last: this one with all their
  /// changes.
  package func adopting(_ scratches: [ManagedObjectContext], names: [String])
    -> ManagedObjectContext
  {
    var contexts = [self] + scratches
    var names = names
    while contexts.count > 1, let inside = contexts.popLast(), let name = names.popLast() {
      contexts[contexts.count - 1].adopt(inside, name)
    }
    return contexts[0]
  }
}
