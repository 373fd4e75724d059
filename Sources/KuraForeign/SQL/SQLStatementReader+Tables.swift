import KuraDiagnostics
import KuraModel
import KuraSentences

// CREATE TABLE, ALTER TABLE, DROP TABLE
extension SQLStatementReader {
  func create() throws(ForeignProblem) -> String {
    parser.take()
    let isUnique = parser.token.isWord("unique")
    while parser.token.isWord(among: ["temp", "temporary", "unique"]) { parser.take() }
    let word = parser.token.text.uppercased()
    switch word {
    case "TABLE":
      parser.take()
      return try createTable()
    case "INDEX" where isUnique:
      throw parser.refusal(
        "CREATE UNIQUE INDEX",
        localized("unique stands behind a key, or as unique (…) in the entity"))
    case "INDEX": return try createIndex()
    case "VIEW":
      throw parser.refusal("CREATE VIEW", localized("request NAME = fetch … keeps a fetch"))
    case "DATABASE", "SCHEMA":
      throw parser.refusal("CREATE DATABASE", localized("save \"FILE\" makes a store"))
    default: throw parser.refusal("CREATE " + word)
    }
  }

  /// `CREATE INDEX i ON Item (category, due DESC)`
  private func createIndex() throws(ForeignProblem) -> String {
    parser.take()
    _ = parser.takeWords("if", "not", "exists")
    if !parser.token.isWord("on") { _ = try parser.takeName() }
    try parser.expectWord("on")
    let table = try tableName()
    if parser.takeWords("using") { parser.take() }
    try parser.expect("(")
    let keys = try parser.list(upTo: ")") { () throws(ForeignProblem) in
      let name = try parser.takeName()
      if parser.token.isWord("collate") { throw parser.refusal("COLLATE") }
      let key = ModelNames.written(names.key(name, of: entity(table))?.name ?? name)
      if parser.takeWords("asc") { return key }
      return parser.takeWords("desc") ? key + " desc" : key
    }
    if parser.token.isWord("where") {
      throw parser.refusal(localized("an index of a part of the objects"))
    }
    let list = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
    return "alter entity \(entity(table)) add index \(list)"
  }

  private func createTable() throws(ForeignProblem) -> String {
    _ = parser.takeWords("if", "not", "exists")
    var table = NewTable(name: try tableName())
    try parser.expect("(")
    repeat { try element(of: &table) } while parser.take(",")
    try parser.expect(")")
    // `STRICT`, `ENGINE=InnoDB`: how a database stores the table.
    while !parser.isAtEnd, !parser.token.is(";") { parser.take() }
    return table.statement
  }

  private func element(of table: inout NewTable) throws(ForeignProblem) {
    if parser.takeWords("constraint") { _ = try parser.takeName() }
    if parser.takeWords("primary", "key") {
      let keys = try keyNames()
      if keys.count == 1, let i = table.columns.firstIndex(where: { $0.name == keys[0] }) {
        table.columns[i].isPrimary = true
      } else {
        table.uniqueKeys.append(keys)
      }
    } else if parser.token.isWord("unique"), parser.peek().is("(") {
      parser.take()
      table.uniqueKeys.append(try keyNames())
    } else if parser.takeWords("foreign", "key") {
      let keys = try keyNames()
      let destination = try reference()
      guard keys.count == 1 else {
        throw parser.refusal(localized("a foreign key of several columns"))
      }
      table.link(keys[0], to: destination)
    } else if parser.token.isWord(among: ["check", "index", "key"]), parser.peek().is("(") {
      throw parser.refusal(
        localized("\(parser.token.text.uppercased()) of a table"),
        localized("check (…) stands behind a key"))
    } else {
      table.columns.append(try column())
    }
  }

  private func keyNames() throws(ForeignProblem) -> [String] {
    try parser.expect("(")
    return try parser.list(upTo: ")") { () throws(ForeignProblem) in try parser.takeName() }
  }

  /// `REFERENCES Category(id) ON DELETE SET NULL`
  private func reference() throws(ForeignProblem) -> String {
    try parser.expectWord("references")
    let name = try tableName()
    if parser.token.is("(") { parser.skipBrackets() }
    while parser.takeWords("on") {
      let isDeletion = parser.token.isWord("delete")
      guard isDeletion || parser.token.isWord("update") else { throw parser.unreadable }
      parser.take()
      // The rule belongs to the relationship that leads back.
      guard parser.takeWords("set", "null") || parser.takeWords("no", "action") || !isDeletion
      else {
        throw parser.refusal(
          "ON DELETE " + parser.token.text.uppercased(),
          localized("the relationship of the other entity has the rule: delete cascade"))
      }
      if !isDeletion { parser.take() }
    }
    return names.entity(name) ?? name
  }

  /// `title VARCHAR(80) NOT NULL DEFAULT 'x'`
  private func column() throws(ForeignProblem) -> NewTable.Column {
    var column = NewTable.Column(name: try parser.takeName())
    try readRest(of: &column)
    return column
  }

  private func readRest(of column: inout NewTable.Column) throws(ForeignProblem) {
    try readType(of: &column)
    var check: ForeignExpression?
    while try readRule(of: &column, &check) {}
    guard let check else { return }
    let condition = try writer.predicate(check)
    // What is unknown passes a check.
    let isKnown = column.isRequired || column.isPrimary
    column.check =
      isKnown
      ? condition.text : "\(ModelNames.written(column.name)) == NULL OR \(condition.text(in: .or))"
  }

  private func readType(of column: inout NewTable.Column) throws(ForeignProblem) {
    guard parser.token.kind == .word, !parser.token.isWord(among: NewTable.ruleWords) else {
      return
    }
    let place = parser.token.span
    let word = parser.take().text.lowercased()
    while parser.token.isWord(among: [
      "precision", "varying", "unsigned", "with", "time", "zone", "without",
    ]) {
      parser.take()
    }
    guard let type = NewTable.types[word] else {
      throw .noCounterpart(
        NoCounterpart(
          localized("the type \(word.uppercased())"),
          instead: localized("string, integer, double, decimal, date, boolean")),
        place)
    }
    column.type = type
    column.isSerial = word.hasSuffix("serial")
    guard parser.token.is("(") else { return }
    if type == .string { column.length = parser.peek().text }
    parser.skipBrackets()
  }

  private func readRule(
    of column: inout NewTable.Column, _ check: inout ForeignExpression?
  ) throws(ForeignProblem) -> Bool {
    if parser.takeWords("not", "null") {
      column.isRequired = true
    } else if parser.takeWords("null") {
      column.isRequired = false
    } else if parser.takeWords("primary", "key") {
      column.isPrimary = true
      while parser.token.isWord(among: ["asc", "desc"]) { parser.take() }
    } else if parser.takeWords("autoincrement") || parser.takeWords("auto_increment") {
      column.isSerial = true
    } else if parser.takeWords("unique") {
      column.isUnique = true
    } else if parser.takeWords("default") {
      let owner = Written(column.name, WrittenType(column.type))
      column.defaultValue = try writer.assigned(try parser.expression(.unary), to: owner)
    } else if parser.takeWords("check") {
      guard check == nil else { throw parser.unreadable }
      check = try parser.expression(.unary)
    } else if parser.token.isWord("references") {
      column.destination = try reference()
    } else if parser.token.isWord("collate") {
      parser.take()
      if try !parser.collation().isEmpty { throw parser.refusal("COLLATE") }
    } else {
      return false
    }
    return true
  }

  func drop() throws(ForeignProblem) -> String {
    parser.take()
    guard parser.takeWords("table") else {
      let isIndex = parser.token.isWord("index")
      throw parser.refusal(
        "DROP " + parser.token.text.uppercased(),
        isIndex ? localized("alter entity NAME drop index KEY") : nil)
    }
    _ = parser.takeWords("if", "exists")
    let name = entity(try tableName())
    _ = parser.takeWords("cascade") || parser.takeWords("restrict")
    return "drop entity \(name) all"
  }

  /// `ALTER TABLE Item ADD COLUMN note TEXT`
  func alter() throws(ForeignProblem) -> String {
    parser.take()
    try parser.expectWord("table")
    let head = "alter entity " + entity(try tableName())
    if parser.takeWords("add") {
      _ = parser.takeWords("column")
      return "\(head) add \(try column().written)"
    }
    if parser.takeWords("drop") {
      _ = parser.takeWords("column")
      return "\(head) drop \(ModelNames.written(try parser.takeName()))"
    }
    if parser.takeWords("rename") {
      if parser.takeWords("to") {
        return "\(head) rename to \(ModelNames.written(try parser.takeName()))"
      }
      _ = parser.takeWords("column")
      let old = ModelNames.written(try parser.takeName())
      try parser.expectWord("to")
      return "\(head) rename \(old) to \(ModelNames.written(try parser.takeName()))"
    }
    guard parser.takeWords("modify") || parser.takeWords("alter") || parser.takeWords("change")
    else { throw parser.refusal("ALTER TABLE … " + parser.token.text.uppercased()) }
    _ = parser.takeWords("column")
    var column = NewTable.Column(name: try parser.takeName())
    if !(parser.takeWords("set", "data", "type") || parser.takeWords("type")),
      parser.token.isWord("set")
    {
      throw parser.refusal("SET", localized("alter entity … change KEY: TYPE says the key anew"))
    }
    try readRest(of: &column)
    return "\(head) change \(column.written)"
  }
}
