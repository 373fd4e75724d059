import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

@testable import KuraFetch

/// A context with items, categories and tags, and fetches that watch it.
struct WatchedWorld {
  static let rules = EvaluationContext(nilArithmeticIsNil: true)
  static let environment = FetchEnvironment(now: Timestamp(microseconds: 1_000_000_000_000_000))
  var context: GraphContext
  let watchers = Watchers()

  init() throws {
    context = GraphContext(Graph(model: try Self.model))
    let watchers = watchers
    context.observe { step, graph in watchers.take(step, graph) }
  }

  private static var model: Model {
    get throws {
      let category = Entity(
        name: "Category",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(name: "priority", type: .integer, isOptional: true),
          Attribute(
            name: "count", type: .integer, isOptional: true,
            derivation: try ExpressionTree(parsing: "items.@count")),
        ],
        relationships: [
          Relationship(
            name: "items", destination: "Item", isToMany: true, isOrdered: true,
            inverse: "category"),
          Relationship(name: "parent", destination: "Category", inverse: "children"),
          Relationship(
            name: "children", destination: "Category", isToMany: true, inverse: "parent",
            deleteRule: .cascade),
        ])
      let item = Entity(
        name: "Item",
        attributes: [
          Attribute(name: "title", type: .string, isOptional: true),
          Attribute(name: "n", type: .integer, isOptional: true),
          Attribute(name: "done", type: .boolean, isOptional: true),
        ],
        relationships: [
          Relationship(name: "category", destination: "Category", inverse: "items"),
          Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
        ])
      let tag = Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
        ])
      let task = Entity(
        name: "Task", parent: "Item",
        attributes: [Attribute(name: "rank", type: .integer, isOptional: true)])
      return Model(entities: [category, item, task, tag])
    }
  }
}

/// The observers of a context's steps.
final class Watchers: @unchecked Sendable {
  var fetches: [WatchedFetch] = []
  /// The change of each result in the last step.
  var changes: [ResultsChange] = []

  func take(_ step: ContextChange, _ graph: Graph) {
    changes = fetches.indices.map { fetches[$0].take(step, graph) }
  }
}

extension WatchedWorld {
  /// Parses `Item where done == YES sort n`.
  static func fetch(_ text: String) throws -> FetchTree {
    let source = SourceText(text)
    return try FetchTree.objects(named: SourceSpan(0, text.utf8.count), in: source)
  }

  @discardableResult
  mutating func watch(_ text: String) throws -> Int {
    let fetch = try Self.fetch(text)
    watchers.fetches.append(try WatchedFetch(fetch, in: context.graph, Self.environment))
    return watchers.fetches.count - 1
  }

  /// Returns the events of an edit for the first fetch, as words.
  mutating func events(_ edit: (inout GraphEditor) throws -> Void) throws -> [String] {
    watchers.changes = []
    _ = try context.perform("edit", in: Self.rules, edit)
    return watchers.changes.first?.words ?? []
  }
}

/// Returns the objectID of `Item/3`.
func id(_ text: String) -> ObjectID {
  let parts = text.split(separator: "/")
  let entity = String(parts[0])
  return ObjectID(
    entity: entity, root: entity == "Task" ? "Item" : entity, number: Int64(parts[1]) ?? 0)
}

/// Returns an object by its name, as a value.
func one(_ text: String) -> Value { .object(ObjectReference(NamedObject(objectID: id(text)))) }

extension GraphEditor {
  mutating func insert(_ name: String, _ values: KeyValuePairs<String, Value> = [:]) throws {
    let id = id(name)
    _ = try insert([
      NewObject(entity: id.entity, number: id.number, values: values.map { NewValue($0, $1) })
    ])
  }

  mutating func set(_ name: String, _ key: String, _ value: Value) throws {
    try set(NewValue(key, value), of: id(name))
  }
}

extension ResultsChange {
  var words: [String] { events.map(\.words) }
}

extension ResultsEvent {
  /// `move Item/1 0.2 > 1.0 n`
  var words: String {
    switch self {
    case .delete(let row, let from): "delete \(row.words) \(from.words)"
    case .insert(let row, let at): "insert \(row.words) \(at.words)"
    case .move(let row, let from, let to, let keys):
      (["move", row.words, from.words, ">", to.words] + keys).joined(separator: " ")
    case .update(let row, let at, let keys):
      (["update", row.words, at.words] + keys).joined(separator: " ")
    case .sectionDelete(let heading, let at): "section delete \(heading.words) \(at)"
    case .sectionInsert(let heading, let at): "section insert \(heading.words) \(at)"
    }
  }
}

extension Value {
  fileprivate var words: String {
    if case .object(let reference) = self { return reference.id.map(\.description) ?? "" }
    return ExpressionTree(.constant(Constant(self))).expressionFormat
  }
}

extension ResultsRow {
  fileprivate var words: String {
    switch self {
    case .object(let id): id.description
    case .values(let values): "(\(values.values.map(\.words).joined(separator: ", ")))"
    }
  }
}

extension ResultsPlace {
  fileprivate var words: String { "\(section).\(row)" }
}
