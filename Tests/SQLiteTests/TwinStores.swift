import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraSQLite
import KuraScript
import KuraValues
import TestSupport

/// The same objects in Kura and in SQLite.
struct TwinStores {
  let schema: Schema
  private let snapshot: GraphSnapshot
  private let database: SQLiteConnection

  init(_ numbers: inout SeededNumbers, homes: Int = 20, items: Int = 120) throws {
    let schema = Schema(&numbers)
    self.schema = schema
    database = try SQLiteConnection(.memory)
    var context = GraphContext(Graph(model: schema.model))
    let owners = (0..<homes).map { _ in NewRow(.home, schema, &numbers) }
    let ids = try context.insert(owners.map(\.object))
    let snapshot = context.snapshot
    let others = (0..<items).map { _ in
      var row = NewRow(.item, schema, &numbers)
      if !numbers.oneIn(6) { row.put(under: numbers.pick(ids), snapshot) }
      return row
    }
    _ = try context.insert(others.map(\.object))
    self.snapshot = context.snapshot
    try write(owners, others)
  }

  private func write(_ homes: [NewRow], _ items: [NewRow]) throws {
    let statements = schema.sql + homes.map { $0.sql(.home) } + items.map { $0.sql(.item) }
    try database.transaction { for statement in statements { try database.execute(statement) } }
  }
}

/// An object for both, with the same number.
private struct NewRow {
  private(set) var object: NewObject
  private var columns: [(name: String, value: String)]

  /// Creates an object with values of any kind.
  init(_ table: Table, _ schema: Schema, _ numbers: inout SeededNumbers) {
    object = NewObject(entity: table.entity)
    columns = []
    for field in schema.fields(of: table) {
      let isNull = field.isOptional && numbers.oneIn(5)
      let value = isNull ? .null : field.kind.value(&numbers)
      object.values.append(NewValue(field.name, value.value))
      columns.append((field.name, value.sql))
    }
  }

  mutating func put(under home: ObjectID, _ snapshot: GraphSnapshot) {
    guard let place = snapshot.graph.find(home) else { return }
    let owner = snapshot.object(table: place.table, row: place.row)
    object.values.append(NewValue("home", .object(ObjectReference(owner))))
    columns.append(("home", "\(home.number)"))
  }

  func sql(_ table: Table) -> String {
    let names = columns.map(\.name).joined(separator: ", ")
    let values = columns.map(\.value).joined(separator: ", ")
    return "INSERT INTO \(table.rawValue) (\(names)) VALUES (\(values))"
  }
}

extension TwinStores {
  /// Returns Kura's answer to a statement, with objects as their numbers.
  func ask(_ statement: String) throws -> [[Literal]] {
    try bound(statement).map { try rows(of: $0.request.answer()) } ?? []
  }

  /// Returns the statement as `show … as sql` writes it, for these tables, whose keys have the name
  /// `id`.
  func translated(_ statement: String) throws -> String {
    guard let (fetch, request, source) = try bound(statement) else { return "" }
    let typed = AnnotatedFetch(fetch, request, PartTexts(source, .utc))
    return try typed.sql().replacing("\"objectID\"", with: "\"id\"")
      .replacing("SELECT t0.*", with: "SELECT t0.id")
  }

  private func bound(
    _ statement: String
  ) throws -> (fetch: FetchTree, request: BoundRequest, source: SourceText)? {
    var reader = StatementReader()
    reader.feed(statement.utf8)
    reader.finish()
    switch reader.next() {
    case .statement(let read, let source):
      guard let fetch = read.tree as? FetchTree else { return nil }
      let environment = FetchEnvironment(
        now: Timestamp(microseconds: 0), rules: .utc, source: source)
      return (fetch, try fetch.bound(to: snapshot, environment), source)
    case .failure(let diagnostic, _): throw diagnostic
    case .needsMore, .end: return nil
    }
  }

  private func rows(of answer: FetchAnswer) -> [[Literal]] {
    switch answer.rows {
    case .objects(let objects):
      (0..<objects.count).map { [.integer(objects.object($0).objectID?.number ?? 0)] }
    case .values(let rows):
      (0..<rows.count).map { row in rows.columns.map { Literal($0.value(row)) } }
    }
  }

  /// Returns SQLite's answer.
  func ask(sql: String) throws -> [[Literal]] {
    try database.rows(sql).map { $0.map(Literal.init) }
  }
}

extension Literal {
  init(_ value: SQLiteValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .null, .blob: self = .null
    }
  }
}
