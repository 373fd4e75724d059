import KuraDiagnostics
import KuraModel
import KuraSentences

/// A column of CREATE TABLE, as a line of an entity.
private struct NewColumn {
  let name: String
  var type = AttributeType.string
  /// The digits in `VARCHAR(80)`.
  var length: String?
  var isRequired = false
  var isUnique = false
  /// Whether it is the number that every object has as its `objectID`.
  var isIdentity = false
  var defaultValue: String?
  var check: Snippet?
  /// The destination, if it is a foreign key.
  var destination: String?

  init(_ name: String) { self.name = name }

  mutating func makePrimary() {
    (isRequired, isUnique, isIdentity) = (true, true, isIdentity || type == .integer)
  }

  /// `title: string max 80`
  var written: String {
    let end = isRequired ? "" : "?"
    let ours = ModelNames.written(name)
    if let destination {
      // `category` for `category_id`
      let ending = ["_id", "Id", "ID"].first { name.hasSuffix($0) && name.count > $0.count }
      let way = ModelNames.written(String(name.dropLast(ending?.count ?? 0)))
      return "\(way): \(ModelNames.written(destination))\(end)"
    }
    var text = "\(ours): \(type.rawValue)\(defaultValue == nil ? end : "")"
    if let defaultValue, defaultValue != "NULL" { text += " = \(defaultValue)" }
    if let length, Int(length) != nil { text += " max \(length)" }
    if isUnique { text += " unique" }
    guard let check else { return text }
    // In SQL, a check passes if it is unknown.
    return text
      + " check (\(isRequired ? check.text : "\(ours) == NULL OR \(check.text(in: .or))"))"
  }

  static let ruleWords: Set = [
    "not", "null", "primary", "unique", "default", "check", "references", "collate", "constraint",
    "autoincrement",
  ]

  static let types: [String: AttributeType] = [
    "int": .integer, "integer": .integer, "bigint": .integer, "serial": .integer,
    "bigserial": .integer, "smallint": .integer16, "tinyint": .integer16, "mediumint": .integer32,
    "text": .string, "varchar": .string, "char": .string, "character": .string,
    "nvarchar": .string, "nchar": .string, "clob": .string, "string": .string,
    "boolean": .boolean, "bool": .boolean, "bit": .boolean, "real": .double, "double": .double,
    "float": .double, "numeric": .decimal, "decimal": .decimal, "date": .date, "datetime": .date,
    "timestamp": .date, "timestamptz": .date, "time": .date, "uuid": .uuid, "blob": .binary,
    "bytea": .binary, "json": .json, "jsonb": .json,
  ]
}

// CREATE TABLE, ALTER TABLE, DROP TABLE
extension ForeignStatementReader {
  func create() throws -> String {
    parser.take()
    let words = parser.takeAll(of: ["temp", "temporary", "unique"])
    let word = parser.token.text.uppercased()
    switch word {
    case "TABLE": return try createTable()
    case "INDEX" where !words.contains("unique"): return try createIndex()
    case "INDEX":
      throw parser.refusal(
        "CREATE UNIQUE INDEX",
        localized("write unique after a key, or unique (…) in the entity"))
    case "VIEW":
      throw parser.refusal(
        "CREATE VIEW", localized("request NAME = fetch … stores a fetch under a name"))
    case "DATABASE", "SCHEMA":
      throw parser.refusal("CREATE DATABASE", localized("save \"FILE\" creates a store"))
    default: throw parser.refusal("CREATE " + word)
    }
  }

  /// Reads `CREATE INDEX i ON Item (category, due DESC)`.
  private func createIndex() throws -> String {
    parser.take()
    _ = parser.takeWords("if", "not", "exists")
    if !parser.token.isWord("on") { _ = try parser.takeName() }
    try parser.expectWord("on")
    let entity = try entity()
    if parser.takeWords("using") { parser.take() }
    try parser.expect("(")
    let keys = try parser.list(upTo: ")") {
      let name = try parser.takeName()
      if parser.token.isWord("collate") { throw parser.refusal("COLLATE") }
      let key = ModelNames.written(names.key(name, of: entity)?.name ?? name)
      return parser.takeWords("asc") || !parser.takeWords("desc") ? key : key + " desc"
    }
    if parser.token.isWord("where") {
      throw parser.refusal(localized("a partial index"))
    }
    let list = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
    return "alter entity \(entity) add index \(list)"
  }

  private func createTable() throws -> String {
    parser.take()
    _ = parser.takeWords("if", "not", "exists")
    let name = try parser.lastName()
    var (columns, unique) = ([NewColumn](), [String]())
    try parser.expect("(")
    repeat {
      if try !tableRule(&columns, &unique) { columns.append(try column()) }
    } while parser.take(",")
    try parser.expect(")")
    // Options of storage, which are skipped: `STRICT`, `ENGINE=InnoDB`
    while !parser.isAtEnd, !parser.token.is(";") { parser.take() }
    let lines = columns.filter { !$0.isIdentity }.map(\.written) + unique
    return "entity \(ModelNames.written(name)) { \(lines.joined(separator: "; ")) }"
  }

  /// Reads `PRIMARY KEY (a, b)`, `UNIQUE (a)`, `FOREIGN KEY (a) REFERENCES b`; returns false if
  /// none comes next.
  private func tableRule(_ columns: inout [NewColumn], _ unique: inout [String]) throws -> Bool {
    if parser.takeWords("constraint") { _ = try parser.takeName() }
    let word = parser.token.text
    let isForeign = parser.takeWords("foreign", "key")
    let isPrimary = parser.takeWords("primary", "key")
    if !isForeign, !isPrimary {
      guard parser.peek().is("("),
        parser.token.isWord(among: ["unique", "check", "index", "key"])
      else { return false }
      if !parser.takeWords("unique") {
        throw parser.refusal(
          localized("a table-level \(word.uppercased())"), localized("write check (…) after a key"))
      }
    }
    try parser.expect("(")
    let keys = try parser.list(upTo: ")") { try parser.takeName() }
    let destination = isForeign ? try reference() : nil
    let place = keys.count == 1 ? columns.firstIndex { $0.name == keys[0] } : nil
    if let destination {
      guard let place else { throw parser.refusal(localized("a foreign key on several columns")) }
      columns[place].destination = destination
    } else if let place, isPrimary {
      columns[place].makePrimary()
    } else {
      unique.append("unique (\(keys.map(ModelNames.written).joined(separator: ", ")))")
    }
    return true
  }

  /// Reads `REFERENCES Category(id) ON DELETE SET NULL`.
  private func reference() throws -> String {
    try parser.expectWord("references")
    let name = try parser.lastName()
    if parser.token.is("(") { parser.skipBrackets() }
    while parser.takeWords("on") {
      let isUpdate = parser.takeWords("update")
      guard isUpdate || parser.takeWords("delete") else { throw parser.unreadable }
      if parser.takeWords("set", "null") || parser.takeWords("no", "action") { continue }
      guard isUpdate else {
        // In Kura, the rule belongs to the inverse relationship.
        throw parser.refusal(
          "ON DELETE " + parser.token.text.uppercased(),
          localized("put the rule on the other entity's relationship: delete cascade"))
      }
      parser.take()
    }
    return names.entity(name) ?? name
  }

  /// Reads `title VARCHAR(80) NOT NULL DEFAULT 'x'`.
  private func column() throws -> NewColumn {
    var column = NewColumn(try parser.takeName())
    if parser.token.kind == .word, !parser.token.isWord(among: NewColumn.ruleWords) {
      let word = parser.take()
      parser.takeAll(of: ["precision", "varying", "unsigned", "with", "time", "zone", "without"])
      guard let type = NewColumn.types[word.text.lowercased()] else {
        throw word.span.missing(
          localized("the type \(word.text.uppercased())"),
          localized("use string, integer, double, decimal, date or boolean"))
      }
      column.type = type
      column.isIdentity = word.text.lowercased().hasSuffix("serial")
      if parser.token.is("(") {
        if type == .string { column.length = parser.peek().text }
        parser.skipBrackets()
      }
    }
    while try readRule(of: &column) {}
    return column
  }

  private func readRule(of column: inout NewColumn) throws -> Bool {
    if parser.takeWords("not", "null") {
      column.isRequired = true
    } else if parser.takeWords("primary", "key") {
      column.makePrimary()
      _ = parser.takeWords("asc") || parser.takeWords("desc")
    } else if parser.takeWords("autoincrement") || parser.takeWords("auto_increment") {
      column.isIdentity = true
    } else if parser.takeWords("unique") {
      column.isUnique = true
    } else if parser.takeWords("default") {
      let owner = Snippet(column.name, SnippetType(column.type))
      column.defaultValue = try writer.assigned(try parser.expression(.unary), to: owner)
    } else if parser.takeWords("check") {
      guard column.check == nil else { throw parser.unreadable }
      column.check = try writer.predicate(try parser.expression(.unary))
    } else if parser.token.isWord("references") {
      column.destination = try reference()
    } else if parser.takeWords("collate") {
      if try !parser.collation().isEmpty { throw parser.refusal("COLLATE") }
    } else {
      return parser.takeWords("null")
    }
    return true
  }

  func drop() throws -> String {
    parser.take()
    guard parser.takeWords("table") else {
      let instead =
        parser.token.isWord("index") ? localized("alter entity NAME drop index KEY") : nil
      throw parser.refusal("DROP " + parser.token.text.uppercased(), instead)
    }
    _ = parser.takeWords("if", "exists")
    let name = try entity()
    parser.takeAll(of: ["cascade", "restrict"])
    return "drop entity \(name) all"
  }

  /// Reads `ALTER TABLE Item ADD COLUMN note TEXT`.
  func alter() throws -> String {
    parser.take()
    try parser.expectWord("table")
    let head = "alter entity " + (try entity())
    let word = parser.take()
    let isTo = word.isWord("rename") && parser.takeWords("to")
    let isOfColumn = parser.takeWords("column")
    let rules: Set = ["constraint", "unique", "check", "primary", "foreign", "index", "key"]
    let isOfRule = !isOfColumn && parser.token.isWord(among: rules)
    switch word.text.lowercased() {
    case "add" where isOfRule, "drop" where isOfRule:
      throw word.span.missing(
        "ALTER TABLE … \(word.text.uppercased()) \(parser.token.text.uppercased())",
        localized("alter entity … change KEY: TYPE redefines the key"))
    case "add": return "\(head) add \(try column().written)"
    case "drop": return "\(head) drop \(ModelNames.written(try parser.takeName()))"
    case "rename":
      let name = ModelNames.written(try parser.takeName())
      if isTo { return "\(head) rename to \(name)" }
      try parser.expectWord("to")
      return "\(head) rename \(name) to \(ModelNames.written(try parser.takeName()))"
    default:
      throw word.span.missing(
        "ALTER TABLE … " + word.text.uppercased(),
        localized("alter entity … change KEY: TYPE redefines the key"))
    }
  }
}
