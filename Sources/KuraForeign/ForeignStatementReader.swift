import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// Reads one statement of SQL, or a statement of Kura that contains words of another language.
struct ForeignStatementReader {
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

  /// Words that begin a statement of Kura in which foreign words are possible.
  static let kuraWords: Set = [
    "fetch", "count", "exists", "print", "let", "insert", "update", "delete", "explain",
  ]

  /// Returns the statement, or several in lines.
  func read() throws -> String {
    if writer.isSQL { parser.mark(.sql, at: parser.token.span) }
    let found = try statement()
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    return found
  }

  private func statement() throws -> String {
    let word = parser.token.text.lowercased()
    switch word {
    case "insert": return try insert()
    case "update": return try update()
    case "delete": return try delete()
    default: return try writer.isSQL ? sqlStatement(word) : kuraStatement(word)
    }
  }

  private func sqlStatement(_ word: String) throws -> String {
    if let statement = Self.transactions[word] {
      parser.take()
      parser.takeAll(of: Self.transactionWords)
      if parser.token.isWord("to") { throw parser.refusal("ROLLBACK TO") }
      return statement
    }
    switch word {
    case "select", "(": return try select()
    case "with": return try commonTables()
    case "values":
      parser.take()
      return "print " + (try writer.texts(try rowValues()))
    case "explain":
      let head = explanation()
      _ = parser.takeWords("query", "plan")
      return parser.token.isWord("select") ? head + (try select()) : "describe " + (try entity())
    case "replace": return try insert()
    case "truncate": return try delete()
    case "create": return try create()
    case "drop": return try drop()
    case "alter": return try alter()
    case "describe", "desc", "show", "pragma", "use": return try look(word)
    default:
      try parser.refuse([
        "analyze", "vacuum", "reindex", "savepoint", "release", "grant", "revoke",
      ])
      throw parser.unreadable
    }
  }

  private static let transactions = [
    "begin": "begin", "start": "begin", "commit": "commit", "end": "commit", "rollback": "cancel",
    "abort": "cancel",
  ]

  private static let transactionWords: Set = [
    "transaction", "work", "tran", "immediate", "deferred", "exclusive",
  ]

  private func kuraStatement(_ word: String) throws -> String {
    switch word {
    case "fetch": return try fetch(.objects)
    case "count": return try fetch(.count)
    case "exists": return try fetch(.exists)
    case "explain": return explanation() + (try statement())
    case "print":
      parser.take()
      return "print " + (try writer.texts(try parser.list { try parser.expression() }))
    case "let":
      parser.take()
      let name = try parser.takeName()
      guard name.hasPrefix("$") else { throw parser.unreadable }
      try parser.expect("=")
      let words: Set = ["fetch", "count", "exists", "insert"]
      let isStatement = parser.token.isWord(among: words) && parser.peek().kind == .word
      let value = isStatement ? try statement() : try writer.value(try parser.expression()).text
      return "let \(name) = \(value)"
    default: throw parser.unreadable
    }
  }

  /// Reads `EXPLAIN`, `EXPLAIN ANALYZE`.
  private func explanation() -> String {
    parser.take()
    return parser.takeWords("analyze") ? "explain analyze " : "explain "
  }
}

// Questions
extension ForeignStatementReader {
  private func fetch(_ result: Query.Result) throws -> String {
    parser.take()
    var query = Select(result: result)
    let place = parser.token.span
    if parser.takeWords("from") { parser.mark(.sql, at: place) }
    query.tables = [try parser.table()]
    while try parser.clause(of: &query) {}
    query.span = parser.span(from: place.start)
    return try SelectWriter.query(query, writer).statement
  }

  private func select() throws -> String {
    let isInside = parser.take("(")
    var query = try parser.select()
    if isInside { try parser.expect(")") }
    if query.tables.isEmpty, case .name(let key)? = query.columns.first?.value.kind,
      let owner = names.model.entities.first(where: {
        names.model.property(named: key, of: $0.name) != nil
      })
    {
      // FROM is missing: use the entity that has the key.
      query.tables = [Select.Table(value: Tree(.name(owner.name), query.span))]
    }
    if let from = query.tables.first {
      let catalogues = ["sqlite_master", "sqlite_schema", "tables", "pg_tables", "columns"]
      if catalogues.contains(from.value.lastWord?.lowercased() ?? "") { return "model" }
      return try SelectWriter.query(query, writer).statement
    }
    let values = query.columns.map(\.value)
    guard
      !values.contains(where: { $0.isStar || $0.namedCall?.arguments.first?.value.isStar == true })
    else {
      throw query.span.missing(
        "SELECT", sentence: localized("SELECT does not name an entity"),
        localized("fetch ENTITY returns all objects, count ENTITY their number"))
    }
    guard query.condition == nil, query.limit == nil, query.offset == nil, query.groups.isEmpty
    else { throw query.span.unreadable }
    return "print " + (try writer.texts(values))
  }

  /// `WITH old AS (SELECT * FROM …) SELECT … FROM old`: a variable for each of the tables.
  private func commonTables() throws -> String {
    let refusal = parser.refusal("WITH", localized("let $x = fetch …, then fetch $x"))
    parser.take()
    var lines: [String] = []
    repeat {
      let name = parser.token.text.lowercased()
      guard parser.take().kind == .word, name.isIdentifier, parser.takeWords("as"),
        parser.take("("), parser.token.isWord("select")
      else { throw refusal }
      let inner = try parser.select()
      try parser.expect(")")
      guard !inner.tables.isEmpty else { throw refusal }
      let query = try SelectWriter.query(inner, writer)
      // A variable contains objects, not columns or groups.
      guard query.columns.isEmpty, query.groups.isEmpty, query.result == .objects,
        let entity = query.element.entity, writer.commonTables[name] == nil
      else { throw refusal }
      lines.append("let $\(name) = \(query.statement)")
      writer.commonTables[name] = entity
    } while parser.take(",")
    guard parser.token.isWord("select") else { throw refusal }
    return (lines + [try select()]).joined(separator: "\n")
  }

  /// Reads `SHOW TABLES`, `DESC Item`, `PRAGMA table_info(Item)`, `USE dates`.
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
      let name = try rowValues().first?.lastWord ?? ""
      return "describe " + ModelNames.written(names.entity(name) ?? name)
    case "show":
      if parser.takeWords("tables") || parser.takeWords("databases") { return "model" }
      guard parser.takeWords("columns", "from") || parser.takeWords("create", "table") else {
        throw parser.unreadable
      }
    default: _ = parser.takeWords("table")
    }
    return "describe " + (try entity())
  }

  /// Reads the values of a row: `(1, 'x')`
  private func rowValues() throws -> [Tree] {
    try parser.expect("(")
    return try parser.list(upTo: ")") { try parser.expression() }
  }

  /// Returns the entity that corresponds to a table.
  func entity() throws -> String {
    let name = try parser.lastName()
    return ModelNames.written(names.entity(name) ?? name)
  }
}

// Changes
extension ForeignStatementReader {
  /// Reads `INSERT INTO Item (title) VALUES ('x'), ('y')`: a statement for each row. In a statement
  /// of Kura also `insert Item(title: "x")`, `insert Item title = …`.
  private func insert() throws -> String {
    let word = parser.take()
    if word.isWord("replace") || parser.token.isWord("or") {
      throw parser.refusal(
        localized("\(word.text.uppercased()) of existing objects"),
        localized("insert or update changes the object with the same unique key"))
    }
    if parser.token.isWord("into") { parser.mark(.sql, at: parser.take().span) }
    guard let entity = names.entity(try parser.lastName()) else { throw parser.unreadable }
    let query = Query(of: entity)
    let head = "insert \(query.source) "
    if parser.takeWords("default", "values") { return head + "{}" }
    let isCall = parser.token.is("(") && parser.peek(2).is(":")
    if !writer.isSQL, isCall || parser.peek().kind == .sign && !parser.token.is("("),
      !parser.token.isWord("values")
    {
      if isCall { parser.mark(.swift, at: parser.take().span) }
      let texts = try parser.list { try assignment().write(query) }
      if isCall { try parser.expect(")") }
      return head + texts.joined(separator: ", ") + (try actionName())
    }
    parser.mark(.sql, at: parser.token.span)
    var columns: [String]?
    if parser.take("(") { columns = try parser.list(upTo: ")") { try parser.takeName() } }
    guard parser.takeWords("values") || parser.takeWords("value") else {
      guard parser.token.isWord("select") else { throw parser.unreadable }
      throw parser.refusal(
        "INSERT … SELECT", localized("insert accepts one object's values, or JSON"))
    }
    let rows = try parser.list { try rowValues() }
    try refuseTail()
    return try rows.map { row in
      let texts = try assignments(row, columns, query, entity)
      return head + (texts.isEmpty ? "{}" : texts.joined(separator: ", "))
    }.joined(separator: "\n")
  }

  private func refuseTail() throws {
    if parser.token.isWord("on") {
      throw parser.refusal(
        "ON CONFLICT",
        localized("insert or fetch finds the object with the same unique key, or update changes it")
      )
    }
    try parser.refuse(["returning"])
  }

  /// Returns the values of a row with their keys.
  private func assignments(
    _ row: [Tree], _ columns: [String]?, _ query: Query, _ entity: String
  ) throws -> [String] {
    let keys = columns ?? defaultKeys(of: entity, count: row.count)
    let place = row.first?.span.joined(row.last?.span ?? .none) ?? parser.token.span
    guard keys.count == row.count, !row.isEmpty else {
      throw place.missing(
        "VALUES", sentence: localized("\(row.count) values for \(keys.count) keys"),
        localized("the keys are \(keys.joined(separator: ", "))"))
    }
    return try zip(keys, row).compactMap { key, value in
      // `DEFAULT`, or NULL in a column with generated numbers
      let isIdentity = names.isIdentity(key, of: entity)
      if value.lastWord?.lowercased() == "default" || value.isNull && isIdentity { return nil }
      if isIdentity { throw place.missing(localized("an explicit objectID")) }
      return try writer.assignment(key, value, query.element)
    }
  }

  /// Returns the keys in the order of the model, after the objectID if there is one more value.
  private func defaultKeys(of entity: String, count: Int) -> [String] {
    let attributes = names.model.allAttributes(of: entity).filter { $0.derivation == nil }
      .map(\.name)
    let ways = names.model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    let candidates = [attributes, attributes + ways]
    return candidates.first { $0.count == count }
      ?? candidates.first { $0.count + 1 == count }.map { ["objectID"] + $0 } ?? attributes + ways
  }

  /// Reads `title = "x"`; in a statement of Kura also `tags += Tag/1`, `minutes + 1`, `minutes++`,
  /// `title: "x"`. The returned function writes it for the objects of a query.
  private func assignment() throws -> (key: String, write: (Query) throws -> String) {
    let place = parser.token.span
    let key = try parser.lastName()
    var sign = parser.take()
    let value: Tree
    if sign.is("=") || !writer.isSQL && ["+=", "-=", ":"].contains(sign.text) {
      value = try parser.expression()
    } else {
      guard !writer.isSQL, ["+", "-", "*", "/"].contains(sign.text) else {
        throw sign.span.unreadable
      }
      parser.mark(.swift, at: sign.span)
      let one = Tree(.number("1"), sign.span)
      let amount = parser.take(sign.text) ? one : try parser.expression(.product)
      value = Tree(.name(key), place).infix(sign.text, amount)
      sign.text = "="
    }
    if sign.is(":") { sign.text = "=" }
    return (key, { [sign] in try writer.assignment(key, value, $0.element, sign: sign.text) })
  }

  /// Reads `UPDATE Item SET done = TRUE WHERE …`.
  private func update() throws -> String {
    parser.take()
    var query = Select(tables: [try parser.table()])
    try parser.joins(of: &query)
    try parser.expectWord("set")
    var values = [try assignment()]
    while parser.take(","), writer.isSQL || !parser.token.isWord("where") {
      values.append(try assignment())
    }
    guard Set(values.map { $0.key.lowercased() }).count == values.count else {
      throw parser.unreadable
    }
    return try change(&query) { changed in .update(try values.map { try $0.write(changed) }) }
  }

  /// Reads `DELETE FROM Item WHERE …`, `TRUNCATE TABLE Item`.
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
    var query = Select(tables: [try parser.table()])
    return try change(&query) { _ in .delete }
  }

  /// Returns the change of the objects that the following clauses select.
  private func change(
    _ query: inout Select, _ result: (Query) throws -> Query.Result
  ) throws -> String {
    if writer.isSQL, parser.token.isWord(among: ["from", "using"]) {
      throw parser.refusal(
        "UPDATE … FROM", localized("use a key path for values of related objects"))
    }
    let start = parser.token.span.start
    let isOfAll = !writer.isSQL && parser.takeWords("all")
    while try parser.clause(of: &query) {}
    query.span = parser.span(from: start)
    guard query.limit == nil, query.offset == nil, query.order.isEmpty, query.groups.isEmpty,
      query.having == nil, query.columns.isEmpty, query.unchangedClauses.isEmpty, !query.isDistinct
    else {
      throw query.span.missing(
        localized("LIMIT in an update or delete"),
        localized("let $x = fetch … limit N, then update or delete $x"))
    }
    if writer.isSQL { try refuseTail() }
    var changed = try SelectWriter.query(query, writer, isChange: true)
    changed.result = try result(changed)
    if writer.isSQL { return changed.statement }
    // In Kura only `all` means every object of an entity.
    guard changed.statement.hasSuffix(" all") == isOfAll else { throw parser.unreadable }
    return changed.statement + (try actionName())
  }

  /// Reads ` as "Tidy up"`.
  private func actionName() throws -> String {
    guard parser.takeWords("as") else { return "" }
    return " as " + StatementText.string(try parser.takeName())
  }
}

// Values of keys
extension ExpressionWriter {
  /// Writes `title = "x"`.
  func assignment(
    _ key: String, _ tree: Tree, _ object: Snippet, sign: String = "="
  ) throws -> String {
    try asking(object) {
      let owner = try value(Tree.path(key, tree.span))
      return "\(owner.text) \(sign) \(try assigned(tree, to: owner))"
    }
  }

  /// Returns a value as the type of a key: `1` as YES, the number of a category as the category.
  func assigned(_ tree: Tree, to key: Snippet) throws -> String {
    let written = try operand(tree)
    if written.isPredicate { return "TERNARY(\(written.text), YES, NO)" }
    return adapted(written, tree, to: Snippet(key.text, key.type)).text
  }
}
