import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraRendering
import KuraScript
import KuraValues

extension Session {
  /// `undo 3`, `undo list`
  mutating func undo(_ undo: UndoStatement, in source: SourceText) throws {
    switch undo {
    case .list: try showHistory()
    case .steps(let count, let span):
      let place = StatementPlace(span, in: source)
      try turn(count, at: place, Report.undone, Report.nothingToUndo) {
        context throws(Diagnostic) in try context.undo()
      }
    }
  }

  /// `redo 3`
  mutating func redo(_ redo: UndoStatement, in source: SourceText) throws {
    guard case .steps(let count, let span) = redo else { return }
    let place = StatementPlace(span, in: source)
    try turn(count, at: place, Report.redone, Report.nothingToRedo) {
      context throws(Diagnostic) in try context.redo()
    }
  }

  private mutating func turn(
    _ count: Int, at place: StatementPlace, _ message: (String) -> String, _ nothing: String,
    _ step: (inout ManagedObjectContext) throws(Diagnostic) -> UndoGroup?
  ) throws {
    let before = count > 1 ? state : nil
    for _ in 0..<count {
      try checkCancel(elseBackTo: before)
      let group: UndoGroup?
      let model = state.context.graph.model
      do throws(Diagnostic) {
        group = try step(&state.context)
      } catch {
        throw Failure.placed(error, at: place.span)
      }
      guard let group else { return report(nothing) }
      state.followRenames(from: model)
      for case .objects(let change) in group.changes {
        state.trace.add(change, at: place)
      }
      report(message(group.name))
    }
  }

  /// Of several steps all are taken back or none.
  private mutating func checkCancel(elseBackTo before: SessionState?) throws {
    guard surroundings.cancel.isRequested else { return }
    if let before {
      var context = state.context
      context.reset(to: before.context)
      state = before
      state.context = context
    }
    throw Stopped()
  }

  /// The steps that can be taken back, the last first; before them those that can be done again.
  private mutating func showHistory() throws {
    let history = state.context.history
    let redoable = history.redoable.enumerated().map { i, group in
      (step: "redo \(history.redoable.count - i)", name: group.name)
    }
    let undoable = history.undoable.reversed().enumerated().map { i, group in
      (step: "undo \(i + 1)", name: group.name)
    }
    try write(
      Grid(
        columns: [GridColumn("step"), GridColumn("action")],
        rows: (redoable + undoable).map { [.string($0.step), .string($0.name)] }))
  }
}
