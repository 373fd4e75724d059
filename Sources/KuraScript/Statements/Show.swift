import KuraDiagnostics
import KuraPredicates

/// `show fetch Item where done == NO as swift`
package struct ShowStatement: StatementTree {
  package var subject: AnalyzedFetch
  /// One of `StatementSyntax.showForms`
  package var form: Name

  package var typedParts: [TypedPart] { subject.typedParts }
}

extension StatementSyntax {
  static let show = StatementSyntax(
    "show", synopsis: "show FETCH as \(showForms.joined(separator: "|"))",
    summary: "shows a fetch as a tree, in words, or in another language",
    example: "show fetch MemoDate where title CONTAINS[cd] \"誕生\" sort date desc limit 5 as tree"
  ) { parser throws(SyntaxError) in
    try parser.readShow()
  }

  /// The words that may follow `show … as`.
  package static let showForms = [
    "tree", "words", "swift", "predicate", "objc", "kura", "sql", "json",
  ]
}

extension StatementParser {
  fileprivate func readShow() throws(SyntaxError) -> ShowStatement {
    if let fix = formInFront {
      throw error(.unexpected(.word("fetch"), found: text(required)), at: required.span, fixIt: fix)
    }
    let subject = try readShown()
    predicates.expectAtEnd(.words(["as"]))
    guard isWord(required, "as") else { throw expected(.word("as")) }
    take()
    return ShowStatement(subject: subject, form: try takeChoice(StatementSyntax.showForms))
  }

  /// A fix for `show sql fetch Item` that moves the form after the fetch.
  private var formInFront: FixIt? {
    let form = required
    let next = cursor.peek()
    guard form.kind == .word, StatementSyntax.showForms.contains(text(form).lowercased()),
      next.kind == .word, cursor.isWord(next, "fetch") || cursor.isWord(next, "run")
    else { return nil }
    var (ahead, end) = (cursor, form.span.end)
    while ahead.optional.end == nil {
      end = ahead.token.span.end
      ahead.take()
    }
    return FixIt(edits: [
      TextEdit(SourceSpan(form.span.start, next.span.start), ""),
      TextEdit(SourceSpan(end, end), " as " + text(form).lowercased()),
    ])
  }

  /// Reads the fetch, which ends before the last `as`: in `select title as tree` at the end of the
  /// statement, `tree` is not a column's name.
  private func readShown() throws(SyntaxError) -> AnalyzedFetch {
    guard let end = placeOfForm() else { return try readAnalyzedFetch(until: "as") }
    cursor = cursor.upTo(end.token.span.start)
    let subject = try readAnalyzedFetch(until: "as")
    guard required.end != nil else { throw predicates.unexpectedTail() }
    cursor = end
    return subject
  }

  /// Returns the cursor at an `as` that is followed by one of the forms and the end.
  private func placeOfForm() -> TokenCursor? {
    var (ahead, place) = (cursor, TokenCursor?.none)
    while ahead.optional.end == nil {
      place = ahead.isWord(ahead.token, "as") ? ahead : place
      ahead.take()
    }
    guard var place, place.depth == 0 else { return nil }
    let found = place
    place.take()
    let form = text(place.optional).lowercased()
    place.take()
    return StatementSyntax.showForms.contains(form) && place.optional.end != nil ? found : nil
  }
}
