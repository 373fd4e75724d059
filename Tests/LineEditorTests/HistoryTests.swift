import Testing

@testable import LineEditor

@Suite("The history of a session")
struct HistoryTests {
  @Test("keeps what was entered", arguments: ["fetch MemoDate", "fetch A\n  where b == 1", "誕"])
  func keeps(statement: String) {
    var history = History()
    let isKept = history.add(statement)
    #expect(isKept)
    #expect(history.statements == [statement])
  }

  @Test(
    "excludes blank lines and lines with a leading space",
    arguments: ["", " ", "\n", " x", "\tx"])
  func leavesOut(statement: String) {
    var history = History()
    let isKept = history.add(statement)
    #expect(!isKept)
    #expect(history.statements.isEmpty)
  }

  @Test func theSameStatementTwiceInARowIsKeptOnce() {
    var history = History()
    for statement in ["a", "a", "b", "a"] { _ = history.add(statement) }
    #expect(history.statements == ["a", "b", "a"])
  }

  @Test func aSearchFindsTheNewestStatementFirst() {
    var history = History()
    for statement in ["父の誕生日", "x", "母の誕生日"] { _ = history.add(statement) }
    #expect(history.index(of: "誕", from: 2, .backward) == 2)
    #expect(history.index(of: "誕", from: 1, .backward) == 0)
    #expect(history.index(of: "誕", from: -1, .backward) == nil)
    #expect(history.index(of: "", from: 2, .backward) == nil)
  }

  @Test func aWalkComesBackToWhatWasBeingTyped() {
    var history = History()
    for statement in ["one", "two"] { _ = history.add(statement) }
    var walk = HistoryWalk(history)
    let steps = [
      walk.next(from: "dra"), walk.previous(from: "draft"), walk.previous(from: "two, changed"),
      walk.previous(from: "one"), walk.next(from: "one"), walk.next(from: "two, changed"),
      walk.jump(to: 0, from: "draft"),
    ]
    #expect(steps == [nil, "two", "one", nil, "two, changed", "draft", "one"])
  }
}
