import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// Reads one statement of SQL, or a statement of Kura that contains words of another language.
struct StatementReader {
  let parser: ForeignParser
  let names: ModelNames
  let writer: ExpressionWriter

  init(_ parser: ForeignParser, _ names: ModelNames) {
    self.parser = parser
    self.names = names
    writer = ExpressionWriter(names, parser)
  }

  /// Words that begin a statement of SQL.
  static let sqlWords: Set = [
    "select", "with", "values", "explain", "insert", "replace", "update", "delete", "truncate",
    "create", "drop", "alter", "begin", "start", "commit", "end", "rollback", "savepoint",
    "release", "use", "show", "describe", "desc", "pragma", "grant", "revoke", "set", "merge",
    "analyze", "vacuum", "reindex", "abort",
  ]

  /// Words that begin a statement of Kura in which foreign words are looked for.
  static let kuraWords: Set = [
    "fetch", "count", "exists", "print", "let", "insert", "update", "delete", "explain",
  ]

  /// The statement, or several in lines.
  func read() throws -> String {
    if writer.isSQL { parser.mark(.sql, at: parser.token.span) }
    let found = try writer.isSQL ? sqlStatement() : kuraStatement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func sqlStatement() throws -> String {
    let word = parser.token.text.lowercased()
    if let statement = Self.transactions[word] {
      parser.take()
      while parser.token.isWord(among: Self.transactionWords) { parser.take() }
      if parser.token.isWord("to") { throw parser.refusal("ROLLBACK TO") }
      return statement
    }
    switch word {
    case "select", "(": return try select()
    case "values":
      parser.take()
      return "print " + (try writer.texts(try rowValues()))
    case "explain":
      parser.take()
      let isAnalyzed = parser.takeWords("analyze")
      _ = parser.takeWords("query", "plan")
      guard parser.token.isWord("select") else { return "describe " + (try tableEntity()) }
      return (isAnalyzed ? "explain analyze " : "explain ") + (try select())
    case "insert", "replace": return try insert()
    case "update": return try update()
    case "delete", "truncate": return try delete()
    case "create": return try create()
    case "drop": return try drop()
    case "alter": return try alter()
    case "describe", "desc", "show", "pragma", "use": return try look(word)
    case "with": throw parser.refusal("WITH", localized("let $x = fetch …, then fetch $x"))
    case "analyze", "vacuum", "reindex":
      throw parser.refusal(word.uppercased(), localized("Kura keeps itself in order"))
    case "savepoint", "release": throw parser.refusal(word.uppercased())
    case "grant", "revoke":
      throw parser.refusal(word.uppercased(), localized("who may open the file may do all"))
    default: throw parser.unreadable
    }
  }

  private static let transactions = [
    "begin": "begin", "start": "begin", "commit": "commit", "end": "commit", "rollback": "cancel",
    "abort": "cancel",
  ]

  private static let transactionWords: Set = [
    "transaction", "work", "tran", "immediate", "deferred", "exclusive",
  ]

  private func kuraStatement() throws -> String {
    switch parser.token.text.lowercased() {
    case "fetch": return try fetch(.objects)
    case "count": return try fetch(.count)
    case "exists": return try fetch(.exists)
    case "print":
      parser.take()
      return "print " + (try writer.texts(try parser.list { try parser.expression() }))
    case "explain":
      parser.take()
      let isAnalyzed = parser.takeWords("analyze")
      return (isAnalyzed ? "explain analyze " : "explain ") + (try kuraStatement())
    case "let":
      parser.take()
      let name = try parser.takeName()
      guard name.hasPrefix("$") else { throw parser.unreadable }
      try parser.expect("=")
      let words: Set = ["fetch", "count", "exists", "insert"]
      let isStatement = parser.token.isWord(among: words) && parser.peek().kind == .word
      return "let \(name) = "
        + (isStatement ? try kuraStatement() : try writer.value(try parser.expression()).text)
    case "insert": return try insert()
    case "update": return try update()
    case "delete": return try delete()
    default: throw parser.unreadable
    }
  }
}

// Questions
extension StatementReader {
  private func fetch(_ result: SelectQuery.Result) throws -> String {
    parser.take()
    var query = SelectQuery()
    query.result = result
    let place = parser.token.span
    if parser.takeWords("from") {
      parser.mark(.sql, at: place)
    }
    query.from = try parser.table()
    try parser.joins(of: &query)
    while try parser.clause(of: &query) {}
    query.span = SourceSpan(place.start, parser.lastEnd)
    return try SelectWriter.builder(query, writer).statement
  }

  private func select() throws -> String {
    let isInside = parser.take("(")
    var query = try parser.select()
    if isInside { try parser.expect(")") }
    if query.from == nil, case .name(let key)? = query.columns.first?.value.kind,
      let owner = names.model.entities.first(where: {
        names.model.property(named: key, of: $0.name) != nil
      })
    {
      // FROM was forgotten: the entity that has the key is meant.
      query.from = SelectQuery.Table(value: Tree(.name(owner.name), query.span))
    }
    if let from = query.from {
      let catalogues = ["sqlite_master", "sqlite_schema", "tables", "pg_tables", "columns"]
      if catalogues.contains(from.value.lastWord?.lowercased() ?? "") { return "model" }
      return try SelectWriter.builder(query, writer).statement
    }
    let values = query.columns.map(\.value)
    guard !values.contains(where: { $0.isStar || $0.isCountOfAll }) else {
      throw ForeignProblem(
        NoCounterpart(
          "SELECT", sentence: localized("it is not said whose objects are meant"),
          instead: localized("fetch ENTITY gives all objects, count ENTITY how many they are")),
        query.span)
    }
    guard query.conditions == nil, query.limit == nil, query.offset == nil, query.groups.isEmpty
    else { throw query.span.unreadable }
    return "print " + (try writer.texts(values))
  }

  /// `SHOW TABLES`, `DESC Item`, `PRAGMA table_info(Item)`, `USE dates`
  private func look(_ word: String) throws -> String {
    parser.take()
    switch word {
    case "use":
      let name = try parser.takeName()
      return ".open " + (name.hasSuffix(".json") ? name : name + ".json")
    case "pragma":
      guard parser.takeWords("table_info") || parser.takeWords("table_xinfo") else {
        throw parser.unreadable
      }
      return "describe " + entity(try rowValues().first?.lastWord ?? "")
    case "show":
      if parser.takeWords("tables") || parser.takeWords("databases") { return "model" }
      guard parser.takeWords("columns", "from") || parser.takeWords("create", "table") else {
        throw parser.unreadable
      }
    default: _ = parser.takeWords("table")
    }
    return "describe " + (try tableEntity())
  }

  /// `(1, 'x')`
  private func rowValues() throws -> [Tree] {
    try parser.expect("(")
    return try parser.list(upTo: ")") { try parser.expression() }
  }

  /// The name of a table or key, without what is before it.
  func lastName() throws -> String {
    var name = try parser.takeName()
    while parser.take(".") { name = try parser.takeName() }
    return name
  }

  func entity(_ name: String) -> String { ModelNames.written(names.entity(name) ?? name) }

  func tableEntity() throws -> String { entity(try lastName()) }
}

extension Tree {
  /// `COUNT(*)`
  fileprivate var isCountOfAll: Bool { namedCall?.arguments.first?.value.isStar == true }
}

// Changes
extension StatementReader {
  /// `INSERT INTO Item (title) VALUES ('x'), ('y')`: a statement for each row. In a statement of Kura
  /// also `insert Item(title: "x")`, `insert Item title = …`.
  private func insert() throws -> String {
    let word = parser.take()
    if word.isWord("replace") || parser.token.isWord("or") {
      throw parser.refusal(
        localized("\(word.text.uppercased()) of what is there"), localized("update changes it"))
    }
    if parser.token.isWord("into") { parser.mark(.sql, at: parser.take().span) }
    guard let entity = names.entity(try lastName()) else { throw parser.unreadable }
    let query = QueryBuilder(ModelNames.written(entity), of: entity)
    let head = "insert \(query.source) "
    if parser.takeWords("default", "values") { return head + "{}" }
    let isCall = parser.token.is("(") && parser.peek(2).is(":")
    if !writer.isSQL, isCall || parser.peek().kind == .sign && !parser.token.is("("),
      !parser.token.isWord("values")
    {
      if isCall { parser.mark(.swift, at: parser.take().span) }
      let texts = try parser.list { try assignment().written(writer, query) }
      if isCall { try parser.expect(")") }
      return head + texts.joined(separator: ", ") + (try actionName())
    }
    parser.mark(.sql, at: parser.token.span)
    var columns: [String]?
    if parser.take("(") { columns = try parser.list(upTo: ")") { try parser.takeName() } }
    guard parser.takeWords("values") || parser.takeWords("value") else {
      guard parser.token.isWord("select") else { throw parser.unreadable }
      throw parser.refusal(
        "INSERT … SELECT", localized("insert takes the values of one object, or JSON"))
    }
    let rows = try parser.list { try rowValues() }
    try refuseTail()
    let statements = try rows.map { row in
      let texts = try assignments(row, columns, query)
      return head + (texts.isEmpty ? "{}" : texts.joined(separator: ", "))
    }
    return statements.joined(separator: "\n")
  }

  private func refuseTail() throws {
    if parser.token.isWord("on") {
      throw parser.refusal(
        "ON CONFLICT", localized("update changes what is there, insert makes what is new"))
    }
    if parser.token.isWord("returning") {
      throw parser.refusal("RETURNING", localized("the answer names the new objects"))
    }
  }

  /// The values of a row with their keys.
  private func assignments(
    _ row: [Tree], _ columns: [String]?, _ query: QueryBuilder
  ) throws -> [String] {
    let entity = query.element.entity ?? ""
    let keys = columns ?? defaultKeys(of: entity, count: row.count)
    let place = row.first?.span.joined(row.last?.span ?? .none) ?? parser.token.span
    guard keys.count == row.count, !row.isEmpty else {
      throw ForeignProblem(
        NoCounterpart(
          "VALUES", sentence: localized("\(row.count) values stand for \(keys.count) keys"),
          instead: localized("the keys are \(keys.joined(separator: ", "))")),
        place)
    }
    return try zip(keys, row).compactMap { key, value in
      // `DEFAULT`, and the NULL from which a database makes a number.
      let isIdentity = names.isIdentity(key, of: entity)
      if value.lastWord?.lowercased() == "default" || value.isNull && isIdentity { return nil }
      if isIdentity { throw writer.missing(localized("an objectID of one's own"), at: place) }
      return try writer.assignment(key, value, query)
    }
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

  /// A key and its new value, `title = 'x'`.
  private struct Assignment {
    let key: String
    let sign: String
    let value: Tree

    func written(_ writer: ExpressionWriter, _ query: QueryBuilder) throws -> String {
      try writer.assignment(key, value, query, sign: sign)
    }
  }

  /// `title = "x"`; in a statement of Kura also `tags += Tag/1`, `minutes + 1`, `minutes++`, `title: "x"`
  private func assignment() throws -> Assignment {
    let place = parser.token.span
    let key = try lastName()
    let sign = parser.take()
    if sign.is("=") || !writer.isSQL && ["+=", "-=", ":"].contains(sign.text) {
      let value = try parser.expression()
      return Assignment(key: key, sign: sign.is(":") ? "=" : sign.text, value: value)
    }
    guard !writer.isSQL, ["+", "-", "*", "/"].contains(sign.text) else {
      throw sign.span.unreadable
    }
    parser.mark(.swift, at: sign.span)
    let isStep = parser.take(sign.text)
    let amount =
      isStep
      ? Tree(.number("1"), sign.span) : try parser.expression(.product)
    let value = Tree(.name(key), place).infix(sign.text, amount)
    return Assignment(key: key, sign: "=", value: value)
  }

  /// `UPDATE Item SET done = TRUE WHERE …`
  private func update() throws -> String {
    parser.take()
    var query = SelectQuery()
    query.from = try parser.table()
    try parser.joins(of: &query)
    try parser.expectWord("set")
    var values: [Assignment] = []
    repeat {
      values.append(try assignment())
    } while parser.take(",") && (writer.isSQL || !parser.token.isWord("where"))
    guard Set(values.map { $0.key.lowercased() }).count == values.count else {
      throw parser.unreadable
    }
    return try change(&query) { builder in
      .update(try values.map { try $0.written(writer, builder) })
    }
  }

  /// `DELETE FROM Item WHERE …`, `TRUNCATE TABLE Item`
  private func delete() throws -> String {
    let word = parser.take()
    let place = parser.token.span
    if word.isWord("truncate") {
      _ = parser.takeWords("table")
    } else if parser.takeWords("from") {
      parser.mark(.sql, at: place)
    } else if writer.isSQL {
      throw parser.unreadable
    }
    var query = SelectQuery()
    query.from = try parser.table()
    if !writer.isSQL { try parser.joins(of: &query) }
    return try change(&query) { _ in .delete }
  }

  /// The change of the objects that the clauses that follow mean.
  private func change(
    _ query: inout SelectQuery, _ result: (QueryBuilder) throws -> QueryBuilder.Result
  ) throws -> String {
    if writer.isSQL, parser.token.isWord(among: ["from", "using"]) {
      throw parser.refusal("UPDATE … FROM", localized("a path leads to what belongs to it"))
    }
    let start = parser.token.span.start
    let isOfAll = !writer.isSQL && parser.takeWords("all")
    while try parser.clause(of: &query) {}
    query.span = SourceSpan(start, max(start, parser.lastEnd))
    guard query.limit == nil, query.offset == nil, query.order.isEmpty, query.groups.isEmpty,
      query.having == nil, query.columns.isEmpty, query.kept.isEmpty, !query.isDistinct
    else {
      throw writer.missing(
        localized("LIMIT in a change"), localized("let $x = fetch … limit N, and $x in its place"),
        at: query.span)
    }
    if writer.isSQL { try refuseTail() }
    var builder = try SelectWriter.builder(query, writer, isChange: true)
    builder.result = try result(builder)
    if writer.isSQL { return builder.statement }
    // In Kura only `all` means every object of an entity.
    guard builder.statement.hasSuffix(" all") == isOfAll else { throw parser.unreadable }
    return builder.statement + (try actionName())
  }

  /// ` as "Tidy up"`
  private func actionName() throws -> String {
    guard parser.takeWords("as") else { return "" }
    return " as " + StatementText.string(try parser.takeName())
  }
}
