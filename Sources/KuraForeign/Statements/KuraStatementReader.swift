import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// Reads a statement of Kura that contains words of another language.
struct KuraStatementReader {
  let parser: ForeignParser
  let names: ModelNames
  let writer: ExpressionWriter

  init(_ parser: ForeignParser, _ names: ModelNames) {
    self.parser = parser
    self.names = names
    writer = ExpressionWriter(names, parser)
  }

  static let firstWords: Set = [
    "fetch", "count", "exists", "print", "let", "insert", "update", "delete", "explain",
  ]

  /// The statement without the foreign words.
  func read() throws(ForeignProblem) -> String {
    let found = try statement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func statement() throws(ForeignProblem) -> String {
    switch parser.token.text.lowercased() {
    case "fetch": return try fetch(.objects)
    case "count": return try fetch(.count)
    case "exists": return try fetch(.exists)
    case "print":
      parser.take()
      let values = try parser.list { () throws(ForeignProblem) in try parser.expression() }
      return "print " + (try writer.texts(values))
    case "explain":
      parser.take()
      return (parser.takeWords("analyze") ? "explain analyze " : "explain ") + (try statement())
    case "let": return try letStatement()
    case "insert": return try insert()
    case "update": return try update()
    case "delete": return try delete()
    default: throw parser.unreadable
    }
  }

  private func fetch(_ result: SelectQuery.Result) throws(ForeignProblem) -> String {
    parser.take()
    var query = SelectQuery()
    query.result = result
    let place = parser.token.span
    if result == .count, parser.token.isWord("distinct"), !parser.peek().isWord("where") {
      // `count distinct category from Item`
      parser.mark(.sql, at: parser.take().span)
      query.isDistinct = true
      query.columns = try parser.columns()
      try parser.expectWord("from")
    } else if parser.takeWords("from") {
      parser.mark(.sql, at: place)
    }
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.clauses(of: &query)
    query.span = SourceSpan(place.start, parser.lastEnd)
    return try SelectWriter.builder(query, writer).statement
  }

  private func letStatement() throws(ForeignProblem) -> String {
    parser.take()
    let name = try parser.takeName()
    guard name.hasPrefix("$") else { throw parser.unreadable }
    try parser.expect("=")
    let isStatement =
      parser.token.isWord(among: ["fetch", "count", "exists", "insert"])
      && parser.peek().kind == .word
    return "let \(name) = "
      + (isStatement ? try statement() : try writer.value(try parser.expression()).text)
  }
}

// Changes
extension KuraStatementReader {
  /// `insert Item(title: "x")`, `insert Item values ('x')`, `insert Item title = …`
  private func insert() throws(ForeignProblem) -> String {
    let next = parser.peek(parser.peek().isWord("into") ? 3 : 2)
    if next.isWord("values") || next.is("(") && !parser.peek(4).is(":") {
      parser.mark(.sql, at: parser.token.span)
      return try SQLStatementReader(parser, names).insert()
    }
    parser.take()
    if parser.token.isWord("into") { parser.mark(.sql, at: parser.take().span) }
    let name = try parser.takeName()
    guard let entity = names.entity(name) else { throw parser.unreadable }
    let query = QueryBuilder(ModelNames.written(entity), of: entity)
    let isCall = parser.token.is("(")
    if isCall { parser.mark(.swift, at: parser.take().span) }
    let texts = try parser.list { () throws(ForeignProblem) in try assignment(query) }
    if isCall { try parser.expect(")") }
    return "insert \(query.source) \(texts.joined(separator: ", "))" + (try actionName())
  }

  /// `title = "x"`, `tags += Tag/1`
  private func assignment(_ query: QueryBuilder) throws(ForeignProblem) -> String {
    let place = parser.token.span
    let key = ForeignExpression(.name(try parser.takeName()), place)
    let sign = parser.take()
    return try writer.inside(ForeignScope(root: query.element)) { () throws(ForeignProblem) in
      let owner = try writer.value(key)
      if ["+", "-", "*", "/"].contains(sign.text) {
        // `set priority + 1`, `set priority++`
        parser.mark(.swift, at: sign.span)
        let isStep = parser.token.text == sign.text
        if isStep { parser.take() }
        let amount =
          isStep ? "1" : try writer.value(try parser.expression(.sum)).text(in: .product)
        return "\(owner.text) = \(owner.text) \(sign.text) \(amount)"
      }
      guard ["=", "+=", "-=", ":"].contains(sign.text) else { throw parser.unreadable }
      let value = try writer.assigned(try parser.expression(), to: owner)
      return "\(owner.text) \(sign.is(":") ? "=" : sign.text) \(value)"
    }
  }

  private func update() throws(ForeignProblem) -> String {
    parser.take()
    var query = SelectQuery()
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.expectWord("set")
    let target = try SelectWriter.builder(query, writer)
    var texts: [String] = []
    repeat {
      texts.append(try assignment(target))
    } while parser.take(",") && !parser.token.isWord("where")
    query.span = SourceSpan(parser.token.span.start, parser.token.span.start)
    return "update \(target.source) set \(texts.joined(separator: ", "))" + (try limits(of: query))
  }

  private func delete() throws(ForeignProblem) -> String {
    parser.take()
    var query = SelectQuery()
    let place = parser.token.span
    if parser.takeWords("from") { parser.mark(.sql, at: place) }
    query.from = try parser.table()
    try parser.joins(of: &query)
    return "delete \(try SelectWriter.builder(query, writer).source)" + (try limits(of: query))
  }

  /// ` where …`, ` all`
  private func limits(of query: SelectQuery) throws(ForeignProblem) -> String {
    if parser.takeWords("all") { return " all" + (try actionName()) }
    var query = query
    try parser.clauses(of: &query)
    guard query.limit == nil, query.offset == nil, query.order.isEmpty, query.groups.isEmpty,
      query.columns.isEmpty, query.kept.isEmpty
    else {
      throw writer.missing(
        localized("LIMIT in a change"), localized("let $x = fetch … limit N, and $x in its place"),
        at: query.span)
    }
    let builder = try SelectWriter.builder(query, writer)
    let condition = Written.all(builder.conditions).map { " where \($0.text)" } ?? ""
    // Only `all` means every object of an entity.
    if condition.isEmpty, names.model[builder.source] != nil { throw parser.unreadable }
    return condition + (try actionName())
  }

  /// ` as "Tidy up"`
  private func actionName() throws(ForeignProblem) -> String {
    guard parser.takeWords("as") else { return "" }
    return " as " + StatementText.string(try parser.takeName())
  }
}
