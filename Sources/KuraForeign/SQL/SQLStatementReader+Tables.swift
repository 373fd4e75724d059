import KuraDiagnostics
import KuraModel
import KuraSentences

// CREATE TABLE, ALTER TABLE, DROP TABLE.
extension SQLStatementReader {
  func create() throws(ForeignProblem) -> String {
    parser.take()
    let isUnique = parser.token.isWord("unique")
    while parser.token.isWord(among: ["temp", "temporary", "unique", "or", "replace"]) {
      parser.take()
    }
    if parser.takeWords("table") { return try createTable() }
    switch parser.token.text.lowercased() {
    case "index" where isUnique:
      throw missing(
        "CREATE UNIQUE INDEX",
        localized("unique stands behind a key, or as unique (…) in the entity"))
    case "index": return try createIndex()
    case "view": throw missing("CREATE VIEW", localized("request NAME = fetch … keeps a fetch"))
    case "database", "schema":
      throw missing("CREATE DATABASE", localized("save \"FILE\" makes a store"))
    default: throw missing("CREATE " + parser.token.text.uppercased())
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
    let keys = try parser.list { () throws(ForeignProblem) in try indexKey(of: entity(table)) }
    try parser.expect(")")
    while !parser.isAtEnd, !parser.token.is(";") { parser.take() }
    let list = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
    return "alter entity \(entity(table)) add index \(list)"
  }

  private func indexKey(of entity: String) throws(ForeignProblem) -> String {
    let name = try parser.takeName()
    if parser.takeWords("collate") { parser.take() }
    let key = ModelNames.written(names.key(name, of: entity)?.name ?? name)
    if parser.takeWords("asc") { return key }
    return parser.takeWords("desc") ? key + " desc" : key
  }

  private func createTable() throws(ForeignProblem) -> String {
    _ = parser.takeWords("if", "not", "exists")
    let name = try tableName()
    try parser.expect("(")
    var table = NewTable(name: name)
    repeat { try element(of: &table) } while parser.take(",")
    try parser.expect(")")
    while !parser.isAtEnd, !parser.token.is(";") { parser.take() }
    return table.statement
  }

  private func element(of table: inout NewTable) throws(ForeignProblem) {
    if parser.takeWords("constraint") { _ = try parser.takeName() }
    if parser.takeWords("primary", "key") {
      try addKeys(to: &table, isPrimary: true)
    } else if parser.token.isWord("unique"), parser.peek().is("(") {
      parser.take()
      try addKeys(to: &table, isPrimary: false)
    } else if parser.takeWords("foreign", "key") {
      let keys = try keyNames()
      let destination = try reference()
      for key in keys { table.link(key, to: destination) }
    } else if parser.token.isWord(among: ["check", "index", "key"]), parser.peek().is("(") {
      throw missing(
        localized("\(parser.token.text.uppercased()) of a table"),
        localized("check (…) stands behind a key"))
    } else {
      table.columns.append(try column())
    }
  }

  private func addKeys(to table: inout NewTable, isPrimary: Bool) throws(ForeignProblem) {
    let keys = try keyNames()
    if isPrimary, keys.count == 1, let i = table.columns.firstIndex(where: { $0.name == keys[0] }) {
      table.columns[i].isPrimary = true
    } else {
      table.uniqueKeys.append(keys)
    }
  }

  private func keyNames() throws(ForeignProblem) -> [String] {
    try parser.expect("(")
    let names = try parser.list { () throws(ForeignProblem) in try parser.takeName() }
    try parser.expect(")")
    return names
  }

  /// `REFERENCES Category(id) ON DELETE CASCADE`
  private func reference() throws(ForeignProblem) -> String {
    try parser.expectWord("references")
    let name = try tableName()
    if parser.token.is("(") { parser.skipBrackets() }
    while parser.takeWords("on") {
      parser.take()
      while parser.token.isWord(among: [
        "cascade", "set", "null", "restrict", "no", "action", "default",
      ]) {
        parser.take()
      }
    }
    return names.entity(name) ?? name
  }

  /// `title VARCHAR(80) NOT NULL DEFAULT 'x'`
  func column() throws(ForeignProblem) -> NewTable.Column {
    var column = NewTable.Column(name: try parser.takeName())
    try readType(of: &column)
    while try readRule(of: &column) {}
    return column
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

  private func readRule(of column: inout NewTable.Column) throws(ForeignProblem) -> Bool {
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
      let value = try parser.expression(.unary)
      let owner = Written(column.name, WrittenType(column.type))
      column.defaultValue = try writer.assigned(value, to: owner)
    } else if parser.token.isWord("check") {
      parser.take()
      column.check = try writer.predicate(try parser.expression(.unary)).text
    } else if parser.token.isWord("references") {
      column.destination = try reference()
    } else if parser.takeWords("collate") {
      parser.take()
    } else {
      return false
    }
    return true
  }
}

extension SQLStatementReader {
  func drop() throws(ForeignProblem) -> String {
    parser.take()
    guard parser.takeWords("table") else {
      let isIndex = parser.token.isWord("index")
      throw missing(
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
    if parser.takeWords("rename") { return try rename(head) }
    guard parser.takeWords("modify") || parser.takeWords("alter") || parser.takeWords("change")
    else {
      throw missing("ALTER TABLE … " + parser.token.text.uppercased())
    }
    _ = parser.takeWords("column")
    let name = try parser.takeName()
    if !(parser.takeWords("set", "data", "type") || parser.takeWords("type")),
      parser.token.isWord("set")
    {
      throw missing("SET", localized("alter entity … change KEY: TYPE says the key anew"))
    }
    var column = NewTable.Column(name: name)
    try readType(of: &column)
    while try readRule(of: &column) {}
    return "\(head) change \(column.written)"
  }

  private func rename(_ head: String) throws(ForeignProblem) -> String {
    if parser.takeWords("to") {
      return "\(head) rename to \(ModelNames.written(try parser.takeName()))"
    }
    _ = parser.takeWords("column")
    let old = ModelNames.written(try parser.takeName())
    try parser.expectWord("to")
    return "\(head) rename \(old) to \(ModelNames.written(try parser.takeName()))"
  }
}
