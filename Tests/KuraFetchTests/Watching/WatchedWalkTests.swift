import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// The content of a table view that only applies events.
private struct Shown {
  typealias Section = (heading: Value?, rows: [ResultsRow])
  var sections: [Section]

  init(_ answer: FetchAnswer) {
    let rows = answer.shownRows
    sections =
      answer.sections.map { runs in
        runs.map { (heading: $0.heading.detached, rows: Array(rows[$0.rows])) }
      } ?? [(heading: nil, rows: rows)]
  }

  mutating func apply(_ change: ResultsChange) throws {
    let (gone, come) = (change.gone, change.come)
    for (place, row) in gone.sorted(by: { $0.place.isAfter($1.place) }) {
      let there = sections[place.section].rows.remove(at: place.row)
      // A group is identified by its keys, and events have its new values.
      if case .object = row { try expect(there == row, "\(row) is not there") }
    }
    for case .sectionDelete(let heading, let at) in change.events.sorted(by: { $0.at > $1.at }) {
      let section = sections.remove(at: at)
      try expect(section.rows.isEmpty && section.heading == heading, "\(heading) is not empty")
    }
    for case .sectionInsert(let heading, let at) in change.events.sorted(by: { $0.at < $1.at }) {
      sections.insert((heading, []), at: at)
    }
    for (place, row) in come.sorted(by: { $1.place.isAfter($0.place) }) {
      sections[place.section].rows.insert(row, at: place.row)
    }
    for case .update(let row, let at, _) in change.events {
      let shown = sections[at.section].rows[at.row]
      if case .values = row {
        sections[at.section].rows[at.row] = row
      } else {
        try expect(shown == row, "update of \(row) where \(shown) is")
      }
    }
  }

  private func expect(_ matches: Bool, _ otherwise: String) throws {
    if !matches { throw Wrong(otherwise) }
  }

  func isSame(as other: Shown) -> Bool {
    sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { $0.heading == $1.heading && $0.rows == $1.rows }
  }
}

private struct Wrong: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension FetchAnswer {
  fileprivate var shownRows: [ResultsRow] {
    if let objects {
      return (0..<objects.count).compactMap { objects.object($0).objectID.map(ResultsRow.object) }
    }
    guard case .values(let rows) = rows else { return [] }
    return (0..<rows.count).map { row in
      .values(ValueDictionary(rows.columns.map { ($0.name, $0.value(row).detached) }))
    }
  }
}

extension ResultsPlace {
  fileprivate func isAfter(_ other: ResultsPlace) -> Bool {
    (section, row) > (other.section, other.row)
  }
}

extension ResultsEvent {
  fileprivate var at: Int {
    switch self {
    case .sectionDelete(_, let at), .sectionInsert(_, let at): at
    default: 0
    }
  }
}

extension ResultsChange {
  fileprivate var gone: [(place: ResultsPlace, row: ResultsRow)] {
    events.compactMap { event in
      switch event {
      case .delete(let row, let from), .move(let row, let from, _, _): (from, row)
      default: nil
      }
    }
  }

  fileprivate var come: [(place: ResultsPlace, row: ResultsRow)] {
    events.compactMap { event in
      switch event {
      case .insert(let row, let at), .move(let row, _, let at, _): (at, row)
      default: nil
      }
    }
  }

  /// The keys in the events of each object that remains in the result.
  fileprivate var keys: [ObjectID: Set<String>] {
    var result: [ObjectID: Set<String>] = [:]
    for event in events {
      switch event {
      case .move(.object(let id), _, _, let keys), .update(.object(let id), _, let keys):
        result[id] = Set(keys)
      default: continue
      }
    }
    return result
  }
}

/// Fetches that are watched during all kinds of changes of a context.
private struct WatchedWalk {
  static let fetches = [
    "Item", "Item where done == YES sort n desc, title", "Item sort category.name, title[cd]",
    "Item sort category.priority, n section by category.priority", "Item section by title",
    "Item where category.parent.name == \"1\" sort n",
    "Category where ANY items.n > 2 sort count desc",
    "Category where SUBQUERY(items, $i, $i.n > 1 AND ANY $i.tags.name == \"1\").@count > 0",
    "Item sort n limit 3", "Item sort category.name desc offset 1 limit 4",
    "Task where rank > 1 sort rank", "Item where category.items.@count > 2 sort n",
    "Item where n > (count Tag) sort n", "Category where items.@sum.n > 3 sort name",
    "Item select category, count(SELF) as c, max(n) as m group by category sort c desc",
    "Item without subentities sort title nulls last", "Item select title, category.name sort n",
    "Item sort n section by n limit 3", "Item section by category",
    "Item where tags.@count == 1 AND NONE tags.name == \"2\" sort title desc",
    "Item select distinct title sort title", "Item select sum(n) as s, count(SELF) as c",
    "Item where category.children.@count > 0 OR n == 2 sort title natural, n desc nulls first",
    "Tag where ALL items.category.priority > 0 sort items.@count desc limit 2",
    "Item where n == 1 limit 2",
    "Category where parent == nil sort parent.name, items.@max.n desc section by parent",
  ]

  var dice: SeededNumbers
  var world: WatchedWorld
  private var shown: [Shown] = []
  private var store: Graph
  private var earlier: GraphContext
  /// The number of steps that changed a result.
  var told = 0
  private var lastAct = 0

  init(seed: UInt64) throws {
    dice = SeededNumbers(seed: seed)
    var world = try WatchedWorld()
    for number in 1...6 {
      _ = try world.events { try $0.insert("Item/\(number)") }
      if number < 4 {
        _ = try world.events { editor in
          try editor.insert("Category/\(number)")
          try editor.insert("Tag/\(number)")
        }
      }
    }
    world.context.didSave()
    for fetch in Self.fetches { try world.watch(fetch) }
    (self.world, store, earlier) = (world, world.context.graph, world.context)
    shown = try Self.fetches.map { try Self.fresh($0, store) }
  }

  /// Parsed once, because a million steps use each of them.
  private static let trees = fetches.reduce(into: [String: FetchTree]()) { trees, text in
    trees[text] = try? WatchedWorld.fetch(text)
  }

  private static func fresh(_ text: String, _ graph: Graph) throws -> Shown {
    let tree = try trees[text] ?? WatchedWorld.fetch(text)
    let request = try tree.bound(to: GraphSnapshot(graph), WatchedWorld.environment)
    return Shown(try request.answer())
  }
}

extension WatchedWalk {
  private struct Refused: Error {}

  /// Performs one step: for the checked fetches, its events must turn the shown result into the fetched one.
  mutating func step(_ isAsked: (Int) -> Bool) throws {
    let before = world.context.graph
    world.watchers.changes = []
    do { try act() } catch is Refused {} catch is Diagnostic {}
    let changes = world.watchers.changes
    if changes.contains(where: { !$0.isEmpty }) { told += 1 }
    for (i, text) in Self.fetches.enumerated() {
      let change = i < changes.count ? changes[i] : ResultsChange()
      let old = shown[i]
      do {
        try shown[i].apply(change)
        if isAsked(i) { try check(i, text, change, old, before) }
      } catch {
        throw Wrong(
          "\(text), act \(lastAct): \(error); told: \(change.words); end: \(String(describing: world.watchers.fetches[i].end)), \(changes.count) changes"
        )
      }
    }
  }

  private func check(
    _ i: Int, _ text: String, _ change: ResultsChange, _ old: Shown, _ before: Graph
  ) throws {
    let fresh = try Self.fresh(text, world.context.graph)
    guard shown[i].isSame(as: fresh) else {
      throw Wrong("\(shown[i].sections) in place of \(fresh.sections)")
    }
    let watched = world.watchers.fetches[i]
    let objects = fresh.sections.flatMap(\.rows).compactMap { row in
      if case .object(let id) = row { id } else { nil }
    }
    guard watched.end == nil, watched.objects == objects else {
      throw Wrong("answers \(watched.objects) in place of \(objects)")
    }
    let shown: Set<String>? =
      text.contains("select title, category.name") ? ["title", "category"] : nil
    try checkKeys(change, old, fresh, before, shown: shown, isExact: !text.contains("select"))
    let isPlain = old.sections.count == 1 && fresh.sections.count == 1
    if isPlain, !text.contains("group by") { try checkMoves(change, old, fresh) }
  }

  /// Checks that the events of remaining objects name exactly the changed keys that are shown.
  private func checkKeys(
    _ change: ResultsChange, _ old: Shown, _ new: Shown, _ before: Graph, shown: Set<String>?,
    isExact: Bool
  ) throws {
    let there = Set(old.sections.flatMap(\.rows))
    let told = change.keys
    for case .object(let id) in new.sections.flatMap(\.rows) where there.contains(.object(id)) {
      var keys = before.changedKeys(of: id, in: world.context.graph)
      if let shown, keys.isDisjoint(with: shown) { keys = [] }
      let said = told[id] ?? []
      // An object that another process saved under the same number is reported with all its keys.
      let isExact = isExact && before.ownIdentity(id).entity == id.entity
      if isExact ? said != keys : !said.isSuperset(of: keys) {
        throw Wrong("\(id): told \(said), changed \(keys)")
      }
    }
  }

  /// Checks that no more objects move than necessary.
  private func checkMoves(_ change: ResultsChange, _ old: Shown, _ new: Shown) throws {
    guard old.sections[0].heading == new.sections[0].heading else { return }
    let places = Dictionary(
      uniqueKeysWithValues: old.sections[0].rows.enumerated().map { ($1, $0) })
    let kept = new.sections[0].rows.compactMap { places[$0] }
    let moves = change.events.count { if case .move = $0 { true } else { false } }
    guard moves == kept.count - kept.longestRun else {
      throw Wrong("\(moves) moves, and \(kept.count - kept.longestRun) do")
    }
  }
}

extension [Int] {
  /// The length of the longest ascending subsequence.
  fileprivate var longestRun: Int {
    var ends: [Int] = []
    for element in self {
      let place = ends.firstIndex { $0 >= element } ?? ends.count
      if place == ends.count { ends.append(element) } else { ends[place] = element }
    }
    return ends.count
  }
}

extension Graph {
  /// Returns the keys with different values of an object in two graphs.
  fileprivate func changedKeys(of id: ObjectID, in other: Graph) -> Set<String> {
    guard let here = find(id), let there = other.find(id) else { return [] }
    let old = GraphSnapshot(self).object(table: here.table, row: here.row)
    let new = GraphSnapshot(other).object(table: there.table, row: there.row)
    return Set(
      model.keys(of: new.entityName).filter { key in
        (try? old.value(forKey: key)) != (try? new.value(forKey: key))
      })
  }
}

// Acts
extension WatchedWalk {
  private mutating func act() throws {
    lastAct = dice.below(24)
    switch lastAct {
    case 0...10: try Self.edit(&world.context, &dice)
    case 11: try refusedEdit()
    case 12, 13: _ = try world.context.undo()
    case 14, 15: _ = try world.context.redo()
    case 16: if dice.oneIn(4) { world.context.rollback() }
    case 17:
      world.context.didSave()
      store = world.context.graph
    case 18, 19: try takeIn()
    case 20: try scratch()
    case 21: try alter()
    case 22: if dice.oneIn(8) { world.context.reset(to: earlier) }
    default: earlier = world.context
    }
  }

  private static func edit(
    _ context: inout GraphContext, _ dice: inout SeededNumbers
  ) throws {
    let graph = context.graph
    let objects = ["Item", "Category", "Tag"].flatMap { graph.objectIDs(of: $0) }
    guard !objects.isEmpty else {
      _ = try context.insert([NewObject(entity: "Item")])
      return
    }
    let count = dice.oneIn(5) ? 1 + dice.below(8) : 1
    var numbers = dice
    defer { dice = numbers }
    _ = try context.perform("edit", in: WatchedWorld.rules) { editor in
      var gone: Set<ObjectID> = []
      for _ in 0..<count {
        let (object, other) = (numbers.pick(objects), numbers.pick(objects))
        if gone.contains(object) || gone.contains(other) { continue }
        if try edit(object, other, &editor, &numbers) { gone.insert(object) }
      }
    }
  }

  /// Deletes an object, possibly with others.
  private static func edit(
    _ object: ObjectID, _ other: ObjectID, _ editor: inout GraphEditor,
    _ dice: inout SeededNumbers
  ) throws -> Bool {
    let number = Value.integer(Int64(dice.below(5)))
    let text = Value.string("\(dice.below(4))")
    let link = Value.object(ObjectReference(NamedObject(objectID: other)))
    switch (dice.below(10), object.entity, other.entity) {
    case (0, _, _), (1, _, _):
      let entity = dice.pick(["Item", "Item", "Task", "Category", "Tag"])
      let key = entity == "Category" || entity == "Tag" ? "name" : "title"
      _ = try editor.insert([NewObject(entity: entity, values: [NewValue(key, text)])])
    case (2, _, _):
      try editor.delete([object])
      return true
    case (3, "Category", "Category"):
      if object != other { try editor.set(NewValue("parent", link), of: object) }
    case (_, "Item", "Category"), (_, "Task", "Category"):
      try editor.set(NewValue("category", link), of: object)
    case (_, "Item", "Tag"), (_, "Task", "Tag"):
      let operation: NewValue.Operation = dice.flip() ? .add : .remove
      try editor.set(NewValue("tags", link, operation: operation), of: object)
    case (4, "Task", _): try editor.set(NewValue("rank", number), of: object)
    case (5, "Item", _), (5, "Task", _):
      try editor.set(NewValue("done", .boolean(dice.flip())), of: object)
    case (6, "Item", _), (6, "Task", _): try editor.set(NewValue("title", text), of: object)
    case (_, "Item", _), (_, "Task", _):
      try editor.set(NewValue("n", dice.oneIn(5) ? .null : number), of: object)
    case (4...6, "Category", _): try editor.set(NewValue("priority", number), of: object)
    case (_, "Category", _), (_, "Tag", _): try editor.set(NewValue("name", text), of: object)
    default: break
    }
    return false
  }

  private mutating func refusedEdit() throws {
    _ = try world.context.perform(
      "refused", in: WatchedWorld.rules, accept: { _, _ in throw Refused() },
      { editor in try editor.delete(editor.graph.objectIDs(of: "Category")) })
  }

  private mutating func takeIn() throws {
    var others = GraphContext(store)
    for _ in 0...dice.below(3) { try Self.edit(&others, &dice) }
    guard !world.context.hasModelChanges, world.context.savedModel == store.model else {
      world.context.merge(MergedChange(graph: others.graph), onto: others.graph)
      store = others.graph
      return
    }
    let merged = try world.context.merging(
      onto: others.graph, policy: dice.pick([MergePolicy.store, .memory]), in: WatchedWorld.rules)
    guard merged.conflicts.isEmpty else { return }
    world.context.merge(merged, onto: others.graph)
    store = others.graph
  }

  private mutating func scratch() throws {
    var scratch = GraphContext(world.context.graph)
    for _ in 0..<dice.below(4) { try Self.edit(&scratch, &dice) }
    if dice.oneIn(3) { world.context.abandon(scratch) } else { world.context.adopt(scratch, "s") }
  }

  /// Adds or drops an entity that no fetch uses, alone or in one group with other changes.
  private mutating func alter() throws {
    var group = GraphContext(world.context.graph)
    var model = group.graph.model
    if model["Note"] == nil { model.define(Entity(name: "Note")) } else { model.remove("Note") }
    let isAlone = dice.flip()
    if !isAlone { try Self.edit(&group, &dice) }
    group.setModel(model, "alter")
    if isAlone { return world.context.setModel(model, "alter") }
    try Self.edit(&group, &dice)
    world.context.adopt(group, "group")
  }
}

@Suite("The events of a watched fetch")
struct WatchedWalkTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let wanted =
    environment["KURA_WATCH_STEPS"].flatMap(Int.init) ?? TestLength.count(400, long: 1_000_000)
  private static let firstSeed = environment["KURA_WATCH_SEED"].flatMap(UInt64.init) ?? 1
  /// Each fetch is evaluated again after one of this many steps: an error in the shown result persists.
  private static let rarity = TestLength.count(1, long: 8)

  /// Four hundred steps; in the long form a million, or as many as KURA_WATCH_STEPS says.
  @Test("turn the old result into the new one, and no more", arguments: [0, 1])
  func walks(lane: UInt64) throws {
    var (seed, steps, told) = (Self.firstSeed + lane, 0, 0)
    while steps < Self.wanted / 2 {
      guard let more = try walk(seed) else { return }
      (seed, steps, told) = (seed + 2, steps + 100, told + more)
    }
    // Most steps changed a result.
    #expect(told > steps / 3)
  }

  /// Walks a hundred steps; returns how many changed a result, nil if one is wrong.
  private func walk(_ seed: UInt64) throws -> Int? {
    var walk = try WatchedWalk(seed: seed)
    for step in 0..<100 {
      do {
        try walk.step { step == 99 || ($0 + step).isMultiple(of: Self.rarity) }
      } catch {
        Issue.record("seed \(seed), step \(step): \(error)")
        return nil
      }
    }
    return walk.told
  }
}
