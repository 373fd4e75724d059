import KuraGraph
import KuraModel
import Testing

@Suite("The changes of the model since the last save")
struct SavedModelTests {
  private let context = SmallGraph().context

  /// Returns `A as C: n to m, a` for each entity that has changed.
  private func changes(_ alter: ((inout Model) -> Void)...) -> [String] {
    var context = context
    for step in alter {
      var model = context.graph.model
      step(&model)
      context.setModel(model, "step")
    }
    return context.changedEntities.map { entity in
      let names = [entity.old?.name, entity.new?.name].compactMap(\.self)
      let keys = entity.keys.map { "\($0.old ?? "-") to \($0.new ?? "-")" }
      return names.joined(separator: " as ") + ": " + keys.joined(separator: ", ")
    }
  }

  private static func add(_ key: String) -> (inout Model) -> Void {
    return {
      $0.set(.attribute(Attribute(name: key, type: .string)), of: "A", isUnique: false)
    }
  }

  @Test("are followed through several names")
  func renamed() {
    #expect(
      changes(
        { $0.rename(key: "n", of: "A", to: "m") }, { $0.rename(entity: "A", to: "C") },
        { $0.rename(key: "m", of: "C", to: "o") })
        == ["A as C: n to o, a to a", "B as B: b to b"])
    #expect(
      changes(
        { $0.rename(key: "n", of: "A", to: "m") }, { $0.rename(key: "m", of: "A", to: "n") })
        == [])
  }

  @Test("have the added and dropped properties; a name that is reused is one key")
  func addedAndDropped() {
    let drop: (inout Model) -> Void = { $0.remove(key: "n", of: "A") }
    #expect(changes(Self.add("x")) == ["A as A: n to n, - to x, a to a"])
    #expect(changes(drop) == ["A as A: a to a, n to -"])
    #expect(changes(drop, Self.add("n")) == ["A as A: n to n, a to a"])
    #expect(changes(Self.add("x"), drop) == ["A as A: - to x, a to a, n to -"])
  }

  @Test("have the entities that were added and dropped")
  func entities() {
    #expect(changes { $0.define(Entity(name: "N")) } == ["N: "])
    #expect(changes { $0.remove("B") } == ["B: "])
    #expect(
      changes({ $0.remove("B") }, { $0.define(Entity(name: "B")) }) == ["B as B: b to -"])
  }

  @Test("have the saved requests that changed")
  func requests() {
    var context = context
    for texts in [["x": "() = fetch A"], ["x": "() = fetch B", "y": "() = fetch A"], [:]] {
      var model = context.graph.model
      model.requests = texts.sorted { $0.key < $1.key }.map {
        SavedRequest(name: $0.key, text: $0.value)
      }
      context.setModel(model, "requests")
      #expect(context.changedRequests.map { $0.new?.name } == texts.keys.sorted())
      #expect(context.unsaved.requests == texts.count)
    }
    var model = context.graph.model
    model.requests = [SavedRequest(name: "x", text: "() = fetch A")]
    context.setModel(model, "requests")
    context.didSave()
    #expect(context.changedRequests.isEmpty)
    context.setModel(self.context.graph.model, "requests")
    #expect(context.changedRequests.map { $0.old?.name } == ["x"])
  }
}

@Suite("A scratch context that is discarded")
struct AbandonedContextTests {
  @Test("keeps its numbers: no other object gets one of them")
  func numbers() throws {
    var outer = SmallGraph().context
    var inner = GraphContext(outer.graph)
    let first = try inner.insert([NewObject(entity: "A")])
    outer.abandon(inner)
    let second = try outer.insert([NewObject(entity: "A")])
    #expect(first == [named("A/1")] && second == [named("A/2")])
  }
}
