import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// A context with objects that are created and read by short names: `A/1`.
struct SmallGraph {
  var context: GraphContext
  static let evaluation = EvaluationContext(nilArithmeticIsNil: true)

  init(context: GraphContext) { self.context = context }

  init(_ entities: [Entity]) {
    self.init(context: GraphContext(Graph(model: Model(entities: entities))))
  }

  /// Creates entities A and B with the mutually inverse relationships `a` and `b`.
  init(
    many: (a: Bool, b: Bool) = (false, true), ordered: Bool = false,
    rules: (a: DeleteRule, b: DeleteRule) = (.nullify, .nullify), extra: [Relationship] = []
  ) {
    self.init([
      Entity(
        name: "A", attributes: [Attribute(name: "n", type: .integer, isOptional: true)],
        relationships: [
          Relationship(
            name: "a", destination: "B", isToMany: many.a, isOrdered: ordered && many.a,
            inverse: "b", deleteRule: rules.a)
        ] + extra),
      Entity(
        name: "B",
        relationships: [
          Relationship(
            name: "b", destination: "A", isToMany: many.b, isOrdered: ordered && many.b,
            inverse: "a", deleteRule: rules.b)
        ]),
    ])
  }

  @discardableResult
  mutating func perform(_ edit: (inout GraphEditor) throws -> Void) throws -> ChangeSet {
    try context.perform("edit", in: SmallGraph.evaluation, edit).change
  }

  /// Returns the numbers of the objects that a key leads to.
  func links(_ object: String, _ key: String) -> [Int64] { context.graph.links(object, key) }
  func isThere(_ object: String) -> Bool { context.graph.find(named(object)) != nil }

  var failures: [String] {
    context.validationFailures(in: SmallGraph.evaluation)
      .map { "\($0.object).\($0.key) \($0.rule)" }
  }
}

/// Returns the objectID of `A/1`.
func named(_ text: String) -> ObjectID {
  let parts = text.split(separator: "/")
  return ObjectID(entity: String(parts[0]), number: Int64(parts[1]) ?? 0)
}

/// Returns objects by name, as a value.
func objects(_ names: String...) -> Value {
  .list(names.map { .object(ObjectReference(Name(objectID: named($0)))) })
}

private struct Name: KeyReadable {
  var objectID: ObjectID?
  func value(forKey key: String) -> Value { .null }
}

extension Graph {
  func links(_ object: String, _ key: String) -> [Int64] {
    guard let (table, row) = find(named(object)) else { return [] }
    let slots = tables[table].layout.slots[tables[table].entityCode(row)]
    guard let slot = slots[key], let destination = destination(slot) else { return [] }
    return rows(slot, table, row).map { tables[destination].identifiers[$0] }
  }
}

extension GraphEditor {
  mutating func insert(_ name: String, _ values: NewValue...) throws {
    let id = named(name)
    _ = try insert([NewObject(entity: id.entity, number: id.number, values: values)])
  }
  mutating func set(_ name: String, _ key: String, _ value: Value) throws {
    try set(NewValue(key, value), of: named(name))
  }
  mutating func delete(_ names: String...) throws { try delete(names.map { named($0) }) }
}
