package import KuraDiagnostics
import KuraPredicates

/// `undo`, `undo 3`, `undo list`
package enum UndoStatement: StatementTree {
  case steps(StepCount)
  case list
}

/// `redo`, `redo 3`
package struct RedoStatement: StatementTree {
  package var steps: StepCount
}

/// A number of steps, with its span.
package struct StepCount: Sendable {
  package var count: Int
  package var span: SourceSpan
}

extension StatementSyntax {
  static let undo = StatementSyntax(
    "undo", synopsis: "undo [N]\nundo list",
    summary: "undoes the last statement that changed something, or the last N",
    example: "undo 3"
  ) { parser throws(SyntaxError) in
    if parser.takeWord("list") != nil { return UndoStatement.list }
    return UndoStatement.steps(try parser.readSteps(or: .steps))
  }

  static let redo = StatementSyntax(
    "redo", synopsis: "redo [N]", summary: "redoes the last undone change", example: "redo"
  ) { parser throws(SyntaxError) in
    RedoStatement(steps: try parser.readSteps(or: .stepCount))
  }
}

extension StatementParser {
  /// Reads a number of steps; 1 if there is none.
  fileprivate func readSteps(
    or wanted: StatementProblem.Wanted
  ) throws(SyntaxError) -> StepCount {
    let token = optional
    guard token.end == nil, !token.is(.semicolon) else {
      return StepCount(count: 1, span: lastSpan)
    }
    guard token.kind == .number, let count = Int(text(token)), count > 0 else {
      throw expected(wanted)
    }
    take()
    return StepCount(count: count, span: token.span)
  }
}
