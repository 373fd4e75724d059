import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// An example that is run when it is shown: on the open store, in a discarded context, or on a
/// small store.
struct HelpExample {
  typealias Composed = @Sendable (ExampleWords) -> String?

  static func filling(_ template: String) -> Composed { { $0.filled(template) } }

  let session: Session
  private let width: Int?

  init(_ session: Session) {
    self.session = session
    width = session.targets.isStandard ? session.services.terminalWidth() : nil
  }

  /// Returns the statements as they are typed, with their output; empty if none applies.
  func text(_ compose: Composed) -> String {
    if let own = text(compose, on: session.context.graph, session.zone) {
      return localized("\n  Example, run on this store and then undone:\n\(own)")
    }
    guard let sample = text(compose, on: HelpExample.sample, .utc) else { return "" }
    return localized("\n  Example on a small store:\n\(sample)")
  }

  private func text(_ compose: Composed, on graph: Graph, _ zone: ZoneRules) -> String? {
    for words in ExampleWords.all(in: graph, zone) {
      guard let statements = compose(words) else { continue }
      let trial = CapturedSession(
        on: graph, zone: zone, timeout: .seconds(1), width: width.map { $0 - 2 })
      return Self.text(statements, in: trial)
    }
    return nil
  }

  private static let sample: Graph = {
    let trial = CapturedSession(on: Graph(), zone: .utc, timeout: .seconds(1))
    _ = trial.run(Graph.exampleStore)
    return trial.session.context.graph
  }()

  /// Returns each statement after a prompt, with its output; nil if one fails.
  private static func text(_ statements: String, in trial: CapturedSession) -> String? {
    var text = ""
    for statement in statements.split(separator: "\n") {
      let (succeeded, output) = trial.run(String(statement))
      guard succeeded else { return nil }
      text += "  kura> \(statement)\n" + shown(output)
    }
    return text
  }

  /// The number of lines of an answer that are shown.
  private static let mostLines = 14

  private static func shown(_ said: String) -> String {
    let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let rest = lines.count > mostLines ? ["…"] : []
    return (lines.prefix(mostLines).map(String.init) + rest).map { $0.isEmpty ? "\n" : "  \($0)\n" }
      .joined()
  }
}

extension StatementSyntax {
  /// The template of an example; nil if the fixed example must be used.
  var exampleTemplate: String? { Self.exampleTemplates[name] }

  private static let exampleTemplates: [String: String] = [
    "fetch": #"fetch ENTITY where KEY CONTAINS[cd] "BEGINNING" sort KEY limit 2"#,
    "count": #"count ENTITY where KEY CONTAINS "BEGINNING""#,
    "exists": "exists ENTITY where KEY == VALUE",
    "print": "print OBJECT.KEY, 7 / 2.0",
    "let": "let $some = fetch ENTITY limit 2\nprint $some.KEY",
    "explain": "explain fetch ENTITY where KEY == VALUE",
    "trace": #"trace OBJECT where KEY CONTAINS "BEGINNING""#,
    "steps": #"steps fetch ENTITY where KEY CONTAINS "BEGINNING" OR KEY == nil"#,
    "compare":
      #"compare ENTITY where KEY CONTAINS "BEGINNING" with KEY BEGINSWITH "BEGINNING""#,
    "show": #"show ENTITY where KEY CONTAINS "BEGINNING" as words"#,
    "describe": "describe ENTITY",
    "model": "model",
    "request": "request NEW_Few = fetch ENTITY limit 1\nrun NEW_Few",
    "run": "request NEW_Few = fetch ENTITY limit 1\nrun NEW_Few",
    "insert": #"insert ENTITY KEY = "new""#,
    "update": edit + "\nprint OBJECT.KEY",
    "delete": "print OBJECT.KEY\ndelete OBJECT\nundo",
    "undo": edit + "\nundo",
    "redo": edit + "\nundo\nredo",
    "changes": edit + "\nchanges",
    "watch": "watch fetch ENTITY limit 3 as first\n" + edit,
    "rollback": edit + "\nrollback",
    "begin": scratch + "commit",
    "commit": scratch + "commit",
    "cancel": scratch + "cancel",
    "entity": "entity NEW_Note { text: string; date: date? }\ndescribe NEW_Note",
    "alter": "alter entity ENTITY add NEW_note: string?",
    "drop": "entity NEW_Note { text: string }\ndrop entity NEW_Note",
  ]

  static let edit = #"update OBJECT set KEY = "new""#

  /// A change in a scratch context, before the statement that ends it.
  static let scratch = "begin \"try\"\n\(edit)\n"
}

/// The names of one entity of the open model and the values of one of its objects, for examples in
/// the learner's own words.
struct ExampleWords {
  /// The entity, written as in a statement. All names and values here have that form.
  let entity: String
  /// `Item/1`
  let object: String
  private let name: String
  private let model: Model
  private let zone: ZoneRules
  private let read: (String) -> Value

  /// An attribute, and a value of an object.
  struct Pair {
    var key: String
    var value: String
    /// The beginning and the end of a text value, as written in quotes.
    var beginning: Substring = ""
    var end: Substring = ""
  }
}

extension ExampleWords {
  /// Returns the words of the entities that have objects, in the order of the model.
  static func all(in graph: Graph, _ zone: ZoneRules) -> [ExampleWords] {
    graph.model.entities.compactMap { entity in
      entity.isAbstract ? nil : ExampleWords(entity.name, in: graph, zone)
    }
  }

  /// Creates the words; nil for an entity without objects of its own.
  private init?(_ name: String, in graph: Graph, _ zone: ZoneRules) {
    guard let place = graph.place(of: name) else { return nil }
    let table = graph.tables[place.table]
    let rows = (0..<table.count).lazy.filter { row in
      table.isLive(row) && table.entityCode(row) == place.code
    }
    guard let first = rows.first else { return nil }
    let known = Array(rows.prefix(20))
    let snapshot = GraphSnapshot(graph)
    self.name = name
    (model, self.zone) = (graph.model, zone)
    entity = Self.written(name)
    object = "\(entity)/\(table.objectID(first).number)"
    read = { key in
      let values = known.lazy.map {
        (try? snapshot.object(table: place.table, row: $0).value(forKey: key)) ?? .null
      }
      return values.first { !$0.isNull && $0 != .string("") } ?? .null
    }
  }

  /// Returns the first attribute of one of these types that has a value.
  func attribute(_ types: [AttributeType]) -> Pair? {
    model.allAttributes(of: name).lazy.filter { types.contains($0.type) }.compactMap(pair).first
  }

  private func pair(_ attribute: Attribute) -> Pair? {
    guard attribute.derivation == nil, !attribute.isTransient else { return nil }
    let value = read(attribute.name)
    guard !value.isNull else { return nil }
    var pair = Pair(
      key: Self.written(attribute.name), value: attribute.type.literal(value, in: zone))
    if case .string(let text) = value {
      guard text.count <= 40, !text.contains(where: \.isNewline) else { return nil }
      pair.beginning = Self.quotable(text.prefix(2))
      pair.end = Self.quotable(text.suffix(1))
    }
    return pair
  }

  private static func quotable(_ text: Substring) -> Substring {
    StatementText.string(String(text)).dropFirst().dropLast()
  }

  /// Returns a relationship, and a text attribute of its destination.
  private func relationship(isToMany: Bool) -> (key: String, text: String)? {
    model.allRelationships(of: name).lazy.filter { $0.isToMany == isToMany }
      .compactMap { relationship in
        model.allAttributes(of: relationship.destination)
          .first { $0.type == .string && $0.derivation == nil }
          .map { (Self.written(relationship.name), Self.written($0.name)) }
      }.first
  }

  /// Returns a name as written in a statement; a type's name needs no `#` there.
  private static func written(_ name: String) -> String {
    AttributeType(rawValue: name) != nil && Keyword(word: name) == nil
      ? name : StatementText.name(name)
  }

  /// Returns a name that neither an entity nor a key of this entity has.
  private func free(_ wanted: String) -> String {
    let taken = Set(model.entities.map(\.name) + model.keys(of: name))
    return ([wanted] + (2...).prefix(9).map { "\(wanted)\($0)" }).first { !taken.contains($0) }
      ?? wanted
  }
}

/// Templates of examples, with words in capitals.
extension ExampleWords {
  /// Returns a template with these words; nil if one of them is missing.
  ///
  ///     words.filled("count ENTITY where KEY == VALUE")     // count Item where title == "掃除"
  ///     words.filled("fetch ENTITY sort KEY:date|text")     // fetch Item sort dueDate
  ///
  /// KEY, VALUE, BEGINNING and END are of the first attribute of these kinds, or of a text. MANY is a to-many
  /// relationship, LINK preferably a to-one relationship, and TEXT a text at its other end. NEW_Note is an unused name.
  /// MANY? only requires that there is one.
  func filled(_ template: String) -> String? {
    let many = relationship(isToMany: true)
    let link = template.contains("LINK") ? relationship(isToMany: false) ?? many : many
    var isComplete = true
    let text = template.replacing(Self.places) { place in
      let pair = pair(place.output.kinds ?? "text")
      let word: (any StringProtocol)? =
        switch place.output.word {
        case "ENTITY": entity
        case "OBJECT": object
        case "KEY": pair?.key
        case "VALUE": pair?.value
        case "BEGINNING": pair?.beginning
        case "END": pair?.end
        case "MANY?": link.map { _ in "" }
        case "MANY", "LINK": link?.key
        case "TEXT": link?.text
        case let new: free(String(new.dropFirst("NEW_".count)))
        }
      if word == nil { isComplete = false }
      return word.map { String($0) } ?? ""
    }
    return isComplete ? text : nil
  }

  private static var places: Regex<(Substring, word: Substring, kinds: Substring?)> {
    #/
      \b(?<word>ENTITY|OBJECT|KEY|VALUE|BEGINNING|END|MANY\??|LINK|TEXT|NEW_\w+)\b
      (?::(?<kinds>[a-z|]+))?
    /#.wordBoundaryKind(.simple)
  }

  /// Returns the first attribute of kinds such as `date|number`.
  private func pair(_ kinds: Substring) -> Pair? {
    kinds.split(separator: "|").lazy.compactMap { attribute(Self.types[String($0)] ?? []) }.first
  }

  private static let types: [String: [AttributeType]] = [
    "text": [.string], "date": [.date], "flag": [.boolean],
    "integer": [.integer, .integer16, .integer32],
    "number": [.integer, .integer16, .integer32, .double, .float, .decimal],
  ]
}

extension Graph {
  /// The statements of a store for examples that the open store has no data for.
  static let exampleStore = """
    entity Category { name: string; items: [Item] inverse category delete cascade }
    entity Item { title: string; price: integer?; done: boolean = NO; dueDate: date?; category: Category? inverse items }
    insert Category [{"name": "家"}, {"name": "Work"}]
    insert Item [{"title": "掃除", "price": 300, "dueDate": "2026-04-01", "category": 1}, {"title": "Café", "price": 450, "done": true, "category": 2}, {"title": "Report", "dueDate": "2026-05-10", "category": 2}]
    """
}
