import KuraGraph
import KuraPredicates
import KuraValues

extension GraphWalk {
  static let evaluation = EvaluationContext(nilArithmeticIsNil: true)

  mutating func change() throws {
    let before = layer.plain.graph
    var after = before
    let edits = edits(&after)
    let world = world
    let done = try layer.context.perform("change", in: GraphWalk.evaluation) { editor in
      try edits.map { try editor.apply($0, world) }
    }
    if done.result.contains(false) { fail("a new object has another number") }
    if done.change.isEmpty {
      if !before.isAlike(after) { fail("a change is empty, and changed something") }
    } else {
      layer.plain.change(to: after)
      if dice.chance(0.05) { checkInverse(done.change, before) }
    }
    steps += edits.count - 1
  }

  mutating func failingChange() throws {
    var after = layer.plain.graph
    let next = layer.plain.next
    let edits = edits(&after)
    let world = world
    let way = dice.below(4)
    let taken = layer.plain.graph.objects.keys.first
    note("… and then an error")
    steps += edits.count
    do {
      _ = try layer.context.perform("fails", in: GraphWalk.evaluation) { editor in
        for edit in edits { _ = try editor.apply(edit, world) }
        switch way {
        case 0: _ = try editor.insert([NewObject(entity: "Nothing")])
        case 1: try editor.delete([ObjectID(entity: "A", number: 999_999)])
        case 2: _ = try editor.insert([NewObject(entity: "C", values: [NewValue("q", 1)])])
        default: throw Stop()
        }
      }
      fail("an error was expected")
    } catch { layer.plain.next = next }
    if taken != nil, way == 3 { checkAll() }
  }

  private struct Stop: Error {}

  mutating func undo() throws {
    note("undo")
    let there = try layer.context.undo() != nil
    if there != layer.plain.undo() { fail("undo: a group too many, or one too few") }
    guard there, dice.chance(0.3) else { return }
    if dice.chance(0.5) { checkAll() }
    try redo()
    if dice.chance(0.3) { checkAll() }
  }

  mutating func redo() throws {
    note("redo")
    let there = try layer.context.redo() != nil
    if there != layer.plain.redo() { fail("redo: a group too many, or one too few") }
  }

  mutating func rollback() {
    note("rollback")
    let saved = layer.plain.saved
    if layer.context.hasChanges {
      layer.plain.change(to: saved)
    } else if !layer.plain.graph.isAlike(saved) {
      fail("there are changes, and hasChanges denies it")
    }
    layer.context.rollback()
  }

  /// Saves; a save is refused if a link leads to a deleted object.
  mutating func save() {
    guard layers.count == 1 else { return }
    checkUnique()
    let failures = context.validationFailures(in: GraphWalk.evaluation)
    guard !failures.contains(where: { $0.rule == .deniedDelete || $0.rule == .dangling }) else {
      note("save is refused")
      return
    }
    note("save")
    if plain.graph.isDangling { fail("nothing said so of \(plain.graph.dangling)") }
    layer.context.didSave()
    layer.plain.saved = layer.plain.graph
    layer.saved = layer.context.graph
  }

  mutating func begin() {
    guard layers.count < 3 else { return }
    note("begin")
    layers.append(
      Layer(
        GraphContext(context.graph), PlainContext(plain.graph, next: plain.next)))
  }

  mutating func commit() {
    guard layers.count > 1, let inside = layers.popLast() else { return }
    note("commit")
    if inside.context.hasChanges {
      layer.plain.change(to: inside.plain.graph)
    } else if !inside.plain.graph.isAlike(plain.graph) {
      fail("a scratch context says that nothing was changed in it")
    }
    layer.context.adopt(inside.context, "scratch")
    layer.plain.next = inside.plain.next
  }

  /// Stores a state, or checks one that was stored.
  mutating func hold() {
    if held.count < 2 {
      held.append((context.snapshot, plain.graph))
      return
    }
    let kept = held.remove(at: dice.below(held.count))
    do { try checkFetches(kept.snapshot) } catch { fail("\(error)") }
    compare(kept.snapshot.graph, kept.plain, "a state that was left behind")
  }
}
