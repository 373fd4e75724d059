import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// Follows a graph by its change notifications only.
final class Follower: @unchecked Sendable {
  private(set) var graph: Graph
  private(set) var told: [ContextChange] = []

  init(_ context: inout GraphContext) {
    graph = context.graph
    context.observe { [self] change, _ in
      told.append(change)
      graph.apply(change.change)
    }
  }
}

extension Graph {
  /// Every object with its values.
  fileprivate var contents: [ObjectID: [String: StoredCell]] {
    var contents: [ObjectID: [String: StoredCell]] = [:]
    for (table, rows) in tables.enumerated() {
      for row in 0..<rows.count where rows.isLive(row) {
        contents[rows.objectID(row)] = Dictionary(
          uniqueKeysWithValues: storedValues(table, row).filter { $0.value != .null })
      }
    }
    return contents
  }

  fileprivate func isSame(as other: Graph) -> Bool {
    model == other.model && contents == other.contents
  }
}

/// A context that is followed during all kinds of changes, and the store that it shares with another.
private struct FollowedWalk {
  static let rules = EvaluationContext(nilArithmeticIsNil: true)
  var dice: SeededNumbers
  var context: GraphContext
  let follower: Follower
  /// The saved state.
  var store: Graph
  var earlier: GraphContext
  /// The number of notifications of each act.
  var acts: [ContextChange.Act: Int] = [:]

  init(seed: UInt64) throws {
    dice = SeededNumbers(seed: seed)
    var context = GraphContext(Graph(model: try Self.model))
    _ = try context.insert([NewObject(entity: "Category"), NewObject(entity: "Item")])
    context.didSave()
    store = context.graph
    earlier = context
    follower = Follower(&context)
    self.context = context
  }

  private static var model: Model {
    get throws {
      let category = Entity(
        name: "Category",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(
            name: "count", type: .integer, isOptional: true,
            derivation: try ExpressionTree(parsing: "items.@count")),
          Attribute(
            name: "saved", type: .date, isOptional: true,
            derivation: try ExpressionTree(parsing: "now()")),
        ],
        relationships: [
          Relationship(
            name: "items", destination: "Item", isToMany: true, isOrdered: true,
            inverse: "category", deleteRule: .cascade)
        ])
      let item = Entity(
        name: "Item", attributes: [Attribute(name: "title", type: .string, isOptional: true)],
        relationships: [
          Relationship(name: "category", destination: "Category", inverse: "items"),
          Relationship(name: "near", destination: "Item", isToMany: true, inverse: "near"),
        ])
      return Model(entities: [category, item])
    }
  }
}

extension FollowedWalk {
  /// Performs one act: there must be one notification if anything changed, and none otherwise.
  mutating func step(_ name: String) throws {
    let (before, told) = (context.graph, follower.told.count)
    do { try act() } catch is Refused {} catch is Diagnostic {}
    let new = follower.told.dropFirst(told)
    #expect(new.count == (before.isSame(as: context.graph) ? 0 : 1), "\(name): \(new)")
    #expect(follower.graph.isSame(as: context.graph), "\(name): \(new)")
    for change in new { acts[change.act, default: 0] += 1 }
  }

  private struct Refused: Error {}

  private mutating func act() throws {
    switch dice.below(24) {
    case 0...6: try Self.edit(&context, &dice)
    case 7: try refusedEdit()
    case 8, 9: _ = try context.undo()
    case 10, 11: _ = try context.redo()
    case 12: context.rollback()
    case 13: try save()
    case 14, 15: try takeIn()
    case 16, 17: try scratch()
    case 18: try Self.changeModel(&context, &dice)
    case 19: try Self.drop(&context)
    case 20: context.reset(to: earlier)
    case 21: earlier = context
    case 22 where dice.oneIn(4): open()
    default: try context.deriveAtSave(in: Self.rules)
    }
  }

  private static func edit(
    _ context: inout GraphContext, _ dice: inout SeededNumbers
  ) throws {
    let (graph, objects) = (context.graph, context.graph.contents.keys.sorted { "\($0)" < "\($1)" })
    guard graph.model["Item"] != nil, graph.model["Category"] != nil, !objects.isEmpty else {
      return
    }
    let (object, other) = (dice.pick(objects), dice.pick(objects))
    let (choice, text) = (dice.below(6), Value.string("\(dice.below(3))"))
    _ = try context.perform("edit", in: rules) { editor in
      switch (choice, object.entity) {
      case (0, _): _ = try editor.insert([NewObject(entity: dice.flip() ? "Item" : "Category")])
      case (1, _): try editor.delete([object])
      case (2, "Item") where other.entity == "Item":
        try editor.set(NewValue("near", other.one, operation: .add), of: object)
      case (_, "Item") where other.entity == "Category":
        try editor.set(NewValue("category", other.one), of: object)
      case (_, "Item"): try editor.set(NewValue("title", text), of: object)
      case (_, "Category"): try editor.set(NewValue("name", text), of: object)
      default: break
      }
    }
  }

  /// Performs edits that fail in the middle or at the end.
  private mutating func refusedEdit() throws {
    let (number, fails) = (dice.below(3), dice.flip())
    _ = try context.perform(
      "refused", in: Self.rules, accept: { _, _ in throw Refused() },
      { editor in
        for _ in 0...number { _ = try editor.insert([NewObject(entity: "Item")]) }
        try editor.delete(editor.graph.objectIDs(of: "Category"))
        if fails { throw Refused() }
      })
  }

  private mutating func save() throws {
    try context.deriveAtSave(in: Self.rules)
    context.didSave()
    store = context.graph
  }

  /// Another context saves, and this one merges it.
  private mutating func takeIn() throws {
    var others = GraphContext(store)
    for _ in 0...dice.below(3) { try Self.edit(&others, &dice) }
    guard !context.hasModelChanges, context.savedModel == store.model else {
      context.merge(MergedChange(graph: others.graph), onto: others.graph)
      store = others.graph
      return
    }
    let policy = dice.pick([MergePolicy.store, .memory])
    let merged = try context.merging(onto: others.graph, policy: policy, in: Self.rules)
    guard merged.conflicts.isEmpty else { return }
    context.merge(merged, onto: others.graph)
    store = others.graph
  }

  private mutating func scratch() throws {
    var scratch = GraphContext(context.graph)
    for _ in 0..<dice.below(4) { try Self.edit(&scratch, &dice) }
    if dice.oneIn(4) { try Self.changeModel(&scratch, &dice) }
    if dice.oneIn(3) { context.abandon(scratch) } else { context.adopt(scratch, "scratch") }
  }

  private static func changeModel(
    _ context: inout GraphContext, _ dice: inout SeededNumbers
  ) throws {
    var model = context.graph.model
    if dice.flip() {
      model.requests = [SavedRequest(name: "r", text: "() = fetch Item limit \(dice.below(3))")]
    } else if model["Note"] == nil {
      model.define(Entity(name: "Note"))
    } else {
      return try drop(&context)
    }
    context.setModel(model, "model")
  }

  private static func drop(_ context: inout GraphContext) throws {
    guard context.graph.model["Note"] != nil else { return }
    try context.drop(entity: "Note", "drop entity Note", in: rules)
  }

  private mutating func open() {
    context.open(store)
    earlier = context
  }
}

extension ObjectID {
  fileprivate var one: Value { objects("\(entity)/\(number)").first }
}

extension Value {
  fileprivate var first: Value { if case .list(let values) = self { values[0] } else { .null } }
}

@Suite("The notifications of a context")
struct ContextChangeTests {
  @Test("report every change once, and nothing that failed or had no effect")
  func walks() throws {
    var acts: [ContextChange.Act: Int] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      var walk = try FollowedWalk(seed: seed)
      for step in 0..<80 { try walk.step("seed \(seed), step \(step)") }
      acts.merge(walk.acts, uniquingKeysWith: +)
    }
    // Every act occurred.
    for act in ContextChange.Act.allCases { #expect(acts[act, default: 0] > 5, "\(act)") }
  }

  @Test("have the statement's name, and include the derived values")
  func namesAndDerives() throws {
    let counted = Entity(
      name: "A",
      attributes: [
        Attribute(name: "n", type: .integer, isOptional: true),
        Attribute(
          name: "next", type: .integer, isOptional: true,
          derivation: try ExpressionTree(parsing: "n + 1")),
      ])
    var graph = SmallGraph([counted])
    let follower = Follower(&graph.context)
    try graph.perform { try $0.insert("A/1", NewValue("n", 1)) }
    let change = try #require(follower.told.first)
    #expect(change.act == .performed && change.name == "edit")
    guard case .objects(let objects) = change.change else { throw Unexpected() }
    #expect(objects.inserted[0].columns.map(\.key) == ["n", "next"])
    #expect(objects.inserted[0].columns.map { $0.new[0] } == [.integer(1), .integer(2)])
  }

  @Test("end on request, and do not include a scratch context")
  func observers() throws {
    var graph = SmallGraph()
    let follower = Follower(&graph.context)
    let other = graph.context.observe { _, _ in Issue.record("told after it was removed") }
    graph.context.removeObserver(other)
    var scratch = GraphContext(graph.context.graph)
    _ = try scratch.insert([NewObject(entity: "A")])
    #expect(follower.told.isEmpty)
    graph.context.adopt(scratch, "begin")
    #expect(follower.told.map(\.act) == [.committed] && follower.told[0].name == "begin")
  }

  @Test("of a dropped entity's cascade include values that are derived from the deleted objects")
  func dropDerives() throws {
    let shelf = Entity(
      name: "Shelf",
      attributes: [
        Attribute(
          name: "count", type: .integer, isOptional: true,
          derivation: try ExpressionTree(parsing: "boxes.@count"))
      ],
      relationships: [
        Relationship(name: "boxes", destination: "Box", isToMany: true, inverse: "shelf")
      ])
    let box = Entity(
      name: "Box",
      relationships: [Relationship(name: "shelf", destination: "Shelf", inverse: "boxes")])
    let label = Entity(
      name: "Label",
      relationships: [Relationship(name: "box", destination: "Box", deleteRule: .cascade)])
    var graph = SmallGraph([shelf, box, label])
    try graph.perform {
      try $0.insert("Shelf/1")
      for box in ["Box/1", "Box/2"] { try $0.insert(box, NewValue("shelf", named("Shelf/1").one)) }
      try $0.insert("Label/1", NewValue("box", named("Box/1").one))
    }
    #expect(graph.context.graph.value("count", of: named("Shelf/1")) == .integer(2))
    try graph.context.drop(entity: "Label", "drop entity Label", in: SmallGraph.evaluation)
    #expect(!graph.isThere("Box/1") && graph.context.graph.model["Label"] == nil)
    #expect(graph.context.graph.value("count", of: named("Shelf/1")) == .integer(1))
    _ = try graph.context.undo()
    #expect(graph.isThere("Box/1") && graph.isThere("Label/1"))
    #expect(graph.context.graph.value("count", of: named("Shelf/1")) == .integer(2))
  }
}

private struct Unexpected: Error {}
