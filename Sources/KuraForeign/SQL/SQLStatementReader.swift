import KuraDiagnostics
import KuraModel
import KuraSentences

/// Reads one statement of SQL and writes it in Kura's words.
struct SQLStatementReader {
  let parser: ForeignParser
  let names: ModelNames
  let writer: ExpressionWriter

  init(_ parser: ForeignParser, _ names: ModelNames) {
    self.parser = parser
    self.names = names
    writer = ExpressionWriter(names, parser)
  }

  /// Words that begin a statement of SQL.
  static let firstWords: Set = [
    "select", "with", "values", "explain", "insert", "replace", "update", "delete", "truncate",
    "create", "drop", "alter", "begin", "start", "commit", "end", "rollback", "savepoint",
    "release",
    "use", "show", "describe", "desc", "pragma", "grant", "revoke", "set", "merge", "analyze",
    "vacuum", "reindex", "abort",
  ]

  /// What the statement may be here, the likeliest first.
  func read() throws(ForeignProblem) -> [String] {
    parser.mark(.sql, at: parser.token.span)
    let found = try readStatement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func readStatement() throws(ForeignProblem) -> [String] {
    switch parser.token.text.lowercased() {
    case "select", "(": return try select()
    case "with":
      throw missing("WITH", localized("let $x = fetch …, and fetch $x behind it"))
    case "values":
      parser.take()
      return ["print " + (try writer.texts(try rowValues()))]
    case "explain": return try explain()
    case "insert", "replace": return [try insert().joined(separator: "\n")]
    case "update": return [try update()]
    case "delete", "truncate": return [try delete()]
    case "create": return [try create()]
    case "drop": return [try drop()]
    case "alter": return [try alter()]
    case "describe", "desc", "show", "pragma", "use": return [try look()]
    default: return [try transaction()]
    }
  }

  func missing(_ construct: String, _ instead: String? = nil) -> ForeignProblem {
    .noCounterpart(NoCounterpart(construct, instead: instead), parser.token.span)
  }

  /// `(1, 'x')`
  func rowValues() throws(ForeignProblem) -> [ForeignExpression] {
    try parser.expect("(")
    let values = try parser.list { () throws(ForeignProblem) in try parser.expression() }
    try parser.expect(")")
    return values
  }

  /// The name of a table, without a schema before it.
  func tableName() throws(ForeignProblem) -> String {
    var name = try parser.takeName()
    while parser.take(".") { name = try parser.takeName() }
    return name
  }

  func entity(_ name: String) -> String { ModelNames.written(names.entity(name) ?? name) }
}

extension SQLStatementReader {
  private func select() throws(ForeignProblem) -> [String] {
    let isInside = parser.take("(")
    let query = try parser.select()
    if isInside { try parser.expect(")") }
    return try Self.statements(query, writer)
  }

  static func statements(
    _ query: SelectQuery, _ writer: ExpressionWriter
  ) throws(ForeignProblem) -> [String] {
    if query.from == nil, let last = query.columns.last, last.isBare, let name = last.name,
      writer.names.entity(name) != nil
    {
      // `select title, date MemoDate`: the table, without FROM.
      var query = query
      query.columns[query.columns.count - 1].name = nil
      let value = ForeignExpression(.name(name), last.value.span)
      query.from = SelectQuery.Table(value: value, alias: nil)
      return try statements(query, writer)
    }
    guard let from = query.from ?? table(of: query, writer) else {
      if query.columns.contains(where: \.value.isOfAll) { throw withoutTable(query.span) }
      var texts: [String] = []
      for column in query.columns { texts.append(try writer.value(column.value).text) }
      return ["print " + texts.joined(separator: ", ")]
    }
    var query = query
    query.isWithoutFrom = query.from == nil
    query.from = from
    if let word = from.value.lastWord?.lowercased(), catalogues.contains(word) { return ["model"] }
    return try SelectWriter.builders(query, writer).map(\.statement)
  }

  /// Tables in which databases keep what tables they have.
  private static let catalogues: Set = [
    "sqlite_master", "sqlite_schema", "tables", "pg_tables", "pg_class", "columns",
  ]

  private func explain() throws(ForeignProblem) -> [String] {
    parser.take()
    let isAnalyzed = parser.takeWords("analyze")
    _ = parser.takeWords("query", "plan")
    guard parser.token.isWord("select") else { return ["describe " + entity(try tableName())] }
    let word = isAnalyzed ? "explain analyze " : "explain "
    return try select().map { word + $0 }
  }

  /// `SHOW TABLES`, `DESC Item`, `PRAGMA table_info(Item)`, `USE dates`
  private func look() throws(ForeignProblem) -> String {
    let word = parser.take().text.lowercased()
    switch word {
    case "use":
      let name = try parser.takeName()
      return ".open " + (name.hasSuffix(".json") ? name : name + ".json")
    case "describe", "desc":
      _ = parser.takeWords("table")
      return "describe " + entity(try tableName())
    case "pragma":
      guard parser.token.isWord(among: ["table_info", "table_xinfo"]) else {
        throw parser.unreadable
      }
      parser.take()
      return "describe " + entity(try rowValues().first?.lastWord ?? "")
    default: return try show()
    }
  }

  private func show() throws(ForeignProblem) -> String {
    guard
      parser.token.isWord(among: [
        "tables", "columns", "fields", "create", "databases", "schemas",
        "full",
      ])
    else { throw parser.unreadable }
    let word = parser.take().text.lowercased()
    _ = parser.takeWords("tables") || parser.takeWords("columns") || parser.takeWords("table")
    if word == "tables" || word == "databases" || word == "schemas" { return "model" }
    _ = parser.takeWords("from") || parser.takeWords("in")
    return parser.isAtEnd ? "model" : "describe " + entity(try tableName())
  }

  /// `BEGIN TRANSACTION`, `COMMIT WORK`, `ROLLBACK`
  private func transaction() throws(ForeignProblem) -> String {
    let word = parser.take().text.lowercased()
    while parser.token.isWord(among: Self.transactionWords) { parser.take() }
    switch word {
    case "begin", "start": return "begin"
    case "commit", "end": return "commit"
    case "rollback", "abort":
      if parser.takeWords("to") { try skipSavepoint() }
      return "cancel"
    case "savepoint": return "begin " + ModelNames.written(try parser.takeName())
    case "release":
      try skipSavepoint()
      return "commit"
    case "analyze", "vacuum", "reindex":
      throw missing(word.uppercased(), localized("Kura keeps itself in order"))
    case "grant", "revoke":
      throw missing(word.uppercased(), localized("who may open the file may do all"))
    default: throw parser.unreadable
    }
  }

  private static let transactionWords: Set = [
    "transaction", "work", "tran", "immediate", "deferred", "exclusive",
  ]

  private func skipSavepoint() throws(ForeignProblem) {
    _ = parser.takeWords("savepoint")
    _ = try parser.takeName()
  }
}

extension SQLStatementReader {
  /// The entity that has the key with which columns begin, where FROM was forgotten.
  private static func table(
    of query: SelectQuery, _ writer: ExpressionWriter
  ) -> SelectQuery.Table? {
    guard case .name(let key)? = query.columns.first?.value.kind,
      let entity = writer.names.model.entities.first(where: {
        writer.names.model.property(named: key, of: $0.name) != nil
      })
    else { return nil }
    return SelectQuery.Table(value: ForeignExpression(.name(entity.name), query.span), alias: nil)
  }

  private static func withoutTable(_ span: SourceSpan) -> ForeignProblem {
    let sentence = localized("it is not said whose objects are meant")
    let instead = localized("fetch ENTITY gives all objects, count ENTITY how many they are")
    return .noCounterpart(
      NoCounterpart("SELECT", sentence: sentence, instead: instead), span)
  }
}

extension ForeignExpression {
  /// Whether it is all keys, or how many objects there are.
  fileprivate var isOfAll: Bool {
    switch kind {
    case .star: true
    case .call(_, let arguments): arguments.count == 1 && arguments[0].value.isOfAll
    default: false
    }
  }
}
