import Kura
import TestSupport
import Testing

/// Two programs that have opened the same file, in which names are unique.
@Suite("Rules that others' objects break")
struct MergedRulesTests {
  let folder: TemporaryFolder
  let one: Store
  let other: Store

  init() throws {
    folder = try TemporaryFolder()
    let model = try Model(parsing: "entity Category { name: string unique }")
    one = try Store.create(folder.path("todo.json"), model)
    other = try Store.open(folder.path("todo.json"), model: model)
  }

  private func failures(_ body: () throws -> Void) -> [ValidationFailure] {
    do { try body() } catch StoreError.invalidTogether(let failures) { return failures } catch {}
    return []
  }

  @Test("are reported for the objects of the program, with the numbers that it knows")
  func ownNumbers() throws {
    try one.context.insert("Category", ["name": "家"])
    try one.context.save()
    let first = try other.context.insert("Category", ["name": "家"])
    let second = try other.context.insert("Category", ["name": "庭"])
    // The file already has a Category/1, so the first would be saved as 3.
    let failures = failures { try other.context.save() }
    #expect(failures.map(\.object) == [first.objectID])
    #expect(failures.first?.wanted == "Category/1 in the store")
    #expect(first.objectID?.number == 1 && second.objectID?.number == 2)
    try other.context.update(first, ["name": "道"])
    #expect(try other.context.save().renumbered.count == 1)
  }

  @Test("affect an undo, which alone is dropped")
  func undo() throws {
    let home = try one.context.insert("Category", ["name": "家"])
    try one.context.save()
    try other.refresh()
    try one.context.insert("Category", ["name": "庭"])
    try one.context.update(home, ["name": "道"])
    try one.context.save()
    try other.refresh()
    try other.context.update(FetchRequest("Category", where: "name == '道'"), ["name": "海"])
    try other.context.save()
    try one.refresh()
    #expect(throws: Diagnostic.self) { try one.context.undo() }
    #expect(try home["name"] == "海")
    #expect(try one.context.undo() == "insert Category")
  }

  @Test("leave nothing of a group that was to be saved at once, like a conflict")
  func performAndSave() throws {
    try one.context.insert("Category", ["name": "家"])
    try one.context.save()
    #expect(
      failures {
        _ = try other.context.performAndSave("mine") {
          try other.context.insert("Category", ["name": "家"])
        }
      }.count == 1)
    #expect(!other.context.hasChanges && other.context.undoableActionNames.isEmpty)
    try other.refresh()
    try one.context.update(FetchRequest("Category"), ["name": "庭"])
    try one.context.save()
    #expect(throws: StoreError.self) {
      try other.context.performAndSave("mine") {
        try other.context.update(FetchRequest("Category"), ["name": "海"])
      }
    }
    #expect(!other.context.hasChanges)
    #expect(try other.context.first(FetchRequest("Category"))?["name"] == "家")
  }

  @Test("leave earlier unsaved changes, and nothing of the group")
  func unsavedBefore() throws {
    try one.context.insert("Category", ["name": nil])
    #expect(throws: StoreError.self) {
      try one.context.performAndSave("good") {
        try one.context.insert("Category", ["name": "庭"])
      }
    }
    #expect(one.context.undoableActionNames == ["insert Category"])
    #expect(try one.context.count(FetchRequest("Category")) == 1)
  }

  @Test("are also reported for objects that keep their numbers")
  func sameNumbers() throws {
    try one.context.insert("Category", ["name": "家"])
    try one.context.save()
    try other.refresh()
    try one.context.insert("Category", ["name": "庭"])
    try one.context.save()
    let mine = try other.context.insert("Category", ["name": "庭"])
    let failures = failures { try other.context.save() }
    #expect(failures.map(\.object) == [mine.objectID])
    #expect(failures.first?.description.contains("in the store") == true)
  }
}
