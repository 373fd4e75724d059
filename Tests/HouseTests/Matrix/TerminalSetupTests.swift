import Foundation
import KuraDiagnostics
import TestSupport
import Testing

/// The behaviour of a good shell, on every kind of terminal, in windows of three widths, in UTF-8
/// and in C.
///
/// Without an editor, for `TERM` dumb or unset, the system edits the line; the tests then expect
/// what the system does.
@Suite("On every terminal the program", .serialized)
struct TerminalSetupTests {
  @Test("answers, stops, warns, and suspends when it is told to", arguments: TerminalSetup.all)
  func isUsed(at seat: TerminalSetup) throws {
    let sitting = try TerminalProgram(
      seat, script: "set -m; \"$1\" \"$2\"; echo at rest; read line; fg; echo left with $?")
    try sitting.seesPrompt()
    try pointsAtMistakes(sitting)
    try fitsTheWindow(sitting)
    try isEdited(sitting)
    try isStopped(sitting)
    try takesWhatIsPasted(sitting)
    try bringsBackLines(sitting)
    try helpsWhileTyping(sitting)
    try warnsOfDanger(sitting)
    try restsAndLeaves(sitting)
    if !seat.hasEditor { #expect(!sitting.transcript.contains("\u{1B}")) }
  }

  /// An error marks its place according to the width of characters, and suggests a correction.
  private func pointsAtMistakes(_ sitting: TerminalProgram) throws {
    let lines = try sitting.answer(to: "count Day where title == \"誕\" and titl == \"x\"")
    let mark = try #require(lines.firstIndex { $0.contains("^~~~") })
    let before = lines[mark].prefix { $0 == " " }.count
    let excerpt = try #require(lines[mark - 1].firstRange(of: "titl ="))
    let columns = DisplayWidth().cells(String(lines[mark - 1][..<excerpt.lowerBound]))
    #expect(columns == before, "\(lines)")
    #expect(lines.contains("  did you mean \"title\"?"))
  }

  /// Tables fit and are aligned, no wide character is split, and columns that do not fit are named.
  private func fitsTheWindow(_ sitting: TerminalProgram) throws {
    let lines = try sitting.answer(to: "fetch Day")
    let frame = lines.filter { "┌│├└".contains($0.prefix(1)) }
    let widths = Set(frame.map { DisplayWidth().cells($0) })
    #expect(
      frame.count == 9 && widths.count == 1 && widths.allSatisfy { $0 <= sitting.seat.columns })
    for key in ["objectID", "title", "kind", "note", "date", "owner"] {
      #expect(lines.contains { $0.contains(key) }, "\(key) in \(lines)")
    }
    for text in ["父の誕生日", "がんばる日", "👩🏽‍💻👍🏽👨‍👩‍👧", "\"NULL\"", "NULL"] {
      #expect(frame.contains { $0.contains(text) }, "\(text) in \(lines)")
    }
  }

  /// Japanese is edited by characters, and marks join their letters; the system's editing deletes
  /// the last character.
  private func isEdited(_ sitting: TerminalProgram) throws {
    if sitting.seat.hasEditor {
      try sitting.types("print \"誕生日x\u{1B}[D", andSees: "\"誕生日x")
      sitting.type("\u{7F}月\u{1B}[C!\"")
    } else {
      sitting.type("print \"誕生月x\u{7F}x!\"")
    }
    #expect(try sitting.answer(to: "") == ["誕生月x!"])
    #expect(try sitting.answer(to: "print length(\"か\u{3099}\")") == ["1"])
    #expect(try sitting.answer(to: "count Day where title BEGINSWITH \"がん\"") == ["1"])
  }

  /// Control-C cancels a half-typed statement, and stops one that runs; otherwise it does not end
  /// the program.
  private func isStopped(_ sitting: TerminalProgram) throws {
    for _ in 0..<2 { try sitting.interrupts() }
    sitting.type("count Day wh")
    try sitting.sees("count")
    try sitting.interrupts()
    _ = try sitting.answer(to: "let $a = fetch N")
    let isStopped = try [50, 500, 2_000].contains { try stops(sitting, after: $0) }
    #expect(isStopped)
    // Right after the line was read, the statement may not have begun. It is stopped nevertheless.
    for pause in [1, 4, 8, 14] { _ = try stops(sitting, after: pause) }
    #expect(try sitting.answer(to: "print 6 * 7").last == "42")
  }

  /// If the system edits the line, Control-C discards unread input: then nothing ran.
  private func stops(_ sitting: TerminalProgram, after pause: Int) throws -> Bool {
    sitting.type(
      "print SUBQUERY($a, $x, SUBQUERY($a, $y, SUBQUERY($a, $z, $z.n < $y.n).@count > 1).@count > 1)\r"
    )
    if sitting.seat.hasEditor { try sitting.sees("\u{1B}[?2004l") }
    sitting.program.drain(milliseconds: pause)
    sitting.type("\u{3}")
    return try sitting.sees("days> ").contains("stopped")
  }
}
