import KuraDiagnostics
import KuraFetch
import KuraForeign
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSQLite
import KuraScript
import KuraValues
import TestSupport

/// Items in homes with many NULLs, in Kura and in SQLite.
struct TranslationWorld {
  private let snapshot: GraphSnapshot
  private let database: SQLiteConnection
  private let translator: ForeignTranslator

  /// The columns of both tables; the last ones are never NULL.
  static let items: [(name: String, kind: Column)] = [
    ("n", .integer), ("x", .real), ("text", .text), ("flag", .boolean), ("m", .integer),
    ("word", .text), ("done", .boolean),
  ]
  static let homes: [(name: String, kind: Column)] = [
    ("name", .text), ("size", .integer), ("kind", .text), ("floor", .integer),
  ]

  enum Column: String {
    case integer, real, text, boolean

    var type: AttributeType {
      switch self {
      case .integer: .integer
      case .real: .double
      case .text: .string
      case .boolean: .boolean
      }
    }

    func value(_ numbers: inout SeededNumbers) -> Literal {
      switch self {
      case .integer: .integer(Int64(numbers.below(9)) - 4)
      case .real: .double(Double(numbers.below(17)) / 4 - 2)
      case .text:
        .text(
          numbers.pick([
            "", "a", "A", "b", "ab", "abc", "cab", "Zebra", "zebra", "ä", "誕生", "誕生日", "don't", "%",
            "_b", "*", "a?", "\\", "1", "10",
          ]))
      case .boolean: .boolean(numbers.flip())
      }
    }
  }

  init(_ numbers: inout SeededNumbers) throws {
    let model = Model(entities: [
      Entity(
        name: "Item", attributes: Self.attributes(Self.items, required: 4),
        relationships: [
          Relationship(name: "home", destination: "Home", isOptional: true, inverse: "items")
        ]),
      Entity(
        name: "Home", attributes: Self.attributes(Self.homes, required: 2),
        relationships: [
          Relationship(name: "items", destination: "Item", isToMany: true, inverse: "home")
        ]),
    ])
    database = try SQLiteConnection(.memory)
    translator = ForeignTranslator(model)
    var context = GraphContext(Graph(model: model))
    var statements = [
      "PRAGMA case_sensitive_like = ON",
      "CREATE TABLE home (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, kind TEXT, floor INTEGER)",
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, x REAL, text TEXT, flag INTEGER,
        m INTEGER, word TEXT, done INTEGER, home INTEGER REFERENCES home(id))
      """,
    ]
    var homes: [NewObject] = []
    for _ in 0..<9 { homes.append(Self.row("Home", Self.homes, 2, &statements, &numbers)) }
    let ids = try context.insert(homes)
    let snapshot = context.snapshot
    var items: [NewObject] = []
    for _ in 0..<40 {
      let home = numbers.oneIn(4) ? nil : numbers.pick(Array(ids.dropLast(2)))
      var object = Self.row("Item", Self.items, 4, &statements, &numbers, home: home)
      if let home, let place = snapshot.graph.find(home) {
        let owner = snapshot.object(table: place.table, row: place.row)
        object.values.append(NewValue("home", .object(ObjectReference(owner))))
      }
      items.append(object)
    }
    _ = try context.insert(items)
    self.snapshot = context.snapshot
    for statement in statements { try database.execute(statement) }
  }

  private static func attributes(
    _ columns: [(name: String, kind: Column)], required first: Int
  ) -> [Attribute] {
    columns.enumerated().map { i, column in
      Attribute(name: column.name, type: column.kind.type, isOptional: i < first)
    }
  }

  private static func row(
    _ entity: String, _ columns: [(name: String, kind: Column)], _ first: Int,
    _ statements: inout [String], _ numbers: inout SeededNumbers, home: ObjectID? = nil
  ) -> NewObject {
    var object = NewObject(entity: entity)
    var (names, values) = (columns.map(\.name), [String]())
    for (i, column) in columns.enumerated() {
      let value = i < first && numbers.oneIn(3) ? .null : column.kind.value(&numbers)
      object.values.append(NewValue(column.name, value.value))
      values.append(value.sql)
    }
    if let home {
      names.append("home")
      values.append("\(home.number)")
    }
    statements.append(
      "INSERT INTO \(entity.lowercased()) (\(names.joined(separator: ", "))) "
        + "VALUES (\(values.joined(separator: ", ")))")
    return object
  }
}

extension TranslationWorld {
  enum Translation {
    case statement(String)
    case refused
    /// A statement that does not fit the model, and is not offered.
    case unfit(String)
  }

  func translation(of sql: String) throws -> Translation {
    let readings = translator.readings(of: Array(sql.utf8), from: 0)
    guard let text = readings.first?.translations.first else { return .refused }
    do {
      return try bound(Self.fetch(text)) == nil ? .unfit(text) : .statement(text)
    } catch {
      return .unfit("\(text): \(error)")
    }
  }

  /// Returns both answers; rows without an order are sorted.
  func answers(
    to statement: String, _ sql: SQLSentence
  ) throws -> (ours: [[String]], theirs: [[String]]) {
    guard let request = try bound(Self.fetch(statement)) else { return ([], [["unread"]]) }
    var ours = try rows(of: request.answer()).map { $0.map(\.comparable) }
    if statement.hasPrefix("print (") { ours = [["\(ours.count)"]] }
    var theirs = try database.rows(sql.text).map { $0.map { Literal($0).comparable } }
    if !sql.isOrdered {
      ours.sort { $0.lexicographicallyPrecedes($1) }
      theirs.sort { $0.lexicographicallyPrecedes($1) }
    }
    return (ours, theirs)
  }

  /// Returns a fetch instead of `count Item where …` and `print (fetch …).@count`.
  private static func fetch(_ statement: String) -> String {
    if statement.hasPrefix("count ") {
      return "fetch " + statement.dropFirst("count ".count) + " select count(SELF)"
    }
    guard statement.hasPrefix("print ("), statement.hasSuffix(").@count") else { return statement }
    return String(statement.dropFirst("print (".count).dropLast(").@count".count))
  }

  private func bound(_ statement: String) throws -> BoundRequest? {
    var reader = StatementReader()
    reader.feed(statement.utf8)
    reader.finish()
    switch reader.next() {
    case .statement(let read, let source):
      let environment = FetchEnvironment(
        now: Timestamp(microseconds: 0), rules: .utc, source: source)
      return try (read.tree as? FetchTree)?.bound(to: snapshot, environment)
    case .failure(let diagnostic, _): throw diagnostic
    case .needsMore, .end: return nil
    }
  }

  private func rows(of answer: FetchAnswer) -> [[Literal]] {
    switch answer.rows {
    case .objects(let objects):
      (0..<objects.count).map { [.integer(objects.object($0).objectID?.number ?? 0)] }
    case .values(let rows):
      (0..<rows.count).map { row in rows.columns.map { Literal(cell: $0.value(row)) } }
    }
  }
}

extension Literal {
  /// Creates a cell; an object becomes its number.
  fileprivate init(cell value: Value) {
    if case .object(let reference) = value {
      self = .integer(reference.id?.number ?? 0)
    } else if case .decimal = value {
      self = .double(value.doubleValue ?? 0)
    } else {
      self.init(value)
    }
  }

  /// The text to compare; numbers are rounded to nine decimal places.
  fileprivate var comparable: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    case .text(let text): "\"\(text)\""
    case .double(let number):
      number == number.rounded() && abs(number) < 1e15
        ? "\(Int64(number))" : "\((number * 1e9).rounded() / 1e9)"
    }
  }
}
