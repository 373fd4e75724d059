import Foundation
import TestSupport
import Testing

@testable import LineEditor

/// The editor on a terminal, one test at a time: signals belong to the whole process.
@Suite("The editor on a terminal", .serialized)
struct TerminalEditorTests {
  @Test func handsOverWhatWasTyped() throws {
    let session = try Session()
    defer { session.close() }
    session.type("fetch 誕生日;\r")
    #expect(try session.event() == .text("fetch 誕生日;"))
  }

  @Test(
    "supports a window of any size, and leaves it unchanged",
    arguments: [(65_535, 65_535), (65_535, 1), (1, 65_535), (0, 0), (1, 1), (2, 1), (0, 24)])
  func windows(columns: Int, rows: Int) throws {
    let before = mappedKilobytes
    #if os(Linux)
      #expect(before > 0, "the system does not tell what is mapped")
    #endif
    defer { #expect(mappedKilobytes - before < 2_000_000, "libedit's pictures of the window") }
    let session = try Session(columns: columns, rows: rows)
    defer { session.close() }
    session.type("title 誕生日 \(String(repeating: "x", count: 300));\r")
    let expected = "title 誕生日 \(String(repeating: "x", count: 300));"
    #expect(try session.event() == .text(expected))
    #expect(session.terminal.size == [columns, rows])
  }

  /// The peak address space of the process, if the system reports it.
  private var mappedKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }

  @Test func outlivesEveryChangeOfTheWindow() throws {
    let session = try Session()
    defer { session.close() }
    for (columns, rows) in [(1, 1), (65_535, 65_535), (0, 0), (3, 2), (65_535, 1), (80, 24)] {
      session.terminal.resize(columns: columns, rows: rows)
      session.type("誕生日 x")
      session.drain(waiting: 50)
    }
    session.type(";\r")
    #expect(try session.event() == .text(String(repeating: "誕生日 x", count: 6) + ";"))
  }

  @Test("edits Japanese by whole characters", arguments: [80, 40, 12])
  func editsJapanese(columns: Int) throws {
    let session = try Session(columns: columns)
    defer { session.close() }
    session.type("title 誕生日x")
    try session.sees(row: columns == 12 ? "日x" : "> title 誕生日x")
    session.type("\u{1B}[D\u{1B}[D\u{7F}")
    try session.sees(row: columns == 12 ? "> title 誕日" : "> title 誕日x")
    session.type("の\u{1},\u{5};\r")
    #expect(try session.event() == .text(",title 誕の日x;"))
  }

  @Test func putsTheCursorAtItsColumn() throws {
    let session = try Session()
    defer { session.close() }
    session.type("誕生日")
    try session.sees(row: "> 誕生日", cursorColumn: 8)
    session.type("\u{1B}[D")
    try session.sees(row: "> 誕生日", cursorColumn: 6)
    session.type("\u{1}")
    try session.sees(row: "> 誕生日", cursorColumn: 2)
  }

  @Test func joinsAMarkThatIsTypedAfterItsLetter() throws {
    let session = try Session()
    defer { session.close() }
    session.type("か")
    try session.sees(row: "> か")
    session.type("\u{3099}")
    try session.sees(row: "> が", cursorColumn: 4)
    session.type(";\r")
    // Equal texts may have three.
    guard case .text(let text) = try session.event() else {
      Issue.record("no text came")
      return
    }
    #expect(text.unicodeScalars.count == 2)
  }

  @Test func deletesAJoinedEmojiWhole() throws {
    let session = try Session()
    defer { session.close() }
    session.type("👨‍👩‍👧")
    try session.sees(row: "> 👨‍👩‍👧", cursorColumn: 4)
    session.type("\u{7F}a;\r")
    #expect(try session.event() == .text("a;"))
  }

  @Test func opensLinesWhileTheStatementIsNotComplete() throws {
    let session = try Session()
    defer { session.close() }
    session.type("fetch A\rwhere b")
    try session.sees(row: "- where b")
    session.type("\u{1B}[A!\u{1B}[B;\r")
    #expect(try session.event() == .text("fetch A!\nwhere b;"))
  }

  @Test func bringsBackAStatementOfSeveralLines() throws {
    let session = try Session()
    defer { session.close() }
    session.type("fetch A\rwhere b;\r")
    #expect(try session.event() == .text("fetch A\nwhere b;"))
    session.type("fet\u{1B}[A")
    try session.sees(row: "- where b;")
    session.type("\u{1B}[B")
    try session.sees(row: "> fetch A")
    session.type("\u{15}\u{1B}[A\u{1B}[A\u{1B}[Hx\r")
    #expect(try session.event() == .text("xfetch A\nwhere b;"))
  }

  @Test func takesAPasteAsText() throws {
    let session = try Session()
    defer { session.close() }
    session.type("\u{1B}[200~a;\tb\r誕生日;\r\u{1B}[201~")
    try session.sees(row: "- 誕生日;")
    session.type(";\r")
    #expect(try session.event() == .text("a;\tb\n誕生日;\n;"))
  }

  @Test("counts each line end of a paste once, with and without marks")
  func lineEndsOfAPaste() throws {
    let session = try Session()
    defer { session.close() }
    session.type("\u{1B}[200~a,\r\n  b\r\n\r\n  c\u{1B}[201~")
    try session.sees(row: "- " + "  c")
    session.type(";\r")
    #expect(try session.event() == .text("a,\n  b\n\n  c;"))
    session.type("first line of many,\r\nsecond line of many,\r\nthird;\r\n")
    #expect(
      try session.event() == .text("first line of many,\nsecond line of many,\nthird;"))
  }

  @Test func findsJapaneseInTheHistory() throws {
    let session = try Session()
    defer { session.close() }
    for statement in ["父の誕生日;", "other;"] {
      session.type(statement + "\r")
      #expect(try session.event() == .text(statement))
    }
    session.type("\u{12}誕")
    try session.sees(row: "(search: 誕) 父の誕生日;")
    session.type("\r")
    #expect(try session.event() == .text("父の誕生日;"))
  }

  @Test func controlCClearsAHalfTypedStatement() throws {
    let session = try Session()
    defer { session.close() }
    session.type("fetch A\rwhere")
    try session.sees(row: "- where")
    kill(getpid(), SIGINT)
    #expect(try session.event() == .interrupted)
    session.type("x;\r")
    #expect(try session.event() == .text("x;"))
  }

  @Test func controlDLeavesAnEmptyPromptOnly() throws {
    let session = try Session()
    defer { session.close() }
    session.type("ab\u{1B}[D\u{4}")
    try session.sees(row: "> a")
    session.type("\u{7F}\u{4}")
    #expect(try session.event() == .end)
  }

  @Test func leavesTheTerminalAsItWas() throws {
    let session = try Session()
    defer { session.close() }
    #expect(session.modes.contains("?2004h"))
    #expect(!session.terminal.isCooked)
    session.type("\u{4}")
    #expect(try session.event() == .end)
    try session.wait("the end of pastes") { session.modes.last == "?2004l" }
    #expect(session.terminal.isCooked)
  }

  @Test func drawsAnewInAWindowOfAnotherSize() throws {
    let session = try Session(columns: 30)
    defer { session.close() }
    session.type("0123456789 誕生日 0123456789")
    try session.sees(row: "56789", or: "> 0123456789 誕生日 0123456789")
    session.terminal.resize(columns: 14, rows: 10)
    kill(getpid(), SIGWINCH)
    try session.sees(row: "> 0123456789 ", or: "> 0123456789")
    session.type(";\r")
    #expect(try session.event() == .text("0123456789 誕生日 0123456789;"))
  }

  @Test func survivesAnythingThatIsTypedInATinyWindow() throws {
    var random = SeededNumbers(seed: 17)
    let keys = [
      "a", "誕", "か\u{3099}", "👨‍👩‍👧", "\r", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{7F}",
      "\u{1}", "\u{5}", "\u{B}", "\u{17}", "\u{19}", "\u{1B}b", "\u{1B}f", "\u{14}", "\u{10}", "\t",
      "\u{1B}[200~x\ny\u{1B}[201~", "\u{1B}[3~", "\u{C}", "\u{1B}d", "\u{1B}u", "\u{15}", "\u{F}",
    ]
    let session = try Session(columns: 5, rows: 3)
    defer { session.close() }
    for _ in 0..<1_500 {
      session.type(keys.randomElement(using: &random) ?? "a")
      session.drain()
    }
    session.type("\u{5}\r\u{15};\r")
    guard case .text(let text) = try session.event() else {
      Issue.record("the editor gave up")
      return
    }
    #expect(text.hasSuffix(";"))
  }
}
