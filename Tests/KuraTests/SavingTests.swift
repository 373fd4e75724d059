import Foundation
import Kura
import TestSupport
import Testing

@Suite("A store in a file")
struct SavingTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("todo.json")
  }

  private func made() throws -> Store {
    let store = try Store.create(path, Samples.model)
    let home = try store.context.insert("Category", ["name": "家"])
    try store.context.insert("Item", ["title": "掃除", "parentCategory": home])
    try store.context.save()
    return store
  }

  @Test("is created, saved, closed and opened again")
  func keeps() throws {
    let store = try made()
    #expect(!store.context.hasChanges && store.path == path && store.readOnlyReason == nil)
    #expect(store.close() == [])
    let again = try Store.open(path, model: try Samples.model)
    #expect(try again.context.first(FetchRequest("Item"))?["title"] == "掃除")
    #expect(try again.context.object("Category", 1)?["openCount"] == 1)
    #expect(try !again.context.save().hasSaved)
  }

  @Test("is created only if there is no file, unless it replaces one")
  func exists() throws {
    _ = try made()
    guard case .exists(path)? = storeError({ _ = try Store.create(path, try Samples.model) }) else {
      return #expect(Bool(false))
    }
    #expect(try Store.openOrCreate(path, Samples.model).context.count(FetchRequest("Item")) == 1)
    let anew = try Store.create(path, Samples.model, replacing: true)
    #expect(try anew.context.count(FetchRequest("Item")) == 0)
  }

  @Test("is opened even if it cannot be locked, as in a read-only folder")
  func opensWithoutLock() throws {
    try made().close()
    try FileManager.default.createDirectory(
      atPath: path + ".lock", withIntermediateDirectories: false)
    let store = try Store.openOrCreate(path, Samples.model)
    #expect(try store.context.count(FetchRequest("Item")) == 1)
  }

  @Test("that is missing, or is not one, is reported as such")
  func missing() throws {
    guard case .file(let problems)? = storeError({ _ = try Store.open(path) }) else {
      return #expect(Bool(false))
    }
    #expect(problems.count == 1)
    try Data("{".utf8).write(to: URL(filePath: path))
    guard case .file? = storeError({ _ = try Store.open(path) }) else {
      return #expect(Bool(false))
    }
  }

  @Test("saves nothing that breaks rules, and keeps the changes")
  func invalid() throws {
    let store = try made()
    let item = try store.context.insert("Item", ["title": ""])
    guard case .invalid(let failures)? = storeError({ try store.context.save() }) else {
      return #expect(Bool(false))
    }
    #expect(failures.map(\.object) == [item.id])
    #expect(store.context.hasChanges)
    let other = try Store.open(path)
    #expect(try other.context.count(FetchRequest("Item")) == 1)
  }

  @Test("merges what others have saved, at a save and at a refresh")
  func others() throws {
    let (store, other) = (try made(), try Store.open(path))
    #expect(try other.refresh() == nil)
    try store.context.insert("Tag", ["name": "a"])
    #expect(try !store.context.save().tookInOthers)
    try other.context.insert("Item", ["title": "庭"])
    let result = try other.context.save()
    #expect(result.tookInOthers && result.renumbered.isEmpty)
    #expect(try store.refresh() != nil)
    #expect(try store.context.count(FetchRequest("Item")) == 2)
  }

  @Test("gives new objects other numbers if others have used theirs; handles follow")
  func renumbers() throws {
    let (store, other) = (try made(), try Store.open(path))
    let (here, there) = (
      try store.context.insert("Tag", ["name": "here"]),
      try other.context.insert("Tag", ["name": "there"])
    )
    try store.context.save()
    let result = try other.context.save()
    #expect(result.renumbered.values.map(\.number) == [2])
    #expect(there.id.number == 2 && here.id.number == 1)
    #expect(try there["name"] == "there")
    #expect(try other.context.object("Tag", 1)?["name"] == "here")
    try other.context.update(there, ["name": "still there"])
    #expect(try there["name"] == "still there")
  }

  @Test("refuses conflicting changes with each conflict, or resolves them")
  func conflicts() throws {
    let (store, other) = (try made(), try Store.open(path))
    let item = FetchRequest("Item")
    try store.context.update(item, ["title": "here"])
    try store.context.save()
    try other.context.update(item, ["title": "there"])
    guard case .conflicts(let conflicts)? = storeError({ try other.context.save() }) else {
      return #expect(Bool(false))
    }
    #expect(conflicts.map(\.description).first?.contains("\"掃除\"") == true)
    #expect(conflicts[0].new == "there" && conflicts[0].stored == "here")
    guard case .conflicts? = storeError({ try other.refresh() }) else {
      return #expect(Bool(false))
    }
    other.context.mergePolicy = .store
    #expect(try other.context.save().settledConflicts.count == 1)
    #expect(try other.context.first(item)?["title"] == "here")
  }

  @Test("can be opened read-only")
  func readOnly() throws {
    _ = try made()
    var options = StoreOptions()
    options.isReadOnly = true
    let store = try Store.open(path, options: options)
    try store.context.insert("Tag", ["name": "a"])
    guard case .readOnly? = storeError({ try store.context.save() }) else {
      return #expect(Bool(false))
    }
    try store.save(as: folder.path("other.json"))
    #expect(store.path == folder.path("other.json"))
  }

  @Test("in memory, or of plain JSON, is saved to another file")
  func elsewhere() throws {
    let store = try Store.inMemory(Samples.model)
    try store.context.insert("Tag", ["name": "a"])
    #expect(try store.context.save().hasSaved && !store.context.hasChanges)
    #expect(try !store.context.save().hasSaved && store.refresh() == nil)
    try store.save(as: path)
    try store.context.insert("Tag", ["name": "b"])
    #expect(try store.context.save().hasSaved)
    let plain = folder.path("Song.json")
    try Data(#"[{"title": "a"}, {"title": "b"}]"#.utf8).write(to: URL(filePath: plain))
    let songs = try Store.open(plain).context
    #expect(try songs.count(FetchRequest("Song")) == 2)
    try songs.insert("Song", ["title": "c"])
    guard case .notKept? = storeError({ try songs.save() }) else { return #expect(Bool(false)) }
  }

  @Test("in memory refuses what breaks the rules, as in a file")
  func rulesInMemory() throws {
    let context = try Store.inMemory(Samples.model).context
    try context.insert("Item", ["title": ""])
    guard case .invalid? = storeError({ try context.save() }) else {
      return #expect(Bool(false))
    }
    #expect(context.hasChanges)
    let said = storeError { try context.save() }?.localizedDescription ?? ""
    #expect(said.hasPrefix("the changes break the rules of the model:"), "\(said)")
  }

  @Test("loses nothing under a newer model unless that is requested")
  func keepsValues() throws {
    let text = "entity Item { title: string min 1; n: integer = 0; tags: [Tag] inverse items }\n"
    let tags = "entity Tag { items: [Item] inverse tags }"
    let store = try Store.create(path, try Model(parsing: text + tags))
    try store.context.insert("Item", ["title": "大切なもの", "n": 7])
    try store.context.save()
    store.close()
    let newer = try Model(parsing: "entity Item { name: string? }")
    func open(_ policy: MigrationPolicy) throws -> Store {
      try Store.open(path, model: newer, options: StoreOptions(migration: policy))
    }
    guard case .migration(let problems)? = storeError({ _ = try open(.automatic()) }) else {
      return #expect(Bool(false))
    }
    #expect(
      problems.map(\.localizedDescription) == [
        "one object uses Item.title, which is not in the new model",
        "one object uses Item.n, which is not in the new model",
      ])
    let renames = ModelRenames(keys: ["Item.name": "title"])
    #expect(storeError { _ = try open(.automatic(renaming: renames)) } != nil)
    let kept = try open(.automatic(renaming: renames, dropping: ["Item.n"]))
    #expect(try kept.context.first(FetchRequest("Item"))?["name"] == "大切なもの")
    try kept.context.save()
  }

  @Test("opens under a newer model on request")
  func migrates() throws {
    _ = try made().close()
    let newer = try Model(parsing: Samples.model.text.replacing("title", with: "name"))
    guard case .otherModel? = storeError({ _ = try Store.open(path, model: newer) }) else {
      return #expect(Bool(false))
    }
    var options = StoreOptions()
    options.migration = .automatic(renaming: ModelRenames(keys: ["Item.name": "title"]))
    let store = try Store.open(path, model: newer, options: options)
    #expect(try store.context.first(FetchRequest("Item"))?["name"] == "掃除")
    #expect(try store.context.save().hasSaved)
    #expect(try Store.open(path, model: newer).context.count(FetchRequest("Item")) == 1)
  }

  @Test("opens if only indexes and saved requests differ, and keeps those of the file")
  func otherIndexes() throws {
    _ = try made().close()
    let model = try Samples.model
    let indexed = try Model(
      parsing: model.text.replacing("entity Item {", with: "entity Item {\n  index priority"))
    #expect(indexed != model)
    let store = try Store.open(path, model: indexed)
    #expect(store.context.model == model)
    var options = StoreOptions()
    options.migration = .automatic()
    let migrated = try Store.open(path, model: indexed, options: options)
    #expect(migrated.context.model == indexed)
    #expect(try migrated.context.count(FetchRequest("Item")) == 1)
  }

  @Test("reports that its file was written")
  func fileChanges() async throws {
    let store = try made()
    var iterator = store.fileChanges(every: .milliseconds(20)).makeAsyncIterator()
    let other = try Store.open(path)
    try other.context.insert("Tag", ["name": "a"])
    try other.context.save()
    #expect(await iterator.next() != nil)
    #expect(try store.refresh() != nil)
  }
}

extension SavingTests {
  @Test("preserves microseconds of a date, and finds objects by them")
  func microseconds() throws {
    let model = try Model(parsing: "entity Event { at: date; note: json? }")
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000.123456.nextUp)
    let store = try Store.create(folder.path("events.json"), model)
    let event = try store.context.insert("Event", ["at": date, "note": ["at": date]])
    let kept = try #require(event["at"].dateValue)
    #expect(kept != date && abs(kept.timeIntervalSince(date)) < 1e-6)
    for question in ["at == %@", "at >= %@", "at <= %@", "at IN {%@}", "NOT at != %@"] {
      #expect(try store.context.count(FetchRequest("Event", where: question, date)) == 1)
    }
    let asked = try FetchRequest("Event", where: "at == $day").with(["day": date])
    #expect(try store.context.count(asked) == 1)
    #expect(try store.context.count(FetchRequest("Event", where: "at > %@", date)) == 0)
    try store.context.update(event, ["at": date])
    try store.context.save()
    let again = try Store.open(folder.path("events.json"))
    #expect(try again.context.count(FetchRequest("Event", where: "at == %@", date)) == 1)
  }
}
