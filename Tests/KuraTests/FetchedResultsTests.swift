import Foundation
import Kura
import Testing

@Suite("A fetched results controller")
struct FetchedResultsTests {
  private func store() throws -> Store {
    try Store.inMemory(
      try Model {
        Entity("Item") {
          Attribute("title", .string)
          Attribute("done", .boolean, default: false)
        }
      })
  }

  @Test("reports after each step how its result changed")
  func changes() async throws {
    let context = try store().context
    let tea = try context.insert("Item", ["title": "茶"])
    let open = try context.results(
      of: FetchRequest("Item", where: "done == NO").sorted(by: "title"))
    #expect(open.objects == [tea])
    #expect(open.indexPath(of: tea) == [0, 0])
    var changes = open.changes.makeAsyncIterator()

    let ant = try context.insert("Item", ["title": "蟻"])
    #expect(await changes.next()?.events == [.insert(.object(ant.id), at: [0, 1])])
    try context.update(tea, ["done": true])
    #expect(await changes.next()?.events == [.delete(.object(tea.id), from: [0, 0])])
    try context.update(tea, ["title": "麦茶"])
    try context.undo()
    try context.undo()
    #expect(await changes.next()?.events == [.insert(.object(tea.id), at: [0, 0])])
    try context.update(ant, ["title": "an ant"])
    #expect(
      await changes.next()?.events
        == [.move(.object(ant.id), from: [0, 1], to: [0, 0], keys: ["title"])])
    #expect(open.object(at: [0, 1]) == tea)
    #expect(open.object(at: [0, 2]) == nil)
    #expect(open.count == 2)
  }

  @Test("sends everything to each observer, and earlier changes to the first")
  func listeners() async throws {
    let context = try store().context
    var open: FetchedResultsController? = try context.results(of: FetchRequest("Item"))
    try context.insert("Item", ["title": "a"])
    let (first, second) = try (#require(open).changes, #require(open).changes)
    try context.insert("Item", ["title": "b"])
    open = nil
    try context.insert("Item", ["title": "c"])
    try context.migrate(to: Model { Entity("Other") { Attribute("n", .integer) } })
    #expect(await first.reduce(0) { count, _ in count + 1 } == 3)
    #expect(await second.reduce(0) { count, _ in count + 1 } == 2)
  }

  @Test("is retained by its observers, and released after them")
  func keptByListeners() async throws {
    let context = try store().context
    var told: [FetchedResultsChange] = []
    weak var kept: FetchedResultsController?
    let changes = try { () throws in
      let results = try context.results(of: FetchRequest("Item").sorted(by: "title"))
      kept = results
      return results.changes
    }()
    #expect(kept == nil)
    try context.insert("Item", ["title": "珈琲"])
    for await change in changes {
      told.append(change)
      break
    }
    #expect(told.count == 1 && told[0].events.count == 1)
  }

  @Test("reports why it has ended")
  func end() async throws {
    let context = try store().context
    let open = try context.results(of: FetchRequest("Item", where: "done == NO"))
    #expect(open.endReason == nil)
    try context.alter("alter entity Item drop done")
    #expect(open.endReason?.facts.sentence == "Item has no key \"done\"")
    #expect(await open.changes.reduce(0) { count, _ in count + 1 } == 0)
    #expect(open.count == 0)
  }

  @Test("throws the errors of a fetch")
  func refusals() throws {
    let context = try store().context
    #expect(throws: Diagnostic.self) {
      _ = try context.results(of: FetchRequest("Item", where: "titel == 'x'"))
    }
  }
}

@Suite("The sections of a result")
struct FetchedSectionTests {
  private func request() throws -> FetchRequest {
    try FetchRequest("Item", where: "parentCategory != nil")
      .sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name")
  }

  @Test("have names, rows and objects, and follow the steps")
  func sections() throws {
    let context = try Samples.context()
    let items = try context.results(of: request())
    #expect(items.sections.map(\.name) == ["会社", "家"])
    #expect(items.sections.map(\.rows) == [0..<1, 1..<3] && items.sections[1].indexTitle == "家")
    #expect(try items.objects(in: items.sections[1]).map { try $0["title"] } == ["掃除", "買い物"])
    let meeting = try #require(items.object(at: [0, 0]))
    #expect(try meeting["title"] == "会議" && items.indexPath(of: meeting) == [0, 0])
    try context.delete(meeting)
    #expect(items.sections.map(\.heading) == ["家"] && items.sections[0].count == 2)
  }

  @Test("are one if none are requested")
  func names() throws {
    let context = try Samples.context()
    let all = try context.results(of: FetchRequest("Item"))
    #expect(all.sections.map(\.rows) == [0..<4] && all.sections[0].name == "")
    #expect(all.sections[0].indexTitle == nil)
    for (key, names) in [
      ("done", ["NO", "YES"]), ("priority", ["1", "3"]),
      ("parentCategory", ["", "Category/1", "Category/2"]),
      ("day(due)", ["", "1", "2", "3"]), ("priority / 2.0", ["0.5", "1.5"]),
    ] {
      let items = try context.results(of: FetchRequest("Item").sectioned(by: key))
      #expect(items.sections.map(\.name) == names, "\(key)")
    }
  }
}

@Suite("A request, explained")
struct FetchPlanTests {
  @Test("has its steps, and after a run their results")
  func steps() throws {
    let context = try Samples.context()
    let request = try FetchRequest("Item", where: "priority > 2").sorted(by: "title")
    let plan = try context.explain(request)
    #expect(plan.step == "fetch Item" && plan.parts.count == 3 && plan.reached == nil)
    #expect(plan.parts[1].step == "priority > 2" && !plan.parts[1].method.isEmpty)
    let run = try context.snapshot.explain(request, analyzing: true)
    #expect(run.reached == 4 && run.passed == 1 && run.duration != nil)
    #expect("\(run)".split(separator: "\n").count == 4 && "\(run)".contains("  priority > 2  ["))
    #expect(throws: Diagnostic.self) {
      _ = try context.explain(FetchRequest("Item", where: "x == 1"))
    }
  }
}

@Suite("When the context is released")
struct LostContextTests {
  private func model() throws -> Model {
    try Model { Entity("Item") { Attribute("title", .string) } }
  }

  private func request() throws -> FetchRequest { try FetchRequest("Item").sorted(by: "title") }

  private struct Title: Decodable, Sendable { var title: String }

  @Test("its streams end after their last changes")
  func streams() async throws {
    weak var lost: ManagedObjectContext?
    weak var left: FetchedResultsController?
    let (changes, events, values) = try { () throws in
      let context = try Store.inMemory(try model()).context
      let controller = try context.results(of: try request())
      (lost, left) = (context, controller)
      let all = (
        context.changes, controller.changes, try context.values(of: try request(), as: Title.self)
      )
      try context.insert("Item", ["title": "a"])
      return all
    }()
    #expect(lost == nil && left == nil)
    #expect(await changes.reduce(0) { count, _ in count + 1 } == 1)
    #expect(await events.reduce(0) { count, _ in count + 1 } == 1)
    var answers: [[String]] = []
    for try await answer in values { answers.append(answer.map(\.title)) }
    #expect(answers == [["a"]])
  }

  @Test("a controller keeps its last result")
  func controller() async throws {
    let controller = try { () throws in
      let context = try Store.inMemory(try model()).context
      try context.insert("Item", ["title": "a"])
      return try context.results(of: try request())
    }()
    #expect(controller.count == 1 && controller.endReason == nil)
    #expect(await controller.changes.reduce(0) { count, _ in count + 1 } == 0)
  }

  @Test("the streams of an actor end as well")
  func actor() async throws {
    let (changes, events) = try await { () async throws in
      let actor = try ContextActor(inMemory: try model())
      return (await actor.changes, try await actor.changes(of: try request()))
    }()
    #expect(await changes.reduce(0) { count, _ in count + 1 } == 0)
    #expect(await events.reduce(0) { count, _ in count + 1 } == 0)
  }
}
