import KuraDiagnostics
import KuraModel

/// Reads a statement of Kura in which something of another language stands.
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

  /// What the statement may be without the foreign parts; the likeliest first.
  func read() throws(ForeignProblem) -> [String] {
    let found = try statement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func statement() throws(ForeignProblem) -> [String] {
    let word = parser.token.text.lowercased()
    switch word {
    case "fetch": return try fetch(.objects)
    case "count": return try fetch(.count)
    case "exists": return try fetch(.exists)
    case "print":
      parser.take()
      let values = try parser.list { () throws(ForeignProblem) in try parser.expression() }
      return ["print " + (try writer.texts(values))]
    case "explain":
      parser.take()
      let head = parser.takeWords("analyze") ? "explain analyze " : "explain "
      return try statement().map { head + $0 }
    case "let": return try letStatement()
    case "insert": return [try insert()]
    case "update": return [try update()]
    case "delete": return [try delete()]
    default: throw parser.unreadable
    }
  }

  private func fetch(_ result: SelectQuery.Result) throws(ForeignProblem) -> [String] {
    parser.take()
    var query = SelectQuery()
    query.result = result
    if result == .count, let distinct = try countDistinct() { return distinct }
    let place = parser.token.span
    if parser.takeWords("from") { parser.mark(.sql, at: place) }
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.clauses(of: &query)
    query.span = SourceSpan(place.start, parser.lastEnd)
    return try SelectWriter.builders(query, writer).map(\.statement)
  }

  /// `count distinct category from Item`
  private func countDistinct() throws(ForeignProblem) -> [String]? {
    guard parser.token.isWord("distinct"), !parser.peek().isWord("where") else { return nil }
    parser.mark(.sql, at: parser.take().span)
    var query = SelectQuery()
    query.isDistinct = true
    query.columns = try parser.columns()
    try parser.expectWord("from")
    query.from = try parser.table()
    try parser.clauses(of: &query)
    return try SelectWriter.builders(query, writer).map {
      var counted = $0
      counted.result = .count
      return counted.statement
    }
  }

  private func letStatement() throws(ForeignProblem) -> [String] {
    parser.take()
    let name = try parser.takeName()
    guard name.hasPrefix("$") else { throw parser.unreadable }
    try parser.expect("=")
    let head = "let \(name) = "
    if parser.token.isWord(among: ["fetch", "count", "exists", "insert"]),
      parser.peek().kind == .word
    {
      return try statement().map { head + $0 }
    }
    return [head + (try writer.value(try parser.expression())).text]
  }
}

// Changes
extension KuraStatementReader {
  /// `insert Item(title: "x")`, `insert Item values ('x')`, `insert Item title = …`
  private func insert() throws(ForeignProblem) -> String {
    let next = parser.peek(parser.peek().isWord("into") ? 3 : 2)
    if next.isWord("values") || next.is("(") && !isLabelled { return try sqlInsert() }
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

  private var isLabelled: Bool { parser.peek(4).is(":") }

  private func sqlInsert() throws(ForeignProblem) -> String {
    parser.mark(.sql, at: parser.token.span)
    let reader = SQLStatementReader(parser, names)
    return try reader.insert().joined(separator: "\n")
  }

  /// `title = "x"`, `tags += Tag/1`
  private func assignment(_ query: QueryBuilder) throws(ForeignProblem) -> String {
    let place = parser.token.span
    let key = try parser.takeName()
    let sign = parser.take()
    if ["+", "-", "*", "/"].contains(sign.text) { return try computed(key, sign, place, query) }
    guard sign.is("=") || sign.is("+=") || sign.is("-=") || sign.is(":") else {
      throw parser.unreadable
    }
    let operation = sign.is(":") ? "=" : sign.text
    let written = try writer.inside(ForeignScope(root: query.element)) {
      () throws(ForeignProblem) in
      let owner = try writer.value(ForeignExpression(.name(key), place))
      return "\(owner.text) \(operation) \(try writer.assigned(try parser.expression(), to: owner))"
    }
    return written
  }

  /// `set priority + 1`, `set priority++`: of what it was.
  private func computed(
    _ key: String, _ sign: ForeignToken, _ place: SourceSpan, _ query: QueryBuilder
  ) throws(ForeignProblem) -> String {
    parser.mark(.code, at: sign.span)
    let isStep = parser.token.text == sign.text
    if isStep { parser.take() }
    return try writer.inside(ForeignScope(root: query.element)) { () throws(ForeignProblem) in
      let owner = try writer.value(ForeignExpression(.name(key), place)).text
      let amount = isStep ? "1" : try writer.value(try parser.expression(.sum)).text(in: .product)
      return "\(owner) = \(owner) \(sign.text) \(amount)"
    }
  }

  private func update() throws(ForeignProblem) -> String {
    parser.take()
    var query = SelectQuery()
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.expectWord("set")
    guard let target = try SelectWriter.builders(query, writer).last else {
      throw parser.unreadable
    }
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
    guard let target = try SelectWriter.builders(query, writer).last else {
      throw parser.unreadable
    }
    return "delete \(target.source)" + (try limits(of: query))
  }

  /// ` where …`, ` all`
  private func limits(of query: SelectQuery) throws(ForeignProblem) -> String {
    if parser.takeWords("all") { return " all" + (try actionName()) }
    var query = query
    try parser.clauses(of: &query)
    guard let builder = try SelectWriter.builders(query, writer).last else {
      throw parser.unreadable
    }
    let condition = QueryBuilder.all(builder.conditions).map { " where \($0.text)" } ?? ""
    // Every object of an entity is meant by `all` alone.
    if condition.isEmpty, names.model[builder.source] != nil { throw parser.unreadable }
    return condition + (try actionName())
  }

  /// ` as "Tidy up"`
  private func actionName() throws(ForeignProblem) -> String {
    guard parser.takeWords("as") else { return "" }
    return " as " + StatementText.string(try parser.takeName())
  }
}
