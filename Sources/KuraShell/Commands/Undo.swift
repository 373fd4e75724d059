import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// `undo 3`, `undo list`
extension UndoStatement: Command {
  var turn: ChangeTransition? { .moves }

  var effect: Effect {
    switch self {
    case .steps: .changes
    case .list: .reads
    }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    switch self {
    case .list: try session.showHistory()
    case .steps(let steps):
      try session.turn(steps, in: source, Report.undone, localized("nothing to undo")) {
        context, cancel throws(Diagnostic) in try context.undo(cancel)
      }
    }
  }
}

/// `redo 3`
extension RedoStatement: Command {
  var turn: ChangeTransition? { .moves }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.turn(steps, in: source, Report.redone, localized("nothing to redo")) {
      context, cancel throws(Diagnostic) in try context.redo(cancel)
    }
  }
}

extension Session {
  /// Performs several steps, or none if one fails.
  fileprivate func turn(
    _ steps: StepCount, in source: SourceText, _ message: (String) -> String, _ nothing: String,
    _ step: (inout GraphContext, CancelFlag) throws(Diagnostic) -> UndoGroup?
  ) throws {
    let place = StatementPlace(steps.span, in: source)
    let before = steps.count > 1 ? (context, variables, trace) : nil
    let cancel = services.cancel
    for _ in 0..<steps.count {
      let model = context.graph.model
      let group: UndoGroup?
      do {
        try cancel.check()
        group = try located(at: place.span) { () throws(Diagnostic) in try step(&context, cancel) }
      } catch {
        if cancel.isRequested, let before {
          context.reset(to: before.0)
          (variables, trace) = (before.1, before.2)
        }
        throw error
      }
      guard let group else { return report(nothing) }
      variables.follow(from: model, to: context.graph.model)
      for case .objects(let change) in group.changes { note(change, at: place) }
      report(message(group.name))
    }
  }

  /// Lists the steps that can be undone, the last first, after the steps that can be redone.
  fileprivate func showHistory() throws {
    let history = context.history
    let names = (redo: history.redoableNames, undo: history.undoableNames)
    let redoable = names.redo.enumerated().map { i, name in
      (step: "redo \(names.redo.count - i)", name: name)
    }
    let undoable = names.undo.reversed().enumerated().map { i, name in
      (step: "undo \(i + 1)", name: name)
    }
    try write(
      Grid(
        columns: [localized("step"), localized("action")].map { GridColumn($0, isOwnText: true) },
        rows: (redoable + undoable).map { [.string($0.step), .string($0.name)] }))
  }
}

extension Report {
  static func undone(_ name: String) -> String { localized("undone: \(name)") }
  static func redone(_ name: String) -> String { localized("redone: \(name)") }
}

/// `rollback`: restores the graph and its model to the last save.
extension RollbackStatement: Command {
  var turn: ChangeTransition? { .moves }

  func perform(in session: Session, _ source: SourceText) throws {
    try session.checkNoScratch("rollback")
    guard session.context.hasChanges else {
      return session.report(localized("nothing to roll back"))
    }
    let dropped = session.context.unsaved
    let entities = session.context.changedEntities
    session.context.rollback()
    session.variables.follow(back: entities, to: session.context.graph.model)
    session.trace.removeAll()
    session.report(Report.rolledBack(dropped, variables: session.forgetDroppedObjects()))
  }
}

extension Report {
  /// Returns `rolled back: 2 objects; $home no longer has a value`.
  static func rolledBack(_ changes: UnsavedChanges, variables: [String]) -> String {
    localized("rolled back: \(changes.phrase)") + lost(variables)
  }

  static func lost(_ variables: [String]) -> String {
    if variables.isEmpty { return "" }
    let names = variables.map { "$" + $0 }.list
    return variables.count == 1
      ? localized("; \(names) no longer has a value")
      : localized("; \(names) no longer have values")
  }
}
