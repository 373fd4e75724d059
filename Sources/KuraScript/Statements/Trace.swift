import KuraPredicates

/// `trace Item/1 where done == NO`, `trace Item where done == NO`
package struct TraceStatement: StatementTree {
  package var subject: AnalyzedFetch

  package var typedParts: [TypedPart] { subject.typedParts }
}

/// `steps fetch Item where done == NO AND dueDate < today()`
package struct StepsStatement: StatementTree {
  package var subject: AnalyzedFetch

  package var typedParts: [TypedPart] { subject.typedParts }
}

extension StatementSyntax {
  static let trace = StatementSyntax(
    "trace",
    synopsis: """
      trace OBJECT where PREDICATE
      trace ENTITY where PREDICATE [limit N]
      trace run NAME(EXPR, …)
      """,
    summary: "shows why objects match or not: the parts of a predicate, with values",
    example: "trace MemoDate where title CONTAINS \"誕生\" AND notifiable == YES"
  ) { parser throws(SyntaxError) in
    try parser.readTrace()
  }

  static let steps = StatementSyntax(
    "steps", synopsis: "steps FETCH",
    summary: "counts the objects that pass each part of a fetch, and those that are nil or NO",
    example: "steps fetch MemoDate where title CONTAINS \"誕生\" AND notifiable == YES"
  ) { parser throws(SyntaxError) in
    StepsStatement(subject: try parser.readAnalyzedFetch())
  }
}

extension StatementParser {
  /// Reads what follows the word `trace`; throws if a fetch does not have a predicate.
  fileprivate func readTrace() throws(SyntaxError) -> TraceStatement {
    let subject = try readAnalyzedFetch()
    if case .fetch(let fetch) = subject, fetch.predicate == nil {
      throw expected(.predicate(of: "trace \(cursor.text(fetch.source.span))"))
    }
    return TraceStatement(subject: subject)
  }
}
