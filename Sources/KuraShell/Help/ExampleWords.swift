import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

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
