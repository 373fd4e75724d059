import KuraDiagnostics
import KuraModel
import KuraSentences

// INSERT, UPDATE, DELETE.
extension SQLStatementReader {
  /// `INSERT INTO Item (title) VALUES ('x'), ('y')`: a statement for each row.
  func insert() throws(ForeignProblem) -> [String] {
    let word = parser.take()
    if word.isWord("replace") || parser.token.isWord("or") {
      throw missing(
        localized("\(word.text.uppercased()) of what is there"), localized("update changes it"))
    }
    _ = parser.takeWords("into")
    let name = try tableName()
    guard let entity = names.entity(name) else { throw parser.unreadable }
    if parser.takeWords("default", "values") { return ["insert \(ModelNames.written(entity)) {}"] }
    let columns = try columnNames()
    guard parser.takeWords("values") || parser.takeWords("value") else {
      if parser.token.isWord("select") {
        throw missing(
          "INSERT … SELECT", localized("insert takes the values of one object, or JSON"))
      }
      throw parser.unreadable
    }
    let rows = try parser.list { () throws(ForeignProblem) in try rowValues() }
    try refuseTail()
    var statements: [String] = []
    for row in rows { statements.append(try insert(row, columns, entity)) }
    return statements
  }

  private func columnNames() throws(ForeignProblem) -> [String]? {
    guard parser.token.is("(") else { return nil }
    parser.take()
    let names = try parser.list { () throws(ForeignProblem) in try parser.takeName() }
    try parser.expect(")")
    return names
  }

  private func refuseTail() throws(ForeignProblem) {
    if parser.token.isWord("on") {
      throw missing(
        "ON CONFLICT", localized("update changes what is there, insert makes what is new"))
    }
    if parser.token.isWord("returning") {
      throw missing("RETURNING", localized("the answer names the new objects"))
    }
  }

  private func insert(
    _ row: [ForeignExpression], _ columns: [String]?, _ entity: String
  ) throws(ForeignProblem) -> String {
    let keys = columns ?? defaultKeys(of: entity, count: row.count)
    guard keys.count == row.count, let last = row.last else {
      let span = row.first?.span ?? parser.token.span
      throw .noCounterpart(
        NoCounterpart(
          "VALUES", sentence: localized("\(row.count) values stand for \(keys.count) keys"),
          instead: localized("the keys are \(keys.joined(separator: ", "))")),
        span.joined(row.last?.span ?? span))
    }
    _ = last
    let query = QueryBuilder(ModelNames.written(entity), of: entity)
    var assignments: [String] = []
    for (key, value) in zip(keys, row) where !isDefault(value, key, entity) {
      assignments.append(try writer.assignment(key, value, query))
    }
    guard !assignments.isEmpty else { return "insert \(query.source) {}" }
    return "insert \(query.source) \(assignments.joined(separator: ", "))"
  }

  /// `DEFAULT`, and the NULL from which a database makes a number.
  private func isDefault(_ tree: ForeignExpression, _ key: String, _ entity: String) -> Bool {
    switch tree.kind {
    case .name(let word): word.lowercased() == "default"
    case .null: names.key(key, of: entity)?.name == "objectID"
    default: false
    }
  }

  /// The keys in the model's order, with the identity before them if there is a value more.
  private func defaultKeys(of entity: String, count: Int) -> [String] {
    let attributes = names.model.allAttributes(of: entity).filter { $0.derivation == nil }.map(
      \.name)
    let ways = names.model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
    let candidates = [attributes, attributes + ways]
    if let exact = candidates.first(where: { $0.count == count }) { return exact }
    return candidates.first { $0.count + 1 == count }.map { ["objectID"] + $0 } ?? attributes + ways
  }
}

extension SQLStatementReader {
  /// `UPDATE Item SET done = TRUE WHERE …`
  func update() throws(ForeignProblem) -> String {
    parser.take()
    let (target, condition) = try changed { () throws(ForeignProblem) in
      try parser.expectWord("set")
      return try parser.list { () throws(ForeignProblem) in try assignment() }
    }
    var builder = target
    var texts: [String] = []
    for (key, value) in condition { texts.append(try writer.assignment(key, value, target)) }
    builder.result = .update(texts)
    return builder.statement
  }

  private func assignment() throws(ForeignProblem) -> (String, ForeignExpression) {
    var key = try parser.takeName()
    while parser.take(".") { key = try parser.takeName() }
    try parser.expect("=")
    return (key, try parser.expression())
  }

  /// `DELETE FROM Item WHERE …`, `TRUNCATE TABLE Item`
  func delete() throws(ForeignProblem) -> String {
    if parser.take().isWord("truncate") { _ = parser.takeWords("table") }
    _ = parser.takeWords("from")
    var (target, _) = try changed { () throws(ForeignProblem) in [(String, ForeignExpression)]() }
    target.result = .delete
    return target.statement
  }

  /// Whose objects are changed, and what is read behind their table.
  private func changed<Read>(
    _ read: () throws(ForeignProblem) -> Read
  ) throws(ForeignProblem) -> (QueryBuilder, Read) {
    var query = SelectQuery()
    query.from = try parser.table()
    try parser.joins(of: &query)
    let found = try read()
    if parser.token.isWord("from") {
      throw missing("UPDATE … FROM", localized("a path leads to what belongs to it"))
    }
    try parser.clauses(of: &query)
    guard query.limit == nil, query.order.isEmpty else {
      throw missing(
        localized("LIMIT in a change"), localized("let $x = fetch … limit N, and $x in its place"))
    }
    try refuseTail()
    guard let builder = try SelectWriter.builders(query, writer).last else {
      throw parser.unreadable
    }
    return (builder, found)
  }
}
