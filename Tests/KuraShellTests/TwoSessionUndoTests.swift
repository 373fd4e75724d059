import Testing

@testable import KuraShell

@Suite("Undo after the saves of another session")
struct TwoSessionUndoTests {
  private let folder: TestFolder
  private let one: TestSession
  private let other: TestSession

  init() throws {
    folder = try TestFolder()
    one = try TestSession(folder)
    other = try TestSession(folder)
  }

  @Test(
    "does not cross a step that changed the model",
    arguments: [
      "alter entity Item add due: date?", "request Q() = fetch Item", "entity Z { a: string }",
    ])
  func modelStep(_ step: String) throws {
    one("\(step); save; update Tag/1 set name = \"later\"; save")
    other(".refresh\nupdate Item/1 set title = \"theirs\"; insert Item title = \"new\"; save")
    #expect(one(".refresh").contains("your model change and all earlier steps"))
    #expect(one("undo") == "undone: update Tag\n")
    #expect(one("undo") == "nothing to undo\n")
    one("save")
    let third = try TestSession(folder)
    #expect(third("count Item where title == \"theirs\" OR title == \"new\"") == "2\n")
  }

  @Test("drops a step that conflicts with others' changes, and continues with the one before")
  func givenUp() {
    one("insert Tag name = \"mine\"; update Item/1 set title = \"a\"; save")
    other(".refresh\nupdate Item/1 set title = \"theirs\"; save")
    one(".refresh")
    #expect(
      one("undo") == """
        error: "update Item" cannot be reversed: another session has changed Item/1 since
          undo
          ^~~~
          Kura skips this step from now on; set the values you need with update

        """)
    #expect(one("undo") == "undone: insert Tag\n")
    #expect(one("fetch Item/1 select title").contains("theirs"))
    #expect(one("redo") == "redone: insert Tag\n")
    #expect(one("redo") == "nothing to redo\n")
  }

  @Test("restores a deleted object as the others left it")
  func deletion() throws {
    one(".merge memory\ndelete Item/1")
    other("update Item/1 set title = \"theirs\"; save")
    #expect(one("save").contains("your version was kept"))
    one("undo; save")
    #expect(one("count Item where title == \"theirs\"") == "1\n")
    let third = try TestSession(folder)
    #expect(third("count Item where title == \"theirs\"") == "1\n")
  }

  @Test("is suggested if a deletion includes objects that others have changed")
  func cascade() {
    one("entity Box { name: string; things: [Thing] inverse box delete cascade }")
    one("entity Thing { name: string; box: Box? inverse things }")
    one("insert Box name = \"箱\"; insert Thing name = \"物\", box = Box/1; save")
    other(".refresh\nupdate Thing/1 set name = \"宝\"; save")
    one(".merge error\ndelete Box/1")
    #expect(
      one("save") == """
        error: Thing/1 was deleted here, but its "name" is now "宝" in the store
        note: nothing was saved: 1 change conflicts with another save
          .merge store keeps the saved values, .merge memory keeps yours; then save again; or undo your changes: undo, rollback

        """)
    one("undo\n.refresh")
    #expect(one("fetch Box select things.name").contains("宝"))
  }

  @Test("finds the object of a conflict, which has its number of this session")
  func numbers() {
    one("insert Item title = \"ours\", parentCategory = Category/1, tags = {Tag/1}")
    other("insert Item title = \"theirs\", parentCategory = Category/1; delete Tag/1; save")
    let conflict = "Item/2: \"tags\" refers to Tag/1, which was deleted in the store"
    #expect(one("save").hasPrefix("error: \(conflict)\n"))
    #expect(
      one(".merge memory\nsave") == """
        \(conflict): the reference was removed
        Item/2 is now Item/3
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """)
  }
}
