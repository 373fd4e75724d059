/// What becomes of a change of one's own that meets another one by somebody else.
package enum MergePolicy: String, Sendable, CaseIterable {
  /// Nothing is saved, and every conflict is listed.
  case error
  /// What the store has stays.
  case store
  /// What was changed here takes its place.
  case memory
}

/// A change that was made for another state of the graph, and fits this one now.
package struct MergedChange: Sendable {
  /// What remains of it.
  package var change = ChangeSet()
  /// The graph with the change.
  package var graph: Graph
  package var renumbering = Renumbering()
  /// What could not be merged: nothing has been done then.
  package var conflicts: [ChangeConflict] = []
  /// What the policy has settled.
  package var settled: [ChangeConflict] = []

  /// A graph with nothing changed.
  package init(graph: Graph) { self.graph = graph }
}
