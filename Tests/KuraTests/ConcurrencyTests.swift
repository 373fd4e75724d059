import Foundation
import Kura
import TestSupport
import Testing

@Suite("Many tasks")
struct ConcurrencyTests {
  @Test("use one context of an actor, and read objects and snapshots from anywhere")
  func actor() async throws {
    let todo = try ContextActor(inMemory: Samples.model)
    let home = try await todo.perform { try $0.insert("Category", ["name": "家"]) }
    let request = try FetchRequest("Item").sorted(by: "title")
    let changes = try await todo.changes(of: request)
    let watcher = Task {
      var shown: [FetchedResultsChange.Row] = []
      for await change in changes {
        for case .insert(let row, let place) in change.events { shown.insert(row, at: place[1]) }
        if shown.count == 160 { break }
      }
      return shown
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for n in 0..<20 {
            try await todo.perform { context in
              let before = try context.count(FetchRequest("Item"))
              try context.insert("Item", ["title": "\(task).\(n)", "parentCategory": home])
              #expect(try context.count(FetchRequest("Item")) == before + 1)
            }
            let snapshot = await todo.snapshot
            let count = try snapshot.count(
              FetchRequest("Item", where: "parentCategory == %@", home))
            #expect(try snapshot.object(home.id)?["openCount"] == .integer(Int64(count)))
            _ = try home.objects("items").map { try $0["title"] }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try home["openCount"] == 160)
    #expect(try await watcher.value == todo.snapshot.objectIDs(request).map { .object($0) })
  }

  @Test("get the newest result as a Swift type")
  func values() async throws {
    struct Tag: Storable { var name = "" }
    let todo = try ContextActor(inMemory: Samples.model)
    let values = try await todo.values(
      of: FetchRequest("Tag").sorted(by: "name desc").limit(2), as: Tag.self)
    var answers = values.makeAsyncIterator()
    #expect(try await answers.next()?.map(\.name) == [])
    try await todo.perform { _ = try $0.insert("Tag", ["name": "a"]) }
    #expect(try await answers.next()?.map(\.name) == ["a"])
    for name in ["b", "c", "d"] {
      try await todo.perform { _ = try $0.insert("Tag", ["name": name]) }
    }
    #expect(try await answers.next()?.map(\.name) == ["d", "c"])
    try await todo.perform { context in
      _ = try context.update(FetchRequest("Tag", where: "name == 'd'"), ["name": "e"])
    }
    #expect(try await answers.next()?.map(\.name) == ["e", "c"])
    try await todo.perform {
      try $0.migrate(to: Model { Entity("Other") })
    }
    #expect(try await answers.next() == nil)
    await #expect(throws: StoreError.self) { _ = try await todo.values(of: Tag.self) }
  }

  @Test("never see a group that is not complete")
  func wholeGroups() async throws {
    struct Tag: Storable { var name = "" }
    let todo = try ContextActor(inMemory: Samples.model)
    let values = try await todo.values(of: Tag.self)
    let counts = Task {
      var counts: [Int] = []
      for try await tags in values {
        counts.append(tags.count)
        if tags.count == 600 { break }
      }
      return counts
    }
    for n in 0..<200 {
      try await todo.perform("three") { context in
        for part in 0..<3 { try context.insert("Tag", ["name": "\(n).\(part)"]) }
      }
    }
    #expect(try await counts.value.allSatisfy { $0.isMultiple(of: 3) })
  }

  @Test("observe how a result changes, until the fetch is no longer possible")
  func endOfChanges() async throws {
    let todo = try ContextActor(inMemory: Samples.model)
    let changes = try await todo.changes(of: FetchRequest("Tag").sorted(by: "name"))
    try await todo.perform { context in
      try context.insert("Tag", ["name": "a"])
      try context.migrate(
        to: Model { Entity("Tag") { Attribute("title", .string, isOptional: true) } })
      try context.insert("Tag", ["title": "b"])
    }
    var count = 0
    for await change in changes { count += change.events.count }
    #expect(count == 1)
    await #expect(throws: Diagnostic.self) {
      _ = try await todo.changes(of: FetchRequest("Tag", where: "name == 'a'"))
    }
  }

  @Test("a group on the actor is all or nothing")
  func group() async throws {
    struct Stop: Error {}
    let todo = try ContextActor(inMemory: Samples.model)
    await #expect(throws: Stop.self) {
      try await todo.perform("all") { context in
        try context.insert("Tag", ["name": "a"])
        throw Stop()
      }
    }
    #expect(try await todo.snapshot.count(FetchRequest("Tag")) == 0)
  }

  @Test("save to one file from several actors")
  func files() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("todo.json")
    _ = try Store.create(path, Samples.model)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          let todo = try ContextActor(opening: path)
          for n in 0..<5 {
            try await todo.perform { context in
              try context.insert("Tag", ["name": "\(task).\(n)"])
              try context.save()
            }
          }
          await todo.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try Store.open(path)
    #expect(try store.context.count(FetchRequest("Tag")) == 20)
    #expect(try Set(store.context.fetch(FetchRequest("Tag")).map { try $0["name"] }).count == 20)
  }

  @Test("watch fetches of a file that eight of them save to")
  func watchedFile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("todo.json")
    _ = try Store.create(path, Samples.model)
    let request = try FetchRequest("Tag").sorted(by: "name")
    let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          let todo = try ContextActor(opening: path)
          let changes = try await todo.changes(of: request)
          let first = try await todo.snapshot.shown(request)
          for n in 0..<3 {
            try await todo.perform { context in
              try context.insert("Tag", ["name": "\(task).\(n)"])
              try context.save()
            }
            _ = try await todo.refresh()
          }
          while try await todo.snapshot.count(request) < 24 {
            // Lets the other tasks run.
            try await Task.sleep(for: .milliseconds(1))
            _ = try await todo.refresh()
          }
          return try await Self.rows(first, changes, 24) == todo.snapshot.shown(request)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: true, count: 8))
  }

  /// Returns the content of a list that only applies events, once it has `count` rows.
  private static func rows(
    _ first: [FetchedResultsChange.Row], _ changes: AsyncStream<FetchedResultsChange>, _ count: Int
  ) async -> [FetchedResultsChange.Row] {
    var shown = first
    for await change in changes {
      let gone = change.events.compactMap { event -> Int? in
        switch event {
        case .delete(_, let place), .move(_, let place, _, _): place[1]
        default: nil
        }
      }
      for place in gone.sorted(by: >) { shown.remove(at: place) }
      let come = change.events.compactMap { event -> (row: FetchedResultsChange.Row, at: Int)? in
        switch event {
        case .insert(let row, let place), .move(let row, _, let place, _): (row, place[1])
        default: nil
        }
      }
      for (row, place) in come.sorted(by: { $0.at < $1.at }) { shown.insert(row, at: place) }
      if shown.count == count { return shown }
    }
    return shown
  }

  @MainActor @Test("a store belongs to the main actor if it is created there")
  func mainActor() async throws {
    let store = try Store.inMemory(Samples.model)
    let tag = try store.context.insert("Tag", ["name": "a"])
    let snapshot = store.context.snapshot
    let name = try await Task.detached { try (tag["name"], snapshot.count(FetchRequest("Tag"))) }
      .value
    #expect(name.0 == "a" && name.1 == 1)
  }
}

extension Snapshot {
  fileprivate func shown(_ request: FetchRequest) throws -> [FetchedResultsChange.Row] {
    try objectIDs(request).map { .object($0) }
  }
}

@Suite("The changes of a context")
struct ObjectChangesTests {
  @Test("contain each operation, a group once, and no failed operation")
  func changes() async throws {
    let context = try Store.inMemory(Samples.model).context
    let changes = context.changes
    let tag = try context.insert("Tag", ["name": "a"])
    try context.update(tag, ["name": "b"])
    #expect(throws: Diagnostic.self) { try context.update(tag, ["nam": "c"]) }
    try context.perform("both") {
      try context.insert("Tag", ["name": "c"])
      try context.delete(tag)
    }
    try context.undo()
    context.rollback()
    var seen: [ObjectChanges] = []
    for await change in changes {
      seen.append(change)
      if change.kind == .rolledBack { break }
    }
    #expect(seen.map(\.kind) == [.performed, .performed, .committed, .undone, .rolledBack])
    #expect(seen.map(\.actionName) == ["insert Tag", "update Tag", "both", "both", "rollback"])
    #expect(seen[0].inserted == [tag.id] && seen[1].updated == [tag.id: ["name"]])
    #expect(seen[2].deleted == [tag.id] && seen[2].inserted.count == 1)
  }
}
