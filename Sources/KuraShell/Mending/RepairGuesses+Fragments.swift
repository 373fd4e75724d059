import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

// A part of a fetch that stands alone, or twice.
extension RepairGuesses {
  /// `fetch Book where pages > 3` for `where pages > 3` and `pages > 3`, `fetch Book select title`
  /// for `title`: a part of a fetch, of the entity that was fetched last or one that has the keys.
  var fragments: [FixIt] {
    guard place == 0, let first = tokens.first, first.kind == .word else { return [] }
    let start = SourceSpan(first.span.start, first.span.start)
    let word = text(first.span)
    if FetchWords.all.contains(word.lowercased()) {
      return likelyEntities.map { FixIt(start, "fetch \($0.writtenName) ") }
    }
    let clause = asksSomething ? "where" : "select"
    return likelyEntities.filter { model.property(named: word, of: $0) != nil }.map {
      FixIt(start, "fetch \($0.writtenName) \(clause) ")
    }
  }

  /// The entity that was fetched last, and the others.
  private var likelyEntities: [String] {
    let names = model.entities.prefix(40).map(\.name)
    return names.filter { $0 == lastEntity } + names.filter { $0 != lastEntity }
  }

  /// Whether an operator stands in it that compares.
  private var asksSomething: Bool {
    tokens.contains { token in
      switch token.kind {
      case .symbol(let symbol): Self.comparisons.contains(symbol)
      case .word: ComparisonOperator.words.contains(text(token.span).uppercased())
      default: false
      }
    }
  }

  private static let comparisons: Set<Symbol> = [
    .equal, .doubleEqual, .bangEqual, .lessGreater, .less, .lessEqual, .equalLess, .greater,
    .greaterEqual, .equalGreater,
  ]

  /// `where a AND b` for `where a where b`, whatever clauses stand between.
  var secondCondition: [FixIt] {
    guard let second = token(0), isWhere(second), let before = token(-1), let rest = token(1),
      let first = tokens[..<place].firstIndex(where: isWhere), first + 1 < place
    else { return [] }
    let clause = tokens[(first + 1)..<place].firstIndex(where: beginsClause) ?? place
    let end = tokens[(place + 1)...].firstIndex(where: beginsClause) ?? tokens.count
    let old = SourceSpan(tokens[first + 1].span.start, tokens[clause - 1].span.end)
    let new = SourceSpan(rest.span.start, tokens[end - 1].span.end)
    let both = [old, new].map { grouped($0) }.joined(separator: " AND ")
    return [
      FixIt(edits: [
        TextEdit(old, both), TextEdit(SourceSpan(before.span.end, new.end), ""),
      ])
    ]
  }

  private func isWhere(_ token: Token) -> Bool { text(token.span).lowercased() == "where" }

  private func beginsClause(_ token: Token) -> Bool {
    token.kind == .word && FetchWords.all.contains(text(token.span).lowercased())
  }

  /// A condition as a part of an AND.
  private func grouped(_ span: SourceSpan) -> String {
    let hasOr = tokens.contains {
      span.start <= $0.span.start && $0.span.end <= span.end
        && ["or", "||"].contains(text($0.span).lowercased())
    }
    return hasOr ? "(\(text(span)))" : text(span)
  }
}
