package import KuraDiagnostics
package import KuraPredicates

/// The number of a save, with its span.
package struct SaveNumber: Sendable {
  package var number: Int64
  package var span: SourceSpan
}

/// `history`, `history of Item/3`
package enum HistoryStatement: StatementTree {
  case saves
  case object(ExpressionTree)

  package var typedParts: [TypedPart] {
    if case .object(let tree) = self { [.expressions([tree])] } else { [] }
  }
}

/// `diff 3 12`, `diff "OTHER.json"`
package enum DiffStatement: StatementTree {
  case saves(SaveNumber, SaveNumber)
  case store(Name)
}

/// `as of 3: fetch Item where done == NO`
package struct AsOfStatement: StatementTree {
  package var save: SaveNumber
  package var fetch: FetchTree

  package var typedParts: [TypedPart] { fetch.typedParts }
}

/// `revert 12`
package struct RevertStatement: StatementTree {
  package var save: SaveNumber
}

extension StatementSyntax {
  static let history = StatementSyntax(
    "history", synopsis: "history\nhistory of OBJECT",
    summary: "the saves in the history, or their changes to one object",
    example: "history of MemoDate/5"
  ) { parser throws(SyntaxError) in
    guard parser.takeWord("of") != nil else { return HistoryStatement.saves }
    return HistoryStatement.object(try parser.predicates.parseFetchSource())
  }

  static let diff = StatementSyntax(
    "diff", synopsis: "diff SAVE SAVE\ndiff \"FILE\"",
    summary: "the changes between two saves, or from another store to this one",
    example: "diff 3 12"
  ) { parser throws(SyntaxError) in
    if parser.required.kind == .string { return DiffStatement.store(try parser.takeString()) }
    return DiffStatement.saves(try parser.takeSave(), try parser.takeSave())
  }

  static let asOf = StatementSyntax(
    "as", synopsis: "as of SAVE: FETCH", summary: "queries the store as it was after a save",
    example: "as of 3: count MemoDate"
  ) { parser throws(SyntaxError) in
    guard parser.takeWord("of") != nil else { throw parser.expected(.word("of")) }
    let save = try parser.takeSave()
    try parser.take(.colon)
    return AsOfStatement(save: save, fetch: try parser.readAskedThen())
  }

  static let revert = StatementSyntax(
    "revert", synopsis: "revert SAVE",
    summary: "undoes the changes of one save, as a new step",
    example: "revert 12"
  ) { parser throws(SyntaxError) in
    RevertStatement(save: try parser.takeSave())
  }
}

extension StatementParser {
  /// Reads the number of a save: `12`
  func takeSave() throws(SyntaxError) -> SaveNumber {
    let token = required
    guard token.kind == .number, let number = Int64(text(token)), number >= 0 else {
      throw expected(.save)
    }
    take()
    return SaveNumber(number: number, span: token.span)
  }

  fileprivate func readAskedThen() throws(SyntaxError) -> FetchTree {
    predicates.expectAtEnd(.words(FetchTree.Result.allCases.map(\.rawValue)))
    let token = required
    guard token.kind == .word, let result = FetchTree.Result(rawValue: text(token).lowercased())
    else { throw expected(.word("fetch")) }
    take()
    return try readFetch(result)
  }
}
