import KuraGraph
import KuraScript
import KuraValues

extension Session {
  /// `rollback`: the graph and its model are as they were at the last save.
  mutating func rollback() throws(Failure) {
    try checkNoScratch("rollback")
    guard state.context.hasChanges else { return report(Report.nothingToRollBack) }
    let dropped = state.context.unsaved
    let entities = state.context.changedEntities
    state.context.rollback()
    state.followBack(entities)
    state.trace.removeAll()
    report(Report.rolledBack(dropped, variables: forgetDroppedObjects()))
  }

  /// Takes the values from variables that hold objects which are gone, and names them; `before`
  /// leaves those alone that were gone in that graph too.
  mutating func forgetDroppedObjects(since before: Graph? = nil) -> [String] {
    let graph = state.context.graph
    let names = state.variables.filter { variable in
      variable.value.objectIDs.contains { id in
        graph.find(id) == nil && (before.map { $0.find(id) != nil } ?? true)
      }
    }.keys
    for name in names { state.variables[name] = nil }
    return names.sorted()
  }
}
