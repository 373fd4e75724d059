import Testing

@testable import KuraShell

@Suite("Undo after the saves of another session")
struct TwoSessionUndoTests {
  private let folder: TestFolder
  private let one: Talk
  private let other: Talk

  init() throws {
    folder = try TestFolder()
    one = try Talk(folder)
    other = try Talk(folder)
  }

  @Test(
    "does not cross a step that changed the model",
    arguments: [
      "alter entity Item add due: date?", "request Q() = fetch Item", "entity Z { a: string }",
    ])
  func modelStep(_ step: String) throws {
    one("\(step); save; update Tag/1 set name = \"later\"; save")
    other(".refresh\nupdate Item/1 set title = \"theirs\"; insert Item title = \"new\"; save")
    #expect(one(".refresh").contains("a step that changed the model"))
    #expect(one("undo") == "undone: update Tag\n")
    #expect(one("undo") == "nothing to undo\n")
    one("save")
    let third = try Talk(folder)
    #expect(third("count Item where title == \"theirs\" OR title == \"new\"") == "2\n")
  }

  @Test("drops a step that conflicts with others' changes, and continues with the one before")
  func givenUp() {
    one("insert Tag name = \"mine\"; update Item/1 set title = \"a\"; save")
    other(".refresh\nupdate Item/1 set title = \"theirs\"; save")
    one(".refresh")
    #expect(
      one("undo") == """
        error: "update Item" cannot be turned round: Item/1 has been changed by somebody else since
          undo
          ^~~~
          it is left out from now on; set what is to be there with update

        """)
    #expect(one("undo") == "undone: insert Tag\n")
    #expect(one("fetch Item/1 select title").contains("theirs"))
    #expect(one("redo") == "done again: insert Tag\n")
    #expect(one("redo") == "nothing to do again\n")
  }

  @Test("restores a deleted object as the others left it")
  func deletion() throws {
    one(".merge memory\ndelete Item/1")
    other("update Item/1 set title = \"theirs\"; save")
    #expect(one("save").contains("what is here was kept"))
    one("undo; save")
    #expect(one("count Item where title == \"theirs\"") == "1\n")
    let third = try Talk(folder)
    #expect(third("count Item where title == \"theirs\"") == "1\n")
  }

  @Test("is suggested if a deletion reaches what others have changed")
  func cascade() {
    one("entity Box { name: string; things: [Thing] inverse box delete cascade }")
    one("entity Thing { name: string; box: Box? inverse things }")
    one("insert Box name = \"箱\"; insert Thing name = \"物\", box = Box/1; save")
    other(".refresh\nupdate Thing/1 set name = \"宝\"; save")
    one(".merge error\ndelete Box/1")
    #expect(
      one("save") == """
        error: Thing/1 was deleted here, and in the store its "name" is "宝" now
        note: nothing was saved: 1 change meets what others have saved
          .merge store keeps what they have, .merge memory what is here; then save again; \
        or take back what meets it: undo, rollback

        """)
    one("undo\n.refresh")
    #expect(one("fetch Box select things.name").contains("宝"))
  }

  @Test("is not needed to identify the object of a conflict: it has the number known here")
  func numbers() {
    one("insert Item title = \"ours\", parentCategory = Category/1, tags = {Tag/1}")
    other("insert Item title = \"theirs\", parentCategory = Category/1; delete Tag/1; save")
    let conflict = "Item/2: \"tags\" leads to Tag/1, which was deleted in the store"
    #expect(one("save").hasPrefix("error: \(conflict)\n"))
    #expect(
      one(".merge memory\nsave") == """
        \(conflict): it leads there no more
        Item/2 is now Item/3
        saved: FOLDER/dates.json, with what others have saved meanwhile

        """)
  }
}
