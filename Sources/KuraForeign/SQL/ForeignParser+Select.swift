import KuraDiagnostics
import KuraSentences

// SELECT with its columns and tables
extension ForeignParser {
  /// `SELECT title FROM Item i JOIN … WHERE …`
  func select() throws(ForeignProblem) -> SelectQuery {
    try deeper { () throws(ForeignProblem) in
      var query = SelectQuery()
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
        query.from = try table()
        while take(",") { query.joins.append(SelectQuery.Join(table: try table())) }
        try joins(of: &query)
      }
      try clauses(of: &query)
      query.span = span(from: start)
      return query
    }
  }

  /// What Kura does not have, at the next token.
  func refusal(_ construct: String, _ instead: String? = nil) -> ForeignProblem {
    .noCounterpart(NoCounterpart(construct, instead: instead), token.span)
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
        // `title, date only`: a filler is not a name.
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
      throw refusal("OVER", localized("group by makes one row of each group"))
    }
    if token.isWord("filter"), peek().is("(") { throw refusal("FILTER") }
    return value
  }

  /// `Item i`, `Item AS i`
  func table() throws(ForeignProblem) -> SelectQuery.Table {
    if token.is("("), startsSelect(peek()) {
      throw refusal(
        localized("a SELECT after FROM"), localized("let $x = fetch …, then fetch $x"))
    }
    let value = try operand()
    let hasAs = takeWords("as")
    let isName =
      token.kind == .word && !token.isWord(among: Self.clauseWords)
      && !(dialect == .kura && token.startsLine)
    guard hasAs || isName else { return SelectQuery.Table(value: value, alias: nil) }
    if dialect == .kura {
      // A misspelt clause is not an alias: an alias is used again.
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
      if !words.isDisjoint(with: ["full", "right", "cross", "natural"]) {
        throw .noCounterpart(
          NoCounterpart(
            source(place).uppercased() + " JOIN", instead: localized("begin with the other entity")),
          place)
      }
      mark(.sql, at: place)
      var join = SelectQuery.Join(table: try table(), isOuter: words.contains("left"))
      if token.isWord("using") { throw refusal("USING", localized("write ON a.key = b.id")) }
      if takeWords("on") { join.condition = try expression() }
      query.joins.append(join)
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

// The clauses after the tables, those of SQL and of Kura, in any order
extension ForeignParser {
  func clauses(of query: inout SelectQuery) throws(ForeignProblem) {
    while try clause(of: &query) {}
  }

  private func clause(of query: inout SelectQuery) throws(ForeignProblem) -> Bool {
    let place = token.span
    guard token.kind == .word else { return try strayComma() }
    switch token.text.lowercased() {
    case "where":
      take()
      query.conditions = joined(query.conditions, try expression())
      while placeholders > placeholderValues.count {
        guard take(",") else { throw .noCounterpart(.placeholder("%@"), place) }
        placeholderValues.append(try expression())
      }
    case "group":
      take()
      try expectWord("by")
      query.groups = try list { () throws(ForeignProblem) in try expression() }
    case "order":
      take()
      try expectWord("by")
      mark(.sql, at: place)
      query.order = try clauseList { () throws(ForeignProblem) in try orderKey() }
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

  /// Values between commas; the next clause may follow the last one.
  func clauseList<Read>(
    _ read: () throws(ForeignProblem) -> Read
  ) throws(ForeignProblem) -> [Read] {
    var all = [try read()]
    while token.is(",") {
      if peek().isWord(among: Self.clauseWords), peek(2).kind != .sign, !isAtEnd { break }
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
  private func strayComma() throws(ForeignProblem) -> Bool {
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
    let one = ForeignExpression(.number("1"), token.span)
    query.limit = token.kind == .number ? try expression(.unary) : one
    guard takeWords("rows") || takeWords("row") else { throw unreadable }
    try expectWord("only")
  }

  /// `title DESC NULLS LAST`, `title COLLATE NOCASE`, `1`
  private func orderKey() throws(ForeignProblem) -> SelectQuery.Order {
    var key = SelectQuery.Order(value: try expression(.coalescing))
    if let (value, options) = key.value.collation { (key.value, key.options) = (value, options) }
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

  /// `NOCASE` as `[c]`
  func collation() throws(ForeignProblem) -> String {
    let place = token.span
    let name = try takeName().lowercased()
    if name == "binary" { return "" }
    guard name == "nocase" || name.hasSuffix("_ci") else {
      throw .noCounterpart(NoCounterpart("COLLATE \(source(place))"), place)
    }
    return "[c]"
  }

  private static let directions = [
    "desc": true, "asc": false, "descending": true, "ascending": false, "降順": true, "昇順": false,
    "逆順": true, "新しい順": true, "古い順": false, "大きい順": true, "小さい順": false,
  ]

  private func refused() throws(ForeignProblem) -> Bool {
    switch token.text.lowercased() {
    case "union", "except", "intersect":
      throw refusal(
        token.text.uppercased(), localized("of one entity it is where … OR …, else two fetches"))
    case "window", "qualify": throw refusal(token.text.uppercased())
    case "for": throw refusal("FOR UPDATE", localized("nothing is locked here"))
    default: return false
    }
  }

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

  /// The columns, which may be in brackets.
  private func selection(of query: inout SelectQuery) throws(ForeignProblem) {
    query.columns = try columns()
    if query.columns.count == 1, case .list(let values) = query.columns[0].value.kind {
      mark(.sql, at: query.columns[0].value.span)
      query.columns = values.map { SelectQuery.Column(value: $0) }
    }
  }
}

// Values that begin with a word of SQL
extension ForeignParser {
  /// `CASE WHEN a THEN b ELSE c END`, `CASE a WHEN 1 THEN b END`
  func caseExpression() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span
    mark(.sql, at: start)
    let subject = token.isWord("when") ? nil : try expression()
    var choices: [(condition: ForeignExpression, value: ForeignExpression)] = []
    while takeWords("when") {
      var condition = try expression()
      if let subject {
        condition = ForeignExpression(
          .infix("==", subject, condition), subject.span.joined(condition.span))
      }
      try expectWord("then")
      choices.append((condition, try expression()))
    }
    let other = takeWords("else") ? try expression() : nil
    try expectWord("end")
    guard !choices.isEmpty else { throw unreadable }
    return ForeignExpression(.choice(choices, other), span(from: start.start))
  }

  /// `CAST(x AS INTEGER)`, and Kura's own `CAST(x, "NSNumber")`
  func cast() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
    try expect("(")
    let value = try expression()
    if take(",") {
      guard let name = try expression().literalText else { throw unreadable }
      try expect(")")
      return ForeignExpression(.cast(value, name), span(from: start))
    }
    try expectWord("as")
    let type = try takeName()
    if token.is("(") { throw refusal(localized("the length of a type")) }
    try expect(")")
    mark(.sql, at: span(from: start))
    return ForeignExpression(.cast(value, type), span(from: start))
  }

  /// `EXISTS (SELECT …)`
  func exists() throws(ForeignProblem) -> ForeignExpression {
    let start = take().span.start
    try expect("(")
    var query = try select()
    try expect(")")
    query.result = .exists
    mark(.sql, at: span(from: start))
    return ForeignExpression(.select(query), span(from: start))
  }

  /// `INTERVAL 50 YEAR`, `INTERVAL '50 years'`, `INTERVAL '1' DAY`; nil if it is a name.
  func interval() throws(ForeignProblem) -> ForeignExpression? {
    let next = peek()
    guard next.kind == .number || next.kind == .string || next.is("-") || next.is("(") else {
      return nil
    }
    let start = take().span.start
    mark(.sql, at: SourceSpan(start, start + 8))
    if token.kind == .string, let (count, unit) = Self.countedUnit(token.text) {
      take()
      let number = ForeignExpression(.number(count), SourceSpan(start, start))
      return ForeignExpression(.interval(number, unit), span(from: start))
    }
    var count = try expression(.unary)
    if case .interval = count.kind { return ForeignExpression(count.kind, span(from: start)) }
    if let text = count.literalText {
      guard Int(text) != nil else { throw unreadable }
      count = ForeignExpression(.number(text), SourceSpan(start, start))
    }
    return ForeignExpression(.interval(count, try takeName()), span(from: start))
  }

  /// `50 years` as its number and its unit.
  static func countedUnit(_ text: String) -> (count: String, unit: String)? {
    let words = text.split(separator: " ")
    guard words.count == 2, let count = Int(words[0]) else { return nil }
    return (String(count), String(words[1]))
  }
}
