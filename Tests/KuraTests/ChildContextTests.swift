import Kura
import Testing

@Suite("A child context")
struct ChildContextTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  @Test("passes its changes to its parent when it is saved, as one group")
  func saves() throws {
    let child = context.makeChild()
    try child.insert("Tag", ["name": "a"])
    try child.update(FetchRequest("Item"), ["done": true])
    #expect(try context.count(FetchRequest("Tag")) == 2)
    #expect(try child.save(actionName: "draft").hasSaved)
    #expect(try context.count(FetchRequest("Tag")) == 3)
    #expect(try context.undo() == "draft")
    #expect(try context.count(FetchRequest("Item", where: "done == YES")) == 1)
    #expect(try !child.save().hasSaved)
  }

  @Test("discards its changes when it is reset, and uses no number twice")
  func resets() throws {
    let child = context.makeChild()
    try child.insert("Tag", ["name": "a"])
    child.reset()
    #expect(!child.hasChanges)
    #expect(try context.insert("Tag", ["name": "b"]).id.number == 4)
  }

  @Test("is merged with its parent's later changes; new objects get other numbers")
  func merges() throws {
    let child = context.makeChild()
    let there = try child.insert("Tag", ["name": "there"])
    let here = try context.insert("Tag", ["name": "here"])
    #expect(there.id == here.id)
    let result = try child.save()
    #expect(result.renumbered.count == 1)
    #expect(there.id.number == 4 && here.id.number == 3)
    #expect(try context.object(there.id)?["name"] == "there")
    #expect(try context.fetch(FetchRequest("Tag")).count == 4)
  }

  @Test("resolves conflicts with its parent by its policy")
  func conflicts() throws {
    let item = try #require(context.object("Item", 1))
    let child = context.makeChild()
    try child.update(#require(child.object(item.id)), ["title": "child"])
    try context.update(item, ["title": "parent"])
    guard case .conflicts(let conflicts)? = storeError({ try child.save() }) else {
      return #expect(Bool(false))
    }
    #expect(conflicts.map(\.key) == ["title"])
    #expect(
      conflicts[0].old == "掃除" && conflicts[0].new == "child" && conflicts[0].stored == "parent")
    child.mergePolicy = .memory
    #expect(try child.save().settledConflicts.count == 1)
    #expect(try item["title"] == "child")
  }
}
