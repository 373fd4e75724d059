import Testing

@testable import KuraShell

@Suite("Text for a narrow terminal")
struct WrappedTextTests {
  @Test("is wrapped between words, with aligned continuation lines")
  func broken() {
    let text = """
      Kura 0.1.0, a long name of a store.json: 3 entities. Type .help for help.
        fetch     the objects of an entity that a predicate lets through
        count     how many
      """
    #expect(
      WrappedText(width: 40).text(text) == """
        Kura 0.1.0, a long name of a store.json:
        3 entities. Type .help for help.
          fetch     the objects of an entity
                    that a predicate lets
                    through
          count     how many
        """)
  }

  @Test("may be a question, with the space after it") func question() {
    let text = "This deletes 3 Category and 7 Item. Continue? [y/N]: "
    #expect(
      WrappedText(width: 40).lines(of: text) == [
        "This deletes 3 Category and 7 Item.", "Continue? [y/N]: ",
      ])
    #expect(WrappedText(width: nil).lines(of: text) == [text])
  }

  @Test("may have colours, which take no space")
  func colored() {
    let red = "\u{1B}[1;31merror\u{1B}[0m: "
    #expect(WrappedText(width: 20).text(red + "a few words") == red + "a few words")
    #expect(WrappedText(width: 20).text(red + "a few words here") == red + "a few words\nhere")
  }

  @Test("is cut in the lines of a table")
  func tables() {
    let text = "    ┌────────────┬────────────┐\n    │ objectID   │ 父の誕生日 │\n    (1 row)"
    #expect(
      WrappedText(width: 24).text(text)
        == "    ┌────────────┬─────…\n    │ objectID   │ 父の…\n    (1 row)")
  }

  @Test("may be a tree, whose lines continue beside its branches")
  func trees() {
    let text = """
      AND: NO
      ├─ model CONTAINS[c] "hiaceABC": NO ← decides (model is "hiace")
      │  ├─ a: NO ← decides (a is "hiace")
      └─ km > 100: not evaluated (km is 3.25)
      """
    #expect(
      WrappedText(width: 30).text(text) == """
        AND: NO
        ├─ model CONTAINS[c]
        │  "hiaceABC": NO ← decides
        │  (model is "hiace")
        │  ├─ a: NO ← decides (a is
        │  │  "hiace")
        └─ km > 100: not evaluated (km
           is 3.25)
        """)
  }

  @Test("is unchanged without a terminal, or if a word is too long")
  func stays() {
    #expect(WrappedText(width: nil).text("a b") == "a b")
    let long = String(repeating: "x", count: 50)
    #expect(WrappedText(width: 40).text("誕生日 \(long) y") == "誕生日\n\(long)\ny")
  }
}
