import Foundation
import Kura
import TestSupport
import Testing

@Suite("The history of a store")
struct HistoryTests {
  let folder: TemporaryFolder
  let store: Store
  var context: ManagedObjectContext { store.context }

  /// Creates a store with a history, with one item in its first save.
  init() throws {
    folder = try TemporaryFolder()
    store = try Store.create(folder.path("todo.json"), Samples.model)
    try store.keepHistory()
    let home = try context.insert("Category", ["name": "家"])
    try context.insert("Item", ["title": "掃除", "parentCategory": home])
    context.transactionAuthor = "花子"
    try context.save()
  }

  private func item(_ number: Int64) throws -> ManagedObject {
    try #require(context.object("Item", number))
  }

  @Test("has the author, the time, the program, and each value before and after")
  func saves() throws {
    try context.update(item(1), ["done": true])
    try context.save()
    let history = try store.history()
    #expect(history.map(\.id) == [1, 2] && history.map(\.author) == ["花子", "花子"])
    #expect(history[0].actionNames == ["insert Category", "insert Item"])
    #expect(abs(history[1].time.timeIntervalSinceNow) < 3600 && !history[1].program.isEmpty)
    let item = try #require(history[0].changes.first { $0.object.entity == "Item" })
    #expect(item.kind == .insert && item["title"]?.new == "掃除" && item["title"]?.old == .null)
    #expect(item["parentCategory"]?.new.objectIDs.map(\.description) == ["Category/1"])
    let update = try #require(history[1].changes.first { $0.object.entity == "Item" })
    #expect(update.kind == .update && update.values.map(\.key) == ["done"])
    #expect(update["done"]?.old == false && update["done"]?.new == true && !history[1].changesModel)
  }

  @Test("has the saves of others since a save")
  func others() throws {
    let last = try #require(try store.history().last?.id)
    let other = try Store.open(folder.path("todo.json"))
    other.context.transactionAuthor = "太郎"
    try other.context.insert("Item", ["title": "牛乳"])
    try other.context.save()
    try other.context.insert("Item", ["title": "卵"])
    try other.context.update(FetchRequest("Item", where: "title == '牛乳'"), ["done": true])
    try other.context.save()

    #expect(try store.refresh()?.tookInOthers == true)
    #expect(try store.history(since: last).map(\.author) == ["太郎", "太郎"])
    let changes = try store.changes(since: last)
    #expect(changes.map(\.kind) == [.insert, .insert])
    #expect(changes.compactMap { $0["title"]?.new } == ["牛乳", "卵"])
    #expect(changes[0]["done"]?.new == true)
    #expect(try store.changes(since: last, upTo: last + 1).count == 1)
    #expect(try store.changes(since: last + 2).isEmpty)
  }

  @Test("returns the objects as they were after a save")
  func asOf() throws {
    let first = try item(1)
    try context.update(first, ["title": "庭"])
    try context.save()
    try context.delete(first)
    try context.save()
    try context.insert("Item", ["title": "窓"])
    func titles(_ save: Int64) throws -> [Value] {
      try store.snapshot(asOf: save).fetch(FetchRequest("Item")).map { try $0["title"] }
    }
    #expect(try titles(0).isEmpty && titles(1) == ["掃除"] && titles(2) == ["庭"] && titles(3) == [])
    #expect(try store.history(of: first.id).map(\.id) == [1, 2, 3])
    #expect(try store.history(of: first.id)[2].changes.map(\.kind) == [.delete])
  }

  @Test("reverts one save as a group, or reports what prevents that")
  func reverts() throws {
    try context.update(item(1), ["title": "庭"])
    try context.save()
    #expect(try store.revert(2).updated.keys.map(\.description) == ["Item/1"])
    #expect(try item(1)["title"] == "掃除" && context.undoableActionNames.last == "revert 2")
    try context.undo()
    try context.update(item(1), ["title": "窓"])
    try context.save()
    guard case .notReverted(2, let conflicts)? = storeError({ try store.revert(2) }) else {
      return #expect(Bool(false))
    }
    #expect(conflicts[0].old == "庭" && conflicts[0].stored == "窓" && conflicts[0].key == "title")
  }

  @Test("has the requested length, and reports unknown saves")
  func limits() throws {
    try store.keepHistory(2)
    for title in ["a", "b", "c"] {
      try context.insert("Item", ["title": title])
      try context.save()
    }
    #expect(try store.history().map(\.id) == [3, 4])
    #expect(problem { _ = try store.snapshot(asOf: 1) } == .unknown(1, kept: 3...4))
    try store.forgetHistory()
    #expect(problem { _ = try store.history() } == .notKept)
    #expect(!"\(HistoryProblem.gap(3))".isEmpty)
    #expect(storeError { try Store.inMemory(Samples.model).keepHistory() }?.description != nil)
  }

  @Test("ends at a change of the model, and at saves that were not recorded")
  func breaks() throws {
    let other = try Store.open(folder.path("todo.json"))
    try other.context.delete(FetchRequest("Item"))
    try other.context.save()
    #expect(problem { _ = try store.snapshot(asOf: 1) } == .gap(2))
    try store.refresh()
    #expect(try store.snapshot(asOf: 1).count(FetchRequest("Item")) == 1)
    try context.migrate(to: Model { Entity("Item") { Attribute("title", .string) } })
    try context.save()
    #expect(try store.history().last?.changesModel == true)
    #expect(problem { _ = try store.snapshot(asOf: 1) } == .changedModel(3))
  }

  private func problem(_ body: () throws -> Void) -> HistoryProblem? {
    guard case .history(let problem)? = storeError(body) else { return nil }
    return problem
  }
}
