import KuraDiagnostics
import KuraGraph
import KuraScript

/// `rollback`: the graph and its model are as they were at the last save.
extension RollbackStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkNoScratch("rollback")
    guard session.context.hasChanges else { return session.report(Report.nothingToRollBack) }
    let dropped = session.context.unsaved
    let entities = session.context.changedEntities
    session.context.rollback()
    session.variables.follow(back: entities, to: session.context.graph.model)
    session.trace.removeAll()
    session.report(Report.rolledBack(dropped, variables: session.forgetDroppedObjects()))
  }
}

extension Report {
  static let nothingToRollBack = "nothing to roll back"

  /// `rolled back: 2 objects; $home has no value any more`
  static func rolledBack(_ changes: UnsavedChanges, variables: [String]) -> String {
    "rolled back: \(changes.phrase)" + lost(variables)
  }

  static func lost(_ variables: [String]) -> String {
    if variables.isEmpty { return "" }
    let names = variables.map { "$" + $0 }.joined(separator: ", ")
    let loss = variables.count == 1 ? "has no value any more" : "have no values any more"
    return "; \(names) \(loss)"
  }
}
