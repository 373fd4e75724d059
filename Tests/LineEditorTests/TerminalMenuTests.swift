import Foundation
import Synchronization
import Testing

@testable import LineEditor

extension TerminalEditorTests {
  @Test("shows completions, and inserts the chosen one", arguments: [80, 40])
  func menu(columns: Int) throws {
    let session = try Session(columns: columns)
    defer { session.close() }
    session.type("where t\t")
    try session.sees(row: ">title         of title")
    try session.sees(row: " the only one  of the only one")
    session.type("\t\t\t")
    try session.sees(row: ">title         of title")
    session.type("\u{1B}[B\u{1B}[B\u{1B}[Z")
    try session.sees(row: ">tags          of tags")
    session.type("\r;\r")
    #expect(try session.event() == .text("where tags;"))
  }

  @Test func narrowsTheMenuWhileTypingGoesOn() throws {
    let session = try Session()
    defer { session.close() }
    session.type("t\t")
    try session.sees(row: ">title         of title")
    session.type("a")
    try session.sees(row: ">tags  of tags")
    session.type("\u{7F}\t\u{1B}")
    try session.wait("no menu") { !session.screen.contains { $0.contains("of tags") } }
    session.type("x;\r")
    #expect(try session.event() == .text("tx;"))
  }

  @Test func completesJapaneseAndTheOnlyOneAtOnce() throws {
    let session = try Session()
    defer { session.close() }
    session.type("誕\t")
    try session.sees(row: "> 誕生日", cursorColumn: 8)
    session.type(" d\t;\r")
    #expect(try session.event() == .text("誕生日 done;"))
    session.type("nothing\t")
    try session.sees(row: "no completions")
    session.type(";\r")
    #expect(try session.event() == .text("nothing;"))
  }

  @Test("merges a typed space after a choice with the inserted one")
  func blank() throws {
    let session = try Session()
    defer { session.close() }
    for (keys, row) in [
      ("so\t", "> sort"), (" ", "> sort"), ("x", "> sort x"), (" so\t", "> sort x sort"),
      ("  y", "> sort x sort  y"),
    ] {
      for key in keys { session.type(String(key)) }
      try session.sees(row: row)
    }
    session.type(";\r")
    #expect(try session.event() == .text("sort x sort  y;"))
  }

  @Test func hintsFromTheHistoryAndTheLanguage() throws {
    let session = try Session()
    defer { session.close() }
    session.type("fetch Item where x;\r")
    #expect(try session.event() == .text("fetch Item where x;"))
    session.type("fe")
    try session.sees(row: "> fetch Item where x;", cursorColumn: 4)
    session.type("\u{1B}[1;3C")
    try session.sees(row: "> fetch Item where x;", cursorColumn: 7)
    session.type("\u{1B}[C\r")
    #expect(try session.event() == .text("fetch Item where x;"))
    session.type("count wh")
    try session.sees(row: "> count where done", cursorColumn: 10)
    session.type("\u{5};\r")
    #expect(try session.event() == .text("count where done;"))
  }

  @Test func upFindsWhatBeginsAsWhatIsTyped() throws {
    let session = try Session()
    defer { session.close() }
    for statement in ["fetch A;", "count B;", "fetch C;", "fetch C ;"] {
      session.type(statement + "\r")
      #expect(try session.event() == .text(statement))
    }
    session.type("fet\u{1B}[A\u{1B}[A\u{1B}[A")
    try session.sees(row: "> fetch A;")
    session.type("\u{1B}[B\r")
    #expect(try session.event() == .text("fetch C;"))
  }

  @Test func takesTypingBackAndDoesItAgain() throws {
    let session = try Session()
    defer { session.close() }
    session.type("one two three\u{1F}\u{1F}")
    try session.sees(row: "> one", cursorColumn: 5)
    session.type("\u{1B}/;\r")
    #expect(try session.event() == .text("one two;"))
  }

  @Test(
    "inserts nothing for unknown keys",
    arguments: [
      "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[15~", "\u{1B}[24;2~", "\u{1B}[M !!", "\u{1B}[<0;3;4M",
      "\u{1B}[I", "\u{1B}[57441u", "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}[1;2P", "\u{1B}OR",
      "\u{1B}[2~",
    ])
  func unknownKeys(_ key: String) throws {
    let session = try Session()
    defer { session.close() }
    session.type("a\(key)b;\r")
    #expect(try session.event() == .text("ab;"))
  }

  @Test func saysBelowWhatIsWrongAndWhatAWordMeans() throws {
    let session = try Session()
    defer { session.close() }
    session.type("titel\u{1B}[D")
    try session.sees(row: "no titel")
    session.type("\u{1B}OP")
    try session.sees(row: "in two lines")
    try session.sees(row: "> titel", cursorColumn: 6)
    session.type("\u{18}\u{5};\r")
    #expect(try session.event() == .text("titel edited;"))
  }

  @Test func searchesForwardAndPassesWhatIsShown() throws {
    let session = try Session()
    defer { session.close() }
    for statement in ["fetch 父;", "fetch 母;", "count 父;", "count 父;"] {
      session.type(statement + "\r")
      #expect(try session.event() == .text(statement))
    }
    session.type("\u{12}父")
    try session.sees(row: "(search: 父) count 父;")
    session.type("\u{12}")
    try session.sees(row: "(search: 父) fetch 父;")
    session.type("\u{13}")
    try session.sees(row: "(search: 父) count 父;")
    session.type("\r")
    #expect(try session.event() == .text("count 父;"))
  }

  @Test func takesAnUnmarkedPasteWithItsTabs() throws {
    let session = try Session()
    defer { session.close() }
    let lines = (0..<200).map { "\tline \($0) \"誕生日\"," }
    session.type(lines.joined(separator: "\r") + ";\r")
    #expect(try session.event() == .text(lines.joined(separator: "\n") + ";"))
  }
}
