import KuraChecking
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
    if ForeignVocabulary.words(for: word).contains("where"), asksSomething {
      return likelyEntities.map { FixIt(first.span, "fetch \($0.writtenName) where") }
    }
    let clause = asksSomething ? "where" : "select"
    return likelyEntities.filter { model.property(named: word, of: $0) != nil }.map { name in
      let commas = clause == "select" ? commas(between: 0, of: name) : []
      return FixIt(
        edits: [TextEdit(start, "fetch \(name.writtenName) \(clause) ")] + commas)
    }
  }

  /// Those that are missing between keys which stand beside each other.
  private func commas(between first: Int, of entity: String) -> [TextEdit] {
    let isList = tokens[first...].allSatisfy {
      model.property(named: text($0.span), of: entity) != nil
    }
    guard isList else { return [] }
    return tokens[first...].dropLast().map { TextEdit(SourceSpan($0.span.end, $0.span.end), ",") }
  }

  /// The entity of the fetch that is written.
  var askedEntity: String? {
    tokens.dropFirst().prefix(3).map { text($0.span) }.first { model[$0] != nil }
  }

  /// `fetch Book` for `fetch *`, `count Book` for `fetch count Book`, `fetch Book select title` for
  /// `fetch title` and `fetch Book.title`, `fetch Book/7` for `Book 7`.
  var sources: [FixIt] {
    guard tokens.count > 1 else { return [] }
    let (first, second) = (tokens[0], tokens[1])
    let word = text(second.span).lowercased()
    let isFetch = text(first.span).lowercased() == "fetch"
    if ["*", "all", "everything", "anything", "全部", "すべて", "全て"].contains(word), tokens.count == 2 {
      return likelyEntities.prefix(2).map { FixIt(second.span, $0.writtenName) }
    }
    if isFetch, ["count", "exists"].contains(word), tokens.count > 2 {
      return [FixIt(first.span.joined(second.span), word)]
    }
    if text(first.span).lowercased() == "print", tokens.count == 2, model[text(second.span)] != nil
    {
      return [FixIt(first.span, "fetch")]
    }
    if isFetch, tokens.count == 3, text(tokens[2].span).lowercased() == "count" {
      return [FixIt(first.span.joined(tokens[2].span), "count \(text(second.span))")]
    }
    if model[text(first.span)] != nil, second.kind == .number, tokens.count == 2 {
      return [
        FixIt(first.span.joined(second.span), "fetch \(text(first.span))/\(text(second.span))")
      ]
    }
    return isFetch ? partOfSource : []
  }

  private var partOfSource: [FixIt] {
    let second = tokens[1]
    if model[text(second.span)] != nil, tokens.count > 3, tokens[2].is(.dot) {
      return [FixIt(tokens[2].span, " select ")]
    }
    let start = SourceSpan(second.span.start, second.span.start)
    let clause = asksSomething ? "where" : "select"
    return likelyEntities.filter { model.property(named: text(second.span), of: $0) != nil }.map {
      FixIt(
        edits: [TextEdit(start, "\($0.writtenName) \(clause) ")]
          + (asksSomething ? [] : commas(between: 1, of: $0)))
    }
  }

  /// `where NOT category == "x"` for `except category == "x"`, `where dueDate == NULL` for `without
  /// dueDate`, and `dueDate == NULL` for `no dueDate`.
  var exclusions: [FixIt] {
    guard let name = askedEntity,
      let place = tokens.firstIndex(where: {
        Self.exclusionWords.contains(text($0.span).lowercased())
      }),
      place + 1 < tokens.count
    else { return [] }
    let (word, key) = (tokens[place], tokens[place + 1])
    guard model.property(named: text(key.span), of: name) != nil else { return [] }
    let hasWhere = tokens[..<place].contains(where: isWhere)
    let next = place + 2 < tokens.count ? tokens[place + 2] : nil
    if next == nil || next.map(beginsClause) == true || next?.is(.and) == true {
      let clause = hasWhere ? "" : "where "
      return [FixIt(word.span.joined(key.span), "\(clause)\(text(key.span)) == NULL")]
    }
    return hasWhere || !asksSomething ? [] : [FixIt(word.span, "where NOT")]
  }

  private static let exclusionWords: Set = ["no", "without", "except", "excluding", "lacking"]

  /// `dueDate != NULL` for `exists dueDate` and `has dueDate`
  var presence: [FixIt] {
    guard let name = askedEntity, let word = token(-1), let key = token(0), key.kind == .word,
      ["exists", "has"].contains(text(word.span).lowercased()),
      model.property(named: text(key.span), of: name) != nil
    else { return [] }
    return [FixIt(word.span.joined(key.span), "\(text(key.span)) != NULL")]
  }

  /// The entity that was fetched last, and the others.
  var likelyEntities: [String] {
    let names = model.entities.prefix(40).map(\.name)
    return names.filter { $0 == context.lastEntity } + names.filter { $0 != context.lastEntity }
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

  /// `where a AND b` for `where a AND where b`
  var whereAgain: [FixIt] {
    let places = tokens.indices.dropFirst(3).filter {
      isWhere(tokens[$0]) && (tokens[$0 - 1].is(.and) || tokens[$0 - 1].is(.or))
    }
    return places.isEmpty
      ? [] : [FixIt(edits: places.map { TextEdit(withBlank(tokens[$0].span), "") })]
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
