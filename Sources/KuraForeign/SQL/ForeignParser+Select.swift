import KuraDiagnostics
import KuraSentences

// SELECT, and the clauses that Kura's fetch has too, in any order.
extension ForeignParser {
  /// `SELECT title FROM Item i JOIN … WHERE …`
  func select() throws(ForeignProblem) -> SelectQuery {
    try deeper { () throws(ForeignProblem) in
      var query = SelectQuery()
      let start = token.span.start
      try expectWord("select")
      if takeWords("all") {}
      query.isDistinct = takeWords("distinct")
      if takeWords("top") { query.limit = try top() }
      query.columns = try columns()
      if takeWords("from") { try tables(of: &query) }
      try clauses(of: &query)
      query.span = span(from: start)
      return query
    }
  }

  /// `TOP 3`, `TOP (3)`
  private func top() throws(ForeignProblem) -> ForeignExpression {
    let count = try expression(.unary)
    if token.isWord("percent") {
      throw .noCounterpart(NoCounterpart("TOP PERCENT"), token.span)
    }
    return count
  }

  private static let fillers: Set = ["only", "please", "alone", "all", "だけ", "のみ"]

  func columns() throws(ForeignProblem) -> [SelectQuery.Column] {
    try clauseList { () throws(ForeignProblem) in
      let value = try column()
      if takeWords("as") { return SelectQuery.Column(value: value, name: try takeName()) }
      let isName =
        token.kind == .word && !token.isWord(among: Self.clauseWords) && !token.startsLine
        || token.kind == .quotedName
      guard isName || token.kind == .string else {
        return SelectQuery.Column(value: value, name: nil)
      }
      if dialect == .kura {
        // `title, date only`: nobody calls a column so.
        if token.isWord(among: Self.fillers) { throw unreadable }
        mark(.sql, at: token.span)
      }
      return SelectQuery.Column(value: value, name: try takeName(), isBare: true)
    }
  }

  /// `*`, `i.*`, `title`
  private func column() throws(ForeignProblem) -> ForeignExpression {
    if token.kind == .word || token.kind == .quotedName, peek().is("."), peek(2).is("*") {
      let name = take()
      take()
      let star = ForeignExpression(.star, take().span)
      return ForeignExpression(
        .infix(".", ForeignExpression(.name(name.text), name.span), star), name.span)
    }
    let value = try expression()
    if token.isWord("over") {
      throw .noCounterpart(
        NoCounterpart("OVER", instead: localized("group by makes one row of each group")),
        token.span)
    }
    return value
  }

  private func tables(of query: inout SelectQuery) throws(ForeignProblem) {
    query.from = try table()
    while take(",") {
      query.joins.append(SelectQuery.Join(table: try table(), condition: nil))
    }
    try joins(of: &query)
  }

  /// `Item i`, `Item AS i`, `(SELECT …) AS x`
  func table() throws(ForeignProblem) -> SelectQuery.Table {
    if token.is("("), startsSelect(peek()) {
      throw .noCounterpart(
        NoCounterpart(
          localized("a SELECT behind FROM"),
          instead: localized("let $x = fetch …, and fetch $x behind it")), token.span)
    }
    let value = try operand(.unary)
    let hasAs = takeWords("as")
    let isName =
      token.kind == .word && !token.isWord(among: Self.clauseWords)
      && !(dialect == .kura && token.startsLine)
    guard hasAs || isName else { return SelectQuery.Table(value: value, alias: nil) }
    if dialect == .kura {
      // A misspelt clause is no alias: a name of its own is used again.
      let isUsed = tokens[(position + 1)...].contains { $0.isWord(token.text) }
      guard isUsed else { throw unreadable }
      mark(.sql, at: token.span)
    }
    return SelectQuery.Table(value: value, alias: try takeName())
  }

  func joins(of query: inout SelectQuery) throws(ForeignProblem) {
    while token.isWord(among: Self.joinWords) {
      let place = token.span
      var words: Set<String> = []
      while token.isWord(among: Self.joinWords) { words.insert(take().text.lowercased()) }
      guard words.contains("join") else { throw unreadable }
      if words.contains("full") || words.contains("right") || words.contains("cross") {
        throw .noCounterpart(
          NoCounterpart(source(place) + " JOIN", instead: localized("begin with the other entity")),
          place)
      }
      mark(.sql, at: place)
      var join = SelectQuery.Join(table: try table(), isOuter: words.contains("left"))
      if takeWords("on") {
        join.condition = try expression()
      } else if takeWords("using") {
        skipBrackets()
      }
      query.joins.append(join)
    }
  }

  private static let joinWords: Set = [
    "join", "inner", "left", "right", "full", "outer", "cross", "natural",
  ]

  /// Words that begin what is no name behind a table or a column.
  static let clauseWords: Set = joinWords.union([
    "from", "where", "group", "order", "having", "limit", "offset", "fetch", "union", "except",
    "intersect", "on", "using", "as", "sort", "select", "distinct", "section", "without", "batch",
    "top", "for", "window", "set", "values", "returning", "and", "or", "then", "when", "else",
    "end", "all", "collate", "asc", "desc", "is", "not", "in", "like", "between", "into", "by",
  ])
}
