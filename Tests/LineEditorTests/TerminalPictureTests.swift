import Testing

@testable import LineEditor

/// libedit does not draw, but it still has a picture of the window in memory.
extension TerminalEditorTests {
  /// If a command of libedit moves to a row outside the window, its cursor stays in the first row.
  /// Text that was then typed at once was written after the last row, and ended the program.
  @Test(
    "can be edited after a text with more rows than the window",
    arguments: [(7, 4), (3, 2), (2, 1), (12, 3)])
  func moreRowsThanTheWindow(columns: Int, rows: Int) throws {
    let session = try Session(
      columns: columns, rows: rows, settings: "bind ^T ed-move-to-beg\nbind ^O ed-move-to-end\n")
    defer { session.close() }
    session.isBlind = true
    defer { session.isBlind = false }
    let keys = String(repeating: "a", count: 60) + "\u{14}\u{F}" + String(repeating: "b", count: 40)
    for key in keys {
      session.type(String(key))
      session.drain(waiting: 1)
    }
    session.type(";\r")
    let expected = keys.filter { $0 == "a" || $0 == "b" } + ";"
    try session.wait("the text") {
      session.eventIfAny(waiting: 20) == .text(expected)
    }
  }

  @Test("leaves no empty row after a statement that fills its last one") func fullRow() throws {
    let session = try Session(columns: 12)
    defer { session.close() }
    session.type("012345678;\r")
    #expect(try session.event() == .text("012345678;"))
    #expect(session.screen == ["> 012345678;", ">"])
  }
}
