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
      let trial = IsolatedSession(graph, zone, width.map { $0 - 2 })
      return trial.text(statements)
    }
    return nil
  }

  private static let sample: Graph = {
    let trial = IsolatedSession(Graph(), .utc, nil)
    trial.session?.run(Graph.exampleStore)
    return trial.session?.context.graph ?? Graph()
  }()
}

/// A quiet session without access to anything outside, on a graph that it may change.
private final class IsolatedSession {
  private(set) var session: Session?
  private var said = ""
  /// The number of lines of an answer that are shown.
  private static let mostLines = 14

  init(_ graph: Graph, _ zone: ZoneRules, _ width: Int?) {
    session = Session.quiet(
      on: graph, zone: zone, timeout: .seconds(1), width: width,
      output: { [unowned self] in said += $0 })
  }

  /// Returns each statement after a prompt, with its output; nil if one fails.
  func text(_ statements: String) -> String? {
    guard let session else { return nil }
    var text = ""
    for statement in statements.split(separator: "\n") {
      said = ""
      guard session.run(String(statement)), (try? session.targets.flush()) != nil else {
        return nil
      }
      text += "  kura> \(statement)\n" + Self.shown(said)
    }
    return text
  }

  private static func shown(_ said: String) -> String {
    let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let rest = lines.count > mostLines ? ["…"] : []
    return (lines.prefix(mostLines).map(String.init) + rest).map { $0.isEmpty ? "\n" : "  \($0)\n" }
      .joined()
  }
}

extension StatementSyntax {
  /// Composes statements with the names of a store; nil if the fixed example must be used.
  var composed: HelpExample.Composed? { Self.composed[name] }

  private static let composed: [String: HelpExample.Composed] = asking.merging(changing) { a, _ in a
  }
  .merging(defining) { a, _ in a }

  private static let asking: [String: HelpExample.Composed] = [
    "fetch": { words in
      words.text.map {
        "fetch \(words.entity) where \($0.key) CONTAINS[cd] \($0.beginning) sort \($0.key) limit 2"
      }
    },
    "count": { words in
      words.text.map { "count \(words.entity) where \($0.key) CONTAINS \($0.beginning)" }
    },
    "exists": { words in
      words.text.map { "exists \(words.entity) where \($0.key) == \($0.value)" }
    },
    "print": { words in words.text.map { "print \(words.object).\($0.key), 7 / 2.0" } },
    "let": { words in
      words.text.map { "let $some = fetch \(words.entity) limit 2\nprint $some.\($0.key)" }
    },
    "explain": { words in
      words.text.map { "explain fetch \(words.entity) where \($0.key) == \($0.value)" }
    },
    "trace": { words in
      words.text.map { "trace \(words.object) where \($0.key) CONTAINS \($0.beginning)" }
    },
    "steps": { words in
      words.text.map {
        "steps fetch \(words.entity) where \($0.key) CONTAINS \($0.beginning) OR \($0.key) == nil"
      }
    },
    "compare": { words in
      words.text.map {
        "compare \(words.entity) where \($0.key) CONTAINS \($0.beginning) with \($0.key) BEGINSWITH \($0.beginning)"
      }
    },
    "show": { words in
      words.text.map { "show \(words.entity) where \($0.key) CONTAINS \($0.beginning) as words" }
    },
    "describe": { "describe \($0.entity)" },
    "model": { _ in "model" },
    "request": { words in
      "request \(words.free("Few")) = fetch \(words.entity) limit 1\nrun \(words.free("Few"))"
    },
    "run": { words in
      "request \(words.free("Few")) = fetch \(words.entity) limit 1\nrun \(words.free("Few"))"
    },
  ]

  private static let changing: [String: HelpExample.Composed] = [
    "insert": { words in
      words.text.map { "insert \(words.entity) \($0.key) = \"new\"" }
    },
    "update": { words in edit(words).map { "\($0)\nprint \(words.object).\($1)" } },
    "delete": { words in
      words.text.map { "print \(words.object).\($0.key)\ndelete \(words.object)\nundo" }
    },
    "undo": { words in edit(words).map { edit, _ in "\(edit)\nundo" } },
    "redo": { words in edit(words).map { edit, _ in "\(edit)\nundo\nredo" } },
    "changes": { words in edit(words).map { edit, _ in "\(edit)\nchanges" } },
    "watch": { words in
      edit(words).map { edit, _ in "watch fetch \(words.entity) limit 3 as first\n\(edit)" }
    },
    "rollback": { words in edit(words).map { edit, _ in "\(edit)\nrollback" } },
    "begin": { words in scratch(words, "commit") },
    "commit": { words in scratch(words, "commit") },
    "cancel": { words in scratch(words, "cancel") },
  ]

  private static let defining: [String: HelpExample.Composed] = [
    "entity": { words in
      let name = words.free("Note")
      return "entity \(name) { text: string; date: date? }\ndescribe \(name)"
    },
    "alter": { words in "alter entity \(words.entity) add \(words.free("note")): string?" },
    "drop": { words in
      let name = words.free("Note")
      return "entity \(name) { text: string }\ndrop entity \(name)"
    },
  ]

  /// Returns an update of one object, and the key that it sets.
  static func edit(_ words: ExampleWords) -> (statement: String, key: String)? {
    words.text.map { ("update \(words.object) set \($0.key) = \"new\"", $0.key) }
  }

  static func scratch(_ words: ExampleWords, _ end: String) -> String? {
    edit(words).map { edit, _ in "begin \"try\"\n\(edit)\n\(end)" }
  }
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
    /// The beginning of a text value.
    var beginning = ""
    /// The end of a text value.
    var end = ""
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
  func attribute(_ types: AttributeType...) -> Pair? {
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
      pair.beginning = StatementText.string(String(text.prefix(2)))
      pair.end = StatementText.string(String(text.suffix(1)))
    }
    return pair
  }

  var text: Pair? { attribute(.string) }
  var date: Pair? { attribute(.date) }
  var number: Pair? { attribute(.integer, .integer16, .integer32, .double, .float, .decimal) }
  var integer: Pair? { attribute(.integer, .integer16, .integer32) }
  var flag: Pair? { attribute(.boolean) }

  /// Returns a relationship, its destination, and a text attribute there.
  func relationship(isToMany: Bool) -> (key: String, destination: String, text: String)? {
    model.allRelationships(of: name).lazy.filter { $0.isToMany == isToMany }
      .compactMap { relationship in
        model.allAttributes(of: relationship.destination)
          .first { $0.type == .string && $0.derivation == nil }
          .map {
            (
              Self.written(relationship.name), Self.written(relationship.destination),
              Self.written($0.name)
            )
          }
      }.first
  }

  /// Returns a name as written in a statement; a type's name needs no `#` there.
  private static func written(_ name: String) -> String {
    AttributeType(rawValue: name) != nil && Keyword(word: name) == nil
      ? name : StatementText.name(name)
  }

  /// Returns a name that neither an entity nor a key of this entity has.
  func free(_ wanted: String) -> String {
    let taken = Set(model.entities.map(\.name) + model.keys(of: name))
    return ([wanted] + (2...).prefix(9).map { "\(wanted)\($0)" }).first { !taken.contains($0) }
      ?? wanted
  }
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
