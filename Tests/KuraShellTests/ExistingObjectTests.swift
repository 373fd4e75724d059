import Testing

@testable import KuraShell

/// `exists MemoDate/99` is a valid query.
@Suite("A query about an object that may not exist")
struct ExistingObjectTests {
  private func output(_ statement: String) throws -> String {
    try TestFolder().run(statement).output
  }

  @Test(
    "is true or false, and a count is a number",
    arguments: [
      ("exists MemoDate/1", "true"), ("exists MemoDate/99", "false"),
      ("exists MemoDate/1 where title == \"x\"", "false"),
      ("exists MemoDate/99 where title == \"x\"", "false"), ("count MemoDate/99", "0"),
      ("count MemoDate/1", "1"), ("print (exists MemoDate/99), (count MemoDate/99)", "false,0"),
      ("let $e = exists MemoDate/99; print $e", "false"),
      ("delete MemoDate/1; exists MemoDate/1; rollback", "false"),
    ])
  func answers(statement: String, answer: String) throws {
    #expect(try output(".mode csv\n" + statement).contains(answer + "\n"))
  }

  @Test("still fails for a fetch, and for an unknown entity")
  func errors() throws {
    #expect(try output("fetch MemoDate/99").contains("error: there is no object MemoDate/99"))
    #expect(
      try output("let $e = fetch MemoDate/99").contains("error: there is no object MemoDate/99"))
    #expect(try output("exists Memo/99").contains("error: there is no entity \"Memo\""))
    #expect(try output("exists MemoDate/99 where titl == 1").contains("error: MemoDate has no key"))
  }
}
