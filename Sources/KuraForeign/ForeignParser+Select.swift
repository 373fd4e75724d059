import KuraDiagnostics
import KuraSentences

// SELECT with its columns and tables
extension ForeignParser {
  /// Reads `SELECT title FROM Item i JOIN … WHERE …`.
  func select() throws -> Select {
    try deeper {
      var query = Select()
      let start = token.span.start
      try expectWord("select")
      _ = takeWords("all")
      query.isDistinct = takeWords("distinct")
      if query.isDistinct, token.isWord("on") { throw refusal("DISTINCT ON") }
      if takeWords("top") {
        query.limit = try expression(.unary)
        if token.isWord("percent") { throw refusal("TOP PERCENT") }
      }
      query.columns = try columns()
      if takeWords("from") {
        query.tables = try list { try table() }
        try joins(of: &query)
      }
      while try clause(of: &query) {}
      query.span = span(from: start)
      return query
    }
  }

  private static let fillers: Set = ["only", "please", "alone", "all", "だけ", "のみ"]

  private func columns() throws -> [Select.Column] {
    try clauseList {
      let value = try column()
      if takeWords("as") { return Select.Column(value: value, name: try takeName()) }
      let isName =
        token.kind == .word && !token.isWord(among: Self.clauseWords) && !token.startsLine
        || token.kind == .quotedName || token.kind == .string
      guard isName else { return Select.Column(value: value) }
      if dialect == .kura {
        // `title, date only`, `limit3`: a filler and a clause are not a name.
        let isClause = Self.clauseWords.contains(token.text.lowercased().filter(\.isLetter))
        if isClause || token.isWord(among: Self.fillers) { throw unreadable }
        mark(.sql, at: token.span)
      }
      return Select.Column(value: value, name: try takeName(), isBare: true)
    }
  }

  /// Reads a column: `*`, `i.*`, `title`
  private func column() throws -> Tree {
    if token.kind == .word || token.kind == .quotedName, peek().is("."), peek(2).is("*") {
      let name = take()
      take()
      let star = Tree(.star, take().span)
      return Tree(.infix(".", Tree(.name(name.text), name.span), star), name.span)
    }
    let value = try expression()
    try refuse(["over"])
    if peek().is("(") { try refuse(["filter"]) }
    return value
  }

  /// Reads a table: `Item i`, `Item AS i`
  func table() throws -> Select.Table {
    if token.is("("), startsSelect(peek()) {
      throw refusal(localized("a SELECT after FROM"), localized("let $x = fetch …, then fetch $x"))
    }
    let value = try operand()
    let isName =
      token.kind == .word && !token.isWord(among: Self.clauseWords)
      && !(dialect == .kura && token.startsLine)
    guard takeWords("as") || isName else { return Select.Table(value: value) }
    if dialect == .kura {
      // A misspelled clause is not an alias, because an alias is used again.
      let isUsed = tokens[(position + 1)...].contains { $0.isWord(token.text) }
      guard isUsed else { throw unreadable }
      mark(.sql, at: token.span)
    }
    return Select.Table(value: value, alias: try takeName())
  }

  func joins(of query: inout Select) throws {
    while token.isWord(among: Self.joinWords) {
      let place = token.span
      let words = takeAll(of: Self.joinWords)
      guard words.contains("join") else { throw unreadable }
      if !words.isDisjoint(with: ["full", "right", "cross", "natural"]) {
        throw place.missing(
          source(place).uppercased() + " JOIN", localized("start with the other entity"))
      }
      mark(.sql, at: place)
      var table = try table()
      table.isOuter = words.contains("left")
      try refuse(["using"])
      if takeWords("on") { table.condition = try expression() }
      query.tables.append(table)
    }
  }

  private static let joinWords: Set = [
    "join", "inner", "left", "right", "full", "outer", "cross", "natural",
  ]

  /// Words that begin a clause, and are not a name after a table or a column.
  static let clauseWords: Set = joinWords.union([
    "from", "where", "group", "order", "having", "limit", "offset", "fetch", "union", "except",
    "intersect", "on", "using", "as", "sort", "select", "distinct", "section", "without", "batch",
    "top", "for", "window", "set", "values", "returning", "and", "or", "then", "when", "else",
    "end", "all", "collate", "asc", "desc", "is", "not", "in", "like", "between", "into", "by",
  ])
}

// The clauses of SQL and Kura after the tables, in any order
extension ForeignParser {
  /// Reads the next clause; returns false if none follows.
  func clause(of query: inout Select) throws -> Bool {
    let (place, word, isKura) = (token.span, token.text.lowercased(), dialect == .kura)
    if isKura, token.is(","), peek().isWord(among: Self.clauseWords) {
      // `sort date desc, limit 3`
      mark(.sql, at: take().span)
      return true
    }
    guard token.kind == .word else { return false }
    if !isKura { try refuse(["union", "except", "intersect", "window", "qualify", "for"]) }
    switch word {
    case "where":
      take()
      let condition = try expression()
      query.condition = query.condition?.infix("AND", condition) ?? condition
      while placeholders > placeholderValues.count {
        guard take(",") else { throw place.missingValue(of: "%@") }
        placeholderValues.append(try expression())
      }
    case "group":
      take()
      try expectWord("by")
      query.groups = try list { try expression() }
    case "order",
      "sort" where isKura:
      take()
      if word == "order" {
        try expectWord("by")
        mark(.sql, at: place)
      }
      query.order = try clauseList { try orderKey() }
    case "having":
      take()
      query.having = try expression()
    case "limit", "top": try limit(of: &query)
    case "offset":
      take()
      query.offset = try expression(.unary)
      if takeWords("rows") || takeWords("row") { mark(.sql, at: place) }
    case "fetch" where peek().isWord(among: ["first", "next"]):
      // `FETCH FIRST 3 ROWS ONLY`
      mark(.sql, at: take().span)
      take()
      let one = Tree(.number("1"), token.span)
      query.limit = token.kind == .number ? try expression(.unary) : one
      guard takeWords("rows", "only") || takeWords("row", "only") else { throw unreadable }
    case "select" where isKura, "distinct" where isKura:
      take()
      query.isDistinct = takeWords("distinct") || word == "distinct" || query.isDistinct
      if word == "select" { query.columns = try columns() }
    case "section" where isKura, "without" where isKura, "batch" where isKura:
      take()
      while !isAtEnd, !token.isWord(among: Self.clauseWords.subtracting(["by"])) { take() }
      query.unchangedClauses.append(span(from: place.start))
    default:
      guard isKura else { return false }
      let before = position
      try joins(of: &query)
      return position > before
    }
    return true
  }

  /// Throws if one of these words of SQL, which Kura does not have, comes next.
  func refuse(_ words: Set<String>) throws {
    guard token.isWord(among: words) else { return }
    let word = token.text.lowercased()
    throw refusal(word == "for" ? "FOR UPDATE" : word.uppercased(), Self.instead(of: word))
  }

  /// Returns the advice for a word of SQL that Kura does not have.
  private static func instead(of word: String) -> String? {
    switch word {
    case "union", "except", "intersect":
      localized("for one entity, join the conditions with OR, AND, AND NOT; else use two fetches")
    case "for": localized("Kura needs no row locks")
    case "over":
      localized(
        "select rank() per KEY, runningSum(x) or share(x); limit 1 per KEY for the first rows")
    case "using": localized("write ON a.key = b.id")
    case "with": localized("let $x = fetch …, then fetch $x")
    case "analyze", "vacuum", "reindex": localized("Kura needs no maintenance")
    case "grant", "revoke": localized("anyone who can open the file has full access")
    case "returning": localized("the result names the objects")
    default: nil
    }
  }

  /// Reads values separated by commas; the next clause may follow the last comma.
  private func clauseList<Read>(_ read: () throws -> Read) throws -> [Read] {
    var all = [try read()]
    while token.is(",") {
      if peek().isWord(among: Self.clauseWords), peek(2).kind != .sign, !isAtEnd { break }
      take()
      all.append(try read())
    }
    return all
  }

  /// Reads `LIMIT 5`, `LIMIT 3, 2`, `top 3`.
  private func limit(of query: inout Select) throws {
    let word = take()
    if word.isWord("top") { mark(.sql, at: word.span) }
    if takeWords("all") { return }
    query.limit = try expression(.unary)
    guard token.is(","), peek().kind == .number else { return }
    mark(.sql, at: take().span)
    (query.offset, query.limit) = (query.limit, try expression(.unary))
  }

  /// Reads `title DESC NULLS LAST`, `title COLLATE NOCASE`, `1`.
  private func orderKey() throws -> Select.Order {
    var key = Select.Order(value: try expression(.coalescing))
    if let (value, options) = key.value.collation { (key.value, key.options) = (value, options) }
    if let isDescending = Self.directions[token.text.lowercased()] {
      let word = take()
      if dialect == .kura, !word.isWord(among: ["desc", "asc"]) { mark(.words, at: word.span) }
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

  /// Reads a collation: `NOCASE` as `[c]`
  func collation() throws -> String {
    let place = token.span
    let name = try takeName().lowercased()
    if name == "binary" { return "" }
    guard name == "nocase" || name.hasSuffix("_ci") else {
      throw place.missing("COLLATE \(source(place))")
    }
    return "[c]"
  }
}
