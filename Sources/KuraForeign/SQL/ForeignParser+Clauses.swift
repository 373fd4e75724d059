import KuraDiagnostics
import KuraSentences

// The clauses behind the tables, SQL's and Kura's.
extension ForeignParser {
  func clauses(of query: inout SelectQuery) throws(ForeignProblem) {
    while try clause(of: &query) {}
  }

  private func clause(of query: inout SelectQuery) throws(ForeignProblem) -> Bool {
    let place = token.span
    guard token.kind == .word else { return try strayComma(of: &query) }
    switch token.text.lowercased() {
    case "where":
      take()
      query.conditions = joined(query.conditions, try expression())
      while placeholders > placeholderValues.count {
        guard take(",") else { throw .noCounterpart(.placeholder("%@"), place) }
        placeholderValues.append(try expression())
      }
    case "group", "order":
      let isGroup = take().isWord("group")
      try expectWord("by")
      if isGroup { query.groups = try list { () throws(ForeignProblem) in try expression() } }
      if !isGroup {
        mark(.sql, at: place)
        query.order = try clauseList { () throws(ForeignProblem) in try orderKey() }
      }
    case "having":
      take()
      query.having = try expression()
    case "limit", "top": try limit(of: &query)
    case "offset":
      take()
      query.offset = try expression(.unary)
      if takeWords("rows") || takeWords("row") { mark(.sql, at: place) }
    case "fetch" where peek().isWord("first") || peek().isWord("next"):
      try fetchFirst(of: &query)
    default: return dialect == .kura ? try kuraClause(of: &query) : try refused()
    }
    return true
  }

  /// Values between commas, of which the last may stand before the next clause.
  func clauseList<Read>(
    _ read: () throws(ForeignProblem) -> Read
  ) throws(ForeignProblem) -> [Read] {
    var all = [try read()]
    while token.is(",") {
      let next = peek()
      if next.isWord(among: Self.clauseWords), peek(2).kind != .sign, !isAtEnd { break }
      take()
      all.append(try read())
    }
    return all
  }

  private func joined(
    _ first: ForeignExpression?, _ second: ForeignExpression
  ) -> ForeignExpression {
    guard let first else { return second }
    return ForeignExpression(.infix("AND", first, second), first.span.joined(second.span))
  }

  /// `sort date desc, limit 3`
  private func strayComma(of query: inout SelectQuery) throws(ForeignProblem) -> Bool {
    guard token.is(","), dialect == .kura, peek().isWord(among: Self.clauseWords) else {
      return false
    }
    mark(.sql, at: take().span)
    return true
  }

  /// `LIMIT 5`, `LIMIT 3, 2`, `top 3`
  private func limit(of query: inout SelectQuery) throws(ForeignProblem) {
    let word = take()
    if word.isWord("top") { mark(.sql, at: word.span) }
    if takeWords("all") { return }
    query.limit = try expression(.unary)
    guard token.is(","), peek().kind == .number else { return }
    mark(.sql, at: take().span)
    query.offset = query.limit
    query.limit = try expression(.unary)
  }

  /// `FETCH FIRST 3 ROWS ONLY`
  private func fetchFirst(of query: inout SelectQuery) throws(ForeignProblem) {
    mark(.sql, at: take().span)
    take()
    query.limit =
      token.kind == .number
      ? try expression(.unary) : ForeignExpression(.number("1"), token.span)
    guard takeWords("rows") || takeWords("row") else { throw unreadable }
    try expectWord("only")
  }

  /// `title DESC NULLS LAST`, `title COLLATE NOCASE`, `1`
  func orderKey() throws(ForeignProblem) -> SelectQuery.Order {
    var key = SelectQuery.Order(value: try expression(.coalescing))
    if takeWords("collate") {
      let name = try takeName().lowercased()
      if name.contains("nocase") || name.hasSuffix("_ci") { key.options = "[c]" }
    }
    if let isDescending = Self.directions[token.text.lowercased()] {
      let place = take().span
      if dialect == .kura, !["desc", "asc"].contains(source(place).lowercased()) {
        mark(.words, at: place)
      }
      key.isDescending = isDescending
    }
    if takeWords("nulls", "first") { key.tail = " nulls first" }
    if takeWords("nulls", "last") { key.tail = " nulls last" }
    return key
  }

  private static let directions = [
    "desc": true, "asc": false, "descending": true, "ascending": false, "降順": true, "昇順": false,
    "逆順": true, "新しい順": true, "古い順": false, "大きい順": true, "小さい順": false,
  ]

  private func refused() throws(ForeignProblem) -> Bool {
    switch token.text.lowercased() {
    case "union", "except", "intersect":
      throw .noCounterpart(
        NoCounterpart(
          token.text.uppercased(),
          instead: localized("of one entity it is where … OR …, else two fetches")),
        token.span)
    case "window", "qualify":
      throw .noCounterpart(NoCounterpart(token.text.uppercased()), token.span)
    case "for":
      throw .noCounterpart(
        NoCounterpart("FOR UPDATE", instead: localized("nothing is locked here")), token.span)
    default: return false
    }
  }
}

// Clauses of Kura's own, for a fetch in which words of SQL are met.
extension ForeignParser {
  private func kuraClause(of query: inout SelectQuery) throws(ForeignProblem) -> Bool {
    switch token.text.lowercased() {
    case "sort":
      take()
      query.order = try clauseList { () throws(ForeignProblem) in try orderKey() }
    case "select":
      take()
      query.isDistinct = takeWords("distinct") || query.isDistinct
      try selection(of: &query)
    case "distinct":
      let place = take().span
      query.isDistinct = true
      // `fetch Item distinct title`
      if !token.isWord(among: Self.clauseWords), !isAtEnd, query.columns.isEmpty {
        mark(.sql, at: place)
        try selection(of: &query)
      }
    case "section", "without", "batch":
      let start = take().span.start
      while !isAtEnd, !token.isWord(among: Self.clauseWords.subtracting(["by"])) { take() }
      query.kept.append(span(from: start))
    default:
      let before = position
      try joins(of: &query)
      return position > before
    }
    return true
  }

  /// The columns, which may stand in brackets of nobody's.
  private func selection(of query: inout SelectQuery) throws(ForeignProblem) {
    query.columns = try columns()
    if query.columns.count == 1, case .list(let values) = query.columns[0].value.kind {
      mark(.sql, at: query.columns[0].value.span)
      query.columns = values.map { SelectQuery.Column(value: $0, name: nil) }
    }
  }
}
