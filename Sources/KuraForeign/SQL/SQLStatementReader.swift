import KuraDiagnostics
import KuraModel
import KuraSentences

/// Reads one statement of SQL and writes it as a statement of Kura with the same answer.
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
    "release", "use", "show", "describe", "desc", "pragma", "grant", "revoke", "set", "merge",
    "analyze", "vacuum", "reindex", "abort",
  ]

  /// The statements.
  func read() throws(ForeignProblem) -> String {
    parser.mark(.sql, at: parser.token.span)
    let found = try readStatement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func readStatement() throws(ForeignProblem) -> String {
    switch parser.token.text.lowercased() {
    case "select", "(": return try select()
    case "with":
      throw parser.refusal("WITH", localized("let $x = fetch …, then fetch $x"))
    case "values":
      parser.take()
      return "print " + (try writer.texts(try rowValues()))
    case "explain": return try explain()
    case "insert", "replace": return try insert()
    case "update": return try update()
    case "delete", "truncate": return try delete()
    case "create": return try create()
    case "drop": return try drop()
    case "alter": return try alter()
    case "describe", "desc", "show", "pragma", "use": return try look()
    default: return try transaction()
    }
  }

  /// `(1, 'x')`
  func rowValues() throws(ForeignProblem) -> [ForeignExpression] {
    try parser.expect("(")
    return try parser.list(upTo: ")") { () throws(ForeignProblem) in try parser.expression() }
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
  private func select() throws(ForeignProblem) -> String {
    let isInside = parser.take("(")
    let query = try parser.select()
    if isInside { try parser.expect(")") }
    guard let from = query.from else { return try values(query) }
    let catalogues = ["sqlite_master", "sqlite_schema", "tables", "pg_tables", "columns"]
    if let word = from.value.lastWord?.lowercased(), catalogues.contains(word) { return "model" }
    return try SelectWriter.builder(query, writer).statement
  }

  /// `SELECT 1 + 1`; `SELECT title`, where FROM was forgotten, is of the entity that has the key.
  private func values(_ query: SelectQuery) throws(ForeignProblem) -> String {
    if query.columns.contains(where: { $0.value.isStar || $0.value.isCountOfAll }) {
      throw .noCounterpart(
        NoCounterpart(
          "SELECT", sentence: localized("it is not said whose objects are meant"),
          instead: localized("fetch ENTITY gives all objects, count ENTITY how many they are")),
        query.span)
    }
    if let last = query.columns.last, last.isBare, let name = last.name, names.entity(name) != nil {
      // `select title, date MemoDate`
      var query = query
      query.columns[query.columns.count - 1].name = nil
      return try forgotten(query, name)
    }
    if case .name(let key)? = query.columns.first?.value.kind,
      let owner = names.model.entities.first(where: {
        names.model.property(named: key, of: $0.name) != nil
      })
    {
      var query = query
      let columns = query.columns
      query.columns = columns.flatMap { column -> [SelectQuery.Column] in
        // `select title date`: a key after a column lacks a comma.
        guard column.isBare, let name = column.name,
          names.model.property(named: name, of: owner.name) != nil
        else { return [column] }
        let key = ForeignExpression(.name(name), column.value.span)
        return [.init(value: column.value), .init(value: key)]
      }
      return try forgotten(query, owner.name)
    }
    guard query.conditions == nil, query.limit == nil, query.offset == nil, query.groups.isEmpty
    else { throw .unreadable(query.span) }
    return "print " + (try writer.texts(query.columns.map(\.value)))
  }

  private func forgotten(
    _ query: SelectQuery, _ entity: String
  ) throws(ForeignProblem) -> String {
    var query = query
    query.from = .init(value: ForeignExpression(.name(entity), query.span))
    return try SelectWriter.builder(query, writer).statement
  }

  private func explain() throws(ForeignProblem) -> String {
    parser.take()
    let isAnalyzed = parser.takeWords("analyze")
    _ = parser.takeWords("query", "plan")
    guard parser.token.isWord("select") else { return "describe " + entity(try tableName()) }
    return (isAnalyzed ? "explain analyze " : "explain ") + (try select())
  }

  /// `SHOW TABLES`, `DESC Item`, `PRAGMA table_info(Item)`, `USE dates`
  private func look() throws(ForeignProblem) -> String {
    switch parser.take().text.lowercased() {
    case "use":
      let name = try parser.takeName()
      return ".open " + (name.hasSuffix(".json") ? name : name + ".json")
    case "describe", "desc":
      _ = parser.takeWords("table")
      return "describe " + entity(try tableName())
    case "pragma":
      guard parser.takeWords("table_info") || parser.takeWords("table_xinfo") else {
        throw parser.unreadable
      }
      return "describe " + entity(try rowValues().first?.lastWord ?? "")
    default:
      let words: Set = ["tables", "columns", "fields", "create", "databases", "schemas", "full"]
      guard parser.token.isWord(among: words) else { throw parser.unreadable }
      let word = parser.take().text.lowercased()
      _ = parser.takeWords("tables") || parser.takeWords("columns") || parser.takeWords("table")
      if ["tables", "databases", "schemas"].contains(word) { return "model" }
      _ = parser.takeWords("from") || parser.takeWords("in")
      return parser.isAtEnd ? "model" : "describe " + entity(try tableName())
    }
  }

  /// `BEGIN TRANSACTION`, `COMMIT WORK`, `ROLLBACK`
  private func transaction() throws(ForeignProblem) -> String {
    let word = parser.take().text.lowercased()
    while parser.token.isWord(among: [
      "transaction", "work", "tran", "immediate", "deferred", "exclusive",
    ]) {
      parser.take()
    }
    switch word {
    case "begin", "start": return "begin"
    case "commit", "end": return "commit"
    case "rollback", "abort":
      if parser.token.isWord("to") { throw parser.refusal("ROLLBACK TO") }
      return "cancel"
    case "savepoint": return "begin " + ModelNames.written(try parser.takeName())
    case "release":
      _ = parser.takeWords("savepoint")
      _ = try parser.takeName()
      return "commit"
    case "analyze", "vacuum", "reindex":
      throw parser.refusal(word.uppercased(), localized("Kura keeps itself in order"))
    case "grant", "revoke":
      throw parser.refusal(word.uppercased(), localized("who may open the file may do all"))
    default: throw parser.unreadable
    }
  }
}

extension ForeignExpression {
  /// `COUNT(*)`
  fileprivate var isCountOfAll: Bool {
    namedCall?.arguments.first?.value.isStar == true
  }
}

// INSERT, UPDATE, DELETE
extension SQLStatementReader {
  /// `INSERT INTO Item (title) VALUES ('x'), ('y')`: a statement for each row.
  func insert() throws(ForeignProblem) -> String {
    let word = parser.take()
    if word.isWord("replace") || parser.token.isWord("or") {
      throw parser.refusal(
        localized("\(word.text.uppercased()) of what is there"), localized("update changes it"))
    }
    _ = parser.takeWords("into")
    guard let entity = names.entity(try tableName()) else { throw parser.unreadable }
    if parser.takeWords("default", "values") { return "insert \(ModelNames.written(entity)) {}" }
    var columns: [String]?
    if parser.take("(") {
      columns = try parser.list(upTo: ")") { () throws(ForeignProblem) in try parser.takeName() }
    }
    guard parser.takeWords("values") || parser.takeWords("value") else {
      guard parser.token.isWord("select") else { throw parser.unreadable }
      throw parser.refusal(
        "INSERT … SELECT", localized("insert takes the values of one object, or JSON"))
    }
    let rows = try parser.list { () throws(ForeignProblem) in try rowValues() }
    try refuseTail()
    var statements: [String] = []
    for row in rows { statements.append(try insert(row, columns, entity)) }
    return statements.joined(separator: "\n")
  }

  private func refuseTail() throws(ForeignProblem) {
    if parser.token.isWord("on") {
      throw parser.refusal(
        "ON CONFLICT", localized("update changes what is there, insert makes what is new"))
    }
    if parser.token.isWord("returning") {
      throw parser.refusal("RETURNING", localized("the answer names the new objects"))
    }
  }

  private func insert(
    _ row: [ForeignExpression], _ columns: [String]?, _ entity: String
  ) throws(ForeignProblem) -> String {
    let keys = columns ?? defaultKeys(of: entity, count: row.count)
    guard keys.count == row.count, let first = row.first, let last = row.last else {
      let span = row.first?.span ?? parser.token.span
      throw .noCounterpart(
        NoCounterpart(
          "VALUES", sentence: localized("\(row.count) values stand for \(keys.count) keys"),
          instead: localized("the keys are \(keys.joined(separator: ", "))")),
        span.joined(row.last?.span ?? span))
    }
    let query = QueryBuilder(ModelNames.written(entity), of: entity)
    var assignments: [String] = []
    for (key, value) in zip(keys, row) {
      // `DEFAULT`, and the NULL from which a database makes a number.
      if value.lastWord?.lowercased() == "default"
        || value.isNull && names.isIdentity(key, of: entity)
      {
        continue
      }
      if names.isIdentity(key, of: entity) {
        throw missing(localized("an objectID of one's own"), first.span.joined(last.span))
      }
      assignments.append(try writer.assignment(key, value, query))
    }
    guard !assignments.isEmpty else { return "insert \(query.source) {}" }
    return "insert \(query.source) \(assignments.joined(separator: ", "))"
  }

  private func missing(_ construct: String, _ span: SourceSpan) -> ForeignProblem {
    writer.missing(construct, at: span)
  }

  /// The keys in the order of the model, after the objectID if there is a value more.
  private func defaultKeys(of entity: String, count: Int) -> [String] {
    let attributes = names.model.allAttributes(of: entity).filter { $0.derivation == nil }
      .map(\.name)
    let ways = names.model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    let candidates = [attributes, attributes + ways]
    if let exact = candidates.first(where: { $0.count == count }) { return exact }
    return candidates.first { $0.count + 1 == count }.map { ["objectID"] + $0 } ?? attributes + ways
  }

  /// `UPDATE Item SET done = TRUE WHERE …`
  private func update() throws(ForeignProblem) -> String {
    parser.take()
    var query = SelectQuery()
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.expectWord("set")
    let values = try parser.list { () throws(ForeignProblem) in
      var key = try parser.takeName()
      while parser.take(".") { key = try parser.takeName() }
      try parser.expect("=")
      return (key, try parser.expression())
    }
    guard Set(values.map { $0.0.lowercased() }).count == values.count else {
      throw parser.unreadable
    }
    var builder = try changed(&query)
    var texts: [String] = []
    for (key, value) in values { texts.append(try writer.assignment(key, value, builder)) }
    builder.result = .update(texts)
    return builder.statement
  }

  /// `DELETE FROM Item WHERE …`, `TRUNCATE TABLE Item`
  private func delete() throws(ForeignProblem) -> String {
    if parser.take().isWord("truncate") {
      _ = parser.takeWords("table")
    } else {
      try parser.expectWord("from")
    }
    var query = SelectQuery()
    query.from = try parser.table()
    var builder = try changed(&query)
    builder.result = .delete
    return builder.statement
  }

  /// The objects that are changed, according to the clauses that follow.
  private func changed(_ query: inout SelectQuery) throws(ForeignProblem) -> QueryBuilder {
    if parser.token.isWord("from") || parser.token.isWord("using") {
      throw parser.refusal("UPDATE … FROM", localized("a path leads to what belongs to it"))
    }
    let place = parser.token.span
    try parser.clauses(of: &query)
    guard query.limit == nil, query.offset == nil, query.order.isEmpty, query.groups.isEmpty,
      query.having == nil
    else {
      throw writer.missing(
        localized("LIMIT in a change"), localized("let $x = fetch … limit N, and $x in its place"),
        at: place.joined(SourceSpan(place.start, parser.lastEnd)))
    }
    try refuseTail()
    query.span = SourceSpan(place.start, parser.lastEnd)
    return try SelectWriter.builder(query, writer, isChange: true)
  }
}
