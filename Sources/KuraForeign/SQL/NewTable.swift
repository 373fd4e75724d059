import KuraModel

/// A table of CREATE TABLE, as an entity.
struct NewTable {
  let name: String
  var columns: [Column] = []
  var uniqueKeys: [[String]] = []

  struct Column {
    let name: String
    var type = AttributeType.string
    /// The digits in `VARCHAR(80)`.
    var length: String?
    var isRequired = false
    var isPrimary = false
    /// Whether the database counts it on.
    var isSerial = false
    var isUnique = false
    var defaultValue: String?
    var check: String?
    /// The entity that it leads to.
    var destination: String?
  }

  init(name: String) { self.name = name }

  mutating func link(_ key: String, to destination: String) {
    for i in columns.indices where columns[i].name == key { columns[i].destination = destination }
  }
}

extension NewTable {
  static let ruleWords: Set = [
    "not", "null", "primary", "unique", "default", "check", "references", "collate", "constraint",
    "autoincrement",
  ]

  static let types: [String: AttributeType] = [
    "int": .integer, "integer": .integer, "bigint": .integer, "serial": .integer,
    "bigserial": .integer, "smallint": .integer16, "tinyint": .integer16, "mediumint": .integer32,
    "text": .string, "varchar": .string, "char": .string, "character": .string,
    "nvarchar": .string, "nchar": .string, "clob": .string, "string": .string, "varchar2": .string,
    "boolean": .boolean, "bool": .boolean, "bit": .boolean, "real": .double, "double": .double,
    "float": .double, "numeric": .decimal, "decimal": .decimal, "number": .decimal,
    "money": .decimal, "date": .date, "datetime": .date, "timestamp": .date, "timestamptz": .date,
    "time": .date, "uuid": .uuid, "uniqueidentifier": .uuid, "blob": .binary, "bytea": .binary,
    "json": .json, "jsonb": .json,
  ]

  var statement: String {
    let lines =
      columns.filter { !$0.isIdentity }.map(\.written)
      + uniqueKeys.map { "unique (\($0.map(ModelNames.written).joined(separator: ", ")))" }
    return "entity \(ModelNames.written(name)) { \(lines.joined(separator: "; ")) }"
  }
}

extension NewTable.Column {
  /// Whether it is what every object has anyway: `objectID`.
  var isIdentity: Bool { isPrimary && (type == .integer || isSerial) || isSerial }

  /// `title: string max 80`
  var written: String {
    let end = isRequired || isPrimary ? "" : "?"
    if let destination { return "\(relationshipName): \(ModelNames.written(destination))\(end)" }
    var text = "\(ModelNames.written(name)): \(type.rawValue)"
    text += defaultValue == nil ? end : ""
    if let defaultValue, defaultValue != "NULL" { text += " = \(defaultValue)" }
    if let length, Int(length) != nil { text += " max \(length)" }
    if isUnique || isPrimary { text += " unique" }
    if let check { text += " check (\(check))" }
    return text
  }

  /// `category` for `category_id`
  private var relationshipName: String {
    for end in ["_id", "Id", "ID"] where name.hasSuffix(end) && name.count > end.count {
      return ModelNames.written(String(name.dropLast(end.count)))
    }
    return ModelNames.written(name)
  }
}
