import Foundation
import Testing

@testable import KuraShell

@Suite("Two sessions at one store")
struct TwoSessionTests {
  private let folder: TestFolder
  private let one: TestSession
  private let other: TestSession
  private static let saved = "saved: FOLDER/dates.json\n"

  init() throws {
    folder = try TestFolder()
    one = try TestSession(folder)
    other = try TestSession(folder)
  }

  @Test("lose nothing if the other alters the model during unsaved changes")
  func modelOfTheOther() throws {
    one("insert Category name = \"仕事\"")
    #expect(other("alter entity Item add note: string?; save").hasSuffix(Self.saved))
    let refusal = """
      error: another session saved the store, and Kura cannot merge model changes with that save
        save to another file with save "FILE", or use rollback, then .refresh

      """
    let written = folder.text("dates.json")
    #expect(one("save") == refusal)
    #expect(one(".refresh") == refusal)
    #expect(folder.text("dates.json") == written)
    #expect(one("count Category where name == \"仕事\"") == "1\n")
    #expect(one("save \"FOLDER/mine.json\"") == "saved: FOLDER/mine.json\n")
    #expect(try #require(folder.text("mine.json")).contains("仕事"))
  }

  @Test("lose nothing if this one alters the model after a save of the other")
  func modelOfThisOne() throws {
    one("alter entity Item add note: string?")
    other("insert Category name = \"仕事\"; save")
    #expect(one("save").hasPrefix("error: another session saved the store, and Kura cannot"))
    #expect(one("rollback") == "rolled back: 1 entity\n")
    #expect(
      one(".refresh\ncount Category").hasSuffix("the saves of other sessions were merged\n2\n")
    )
    #expect(one("alter entity Item add note: string?; save").hasSuffix(Self.saved))
    #expect(other(".refresh\nfetch Item select note, title").contains("掃除"))
  }

  @Test("get every conflict, with its three values; nothing is saved")
  func conflicts() {
    one("update Item/1 set title = \"洗濯\", parentCategory = NULL; update Tag/1 set name = \"x\"")
    other("update Item/1 set title = \"料理\"; insert Category name = \"台所\"")
    other("update Item/1 set parentCategory = Category/2; save")
    #expect(
      one("save") == """
        error: Item/1: "title" was "掃除"; it is now "洗濯" here and "料理" in the store
        error: Item/1: "parentCategory" was Category/1; it is now NULL here and Category/2 in the store
        note: nothing was saved: 2 changes conflict with another save
          .merge store keeps the saved values, .merge memory keeps yours; then save again; or undo your changes: undo, rollback

        """)
    #expect(
      one(".refresh").hasSuffix(
        """
        note: nothing was read: 2 changes conflict with another save
          .merge store keeps the saved values, .merge memory keeps yours; then .refresh again; or undo your changes: undo, rollback

        """))
    #expect(one("fetch Item/1").contains("洗濯"))
    #expect(other(".refresh") == "there are no newer saves\n")
  }

  @Test("keep the store's values with .merge store, with a message")
  func policyStore() {
    one("update Item/1 set title = \"洗濯\"; update Tag/1 set name = \"x\"\n.merge store")
    other("update Item/1 set title = \"料理\"; save")
    #expect(
      one("save") == """
        Item/1: "title" was "掃除"; it is now "洗濯" here and "料理" in the store: \
        the saved version was kept
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """)
    #expect(one("print Item/1.title, Tag/1.name").contains("│ 料理         │ x"))
  }

  @Test("store their own values with .merge memory, with a message")
  func policyMemory() {
    one("update Item/1 set title = \"洗濯\"\n.merge memory")
    other("update Item/1 set title = \"料理\"; save")
    #expect(
      one("save") == """
        Item/1: "title" was "掃除"; it is now "洗濯" here and "料理" in the store: \
        your version was kept
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """)
    #expect(other(".refresh\nprint Item/1.title").contains("洗濯"))
  }

  @Test("agree if both deleted the same object")
  func bothDeleted() {
    one("delete MemoDate/1; insert Category name = \"仕事\"")
    other("delete MemoDate/1; save")
    #expect(one("save") == "saved: FOLDER/dates.json, merged with the saves of other sessions\n")
    #expect(
      other(".refresh\ncount MemoDate") == "the saves of other sessions were merged\n2\n")
  }

  @Test(
    "get a message about a change of an object that the other deleted",
    arguments: ["store", "memory"])
  func deletedThere(_ policy: String) {
    one("update MemoDate/1 set title = \"x\"")
    other("delete MemoDate/1; save")
    #expect(
      one("save").hasPrefix("error: MemoDate/1 was changed here, but deleted in the store\n"))
    #expect(
      one(".merge \(policy)\nsave") == """
        MemoDate/1 was changed here, but deleted in the store: the saved version was kept
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """)
    #expect(one("count MemoDate") == "2\n")
  }

  @Test("get a message about a deletion of an object that the other changed")
  func deletedHere() {
    one("delete MemoDate/1")
    other("update MemoDate/1 set title = \"x\"; save")
    let conflict = "MemoDate/1 was deleted here, but its \"title\" is now \"x\" in the store"
    #expect(one("save").hasPrefix("error: \(conflict)\n"))
    #expect(one(".merge store\nsave").hasPrefix("\(conflict): the saved version was kept\n"))
    #expect(one("print MemoDate/1.title").contains("x"))
    one("delete MemoDate/1\n.merge memory")
    other(".refresh\nupdate MemoDate/1 set title = \"y\"; save")
    #expect(
      one("save").hasPrefix(
        "MemoDate/1 was deleted here, but its \"title\" is now \"y\" in the store: "
          + "your version was kept\n"))
    #expect(one("count MemoDate") == "2\n")
  }

  @Test(
    "then lose only the values of a deleted object, with every policy",
    arguments: ["error", "store", "memory"])
  func movedBeforeDeletion(_ policy: String) throws {
    one("entity Box { name: string; things: [Thing] inverse box delete cascade }")
    one("entity Thing { name: string; box: Box? inverse things }")
    one("insert Box name = \"箱\"; insert Box name = \"棚\"; insert Thing name = \"物\", box = Box/1")
    one("save")
    let two = try TestSession(folder)
    two(".merge \(policy)\nupdate Thing/1 set box = Box/2; delete Box/1")
    one("update Tag/1 set name = \"x\"; save")
    #expect(two("save") == "saved: FOLDER/dates.json, merged with the saves of other sessions\n")
    #expect(two("print Thing/1.box.name").contains("棚"))
    #expect(one(".refresh\ncount Thing; count Box").hasSuffix("1\n1\n"))
  }

  @Test("keep with .merge store a deleted object that the other has linked")
  func deletionMeetsAddition() throws {
    one("entity Box { name: string; things: [Thing] inverse box delete cascade }")
    one("entity Thing { name: string; box: Box? inverse things }")
    one("insert Box name = \"箱\"; insert Thing name = \"物\", box = Box/1; save")
    let two = try TestSession(folder)
    two("delete Box/1")
    one("insert Thing name = \"宝\", box = Box/1; save")
    let conflict =
      "Thing/2, which another session has added to Box/1, would be deleted along with it"
    #expect(two("save").hasPrefix("error: \(conflict)\n"))
    #expect(
      two(".merge store\nsave") == """
        \(conflict): the saved version was kept
        Thing/1 was deleted here together with Box/1, which is kept: the saved version was kept
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """)
    #expect(two("print Box/1.things.name").contains("宝"))
    #expect(two("count Thing") == "2\n")
  }

  @Test("agree on the same value, but not if both have counted up from one number")
  func sameValue() throws {
    one("entity Counter { n: integer; done: boolean }; insert Counter n = 0, done = NO; save")
    let two = try TestSession(folder)
    two("update Counter/1 set n += 1; update Counter/1 set done = YES")
    one("update Counter/1 set n += 1; update Counter/1 set done = YES; save")
    let conflict = "Counter/1: \"n\" was 0; it is now 1 here and 1 in the store"
    #expect(
      two("save").hasPrefix("error: \(conflict)\nnote: nothing was saved: 1 change conflicts"))
    #expect(two("undo; undo\n.refresh\nupdate Counter/1 set n += 1; save").hasSuffix(Self.saved))
    #expect(one(".refresh\nprint Counter/1.n").contains("2"))
  }

  @Test("get a message about a dropped deletion, if the other links to the object")
  func deletionMeetsLink() {
    one("delete Tag/1")
    other("insert Item title = \"新\", tags = {Tag/1}; save")
    let conflict = "in the store, Item/2: \"tags\" refers to Tag/1, which was deleted here"
    #expect(one("save").hasPrefix("error: \(conflict)\n"))
    #expect(one(".merge store\nsave").hasPrefix("\(conflict): the saved version was kept\n"))
    #expect(one("print Tag/1.items.@count").contains("2"))
  }

  @Test("keep the changes of both to a to-many relationship")
  func members() {
    one("insert Tag name = \"家事\"; insert Tag name = \"週末\"; save")
    other(".refresh\nupdate Item/1 set tags += Tag/2; save")
    one("update Item/1 set tags += Tag/3; update Item/1 set tags -= Tag/1")
    #expect(one("save").hasSuffix("merged with the saves of other sessions\n"))
    #expect(one("print Item/1.tags.@count, Tag/2.items.@count, Tag/1.items.@count").contains("2"))
    #expect(one("count Tag where ANY items == Item/1") == "2\n")
  }

  @Test("use no number twice, even after an undo")
  func numberOfAnUndoneObject() {
    one("let $i = insert Item title = \"mine\"; undo")
    other("insert Item title = \"theirs\"; save")
    #expect(one(".refresh") == "the saves of other sessions were merged\n")
    #expect(one("insert Item title = \"new\"") == "1 inserted: Item/4\n")
    one("undo; undo; redo")
    #expect(one("fetch Item select objectID, title").contains("theirs"))
    let third = one("print $i.title")
    #expect(!third.contains("theirs"))
  }

  @Test("give new objects other numbers, with a message; variables follow")
  func renumbered() {
    one("let $c = insert Category name = \"仕事\"")
    other("insert Category name = \"台所\"; save")
    #expect(
      one("save; print $c.name, $c").hasPrefix(
        """
        Category/2 is now Category/3
        saved: FOLDER/dates.json, merged with the saves of other sessions

        """))
    #expect(one("print $c.name").contains("仕事"))
  }
}

@Suite("A save with nothing to save")
struct LostJournalTests {
  @Test("rewrites what was saved, if its journal was removed")
  func restores() throws {
    let folder = try TestFolder()
    let one = try TestSession(folder)
    one("insert Category name = \"仕事\"; save")
    #expect(one("save") == "nothing to save\n")
    try FileManager.default.removeItem(atPath: folder.path + "/dates.json.journal")
    #expect(
      one("save") == """
        warning: "FOLDER/dates.json.journal" was removed or truncated; its saves were written again

        """)
    #expect(folder.text("dates.json")?.contains("仕事") == true)
    #expect(one("save") == "nothing to save\n")
  }
}
