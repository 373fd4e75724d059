import Foundation
import TestSupport
import Testing

extension TerminalSetupTests {
  /// Two hundred lines with tabs and `;` in their texts are one statement, which a single Enter
  /// runs.
  func takesWhatIsPasted(_ sitting: TerminalProgram) throws {
    // Without an editor the program does not depend on the window's width: two hundred lines take a
    // second in a debug build, and are tested with one width.
    let count = sitting.seat.hasEditor || sitting.seat.columns == 80 ? 200 : 20
    let lines = (1...count).map { "length(\"a\t;\(1000 + $0)\")" }.joined(separator: " +\r")
    guard sitting.seat.hasEditor else {
      // Each line is echoed, and the prompt precedes the next.
      try sitting.program.feed(Array("print \(lines)\r".utf8))
      try sitting.sees("\(7 * count)\r\n")
      return try sitting.seesPrompt()
    }
    try sitting.program.feed(Array("\u{1B}[200~print \(lines)\u{1B}[201~".utf8))
    try sitting.sees(";1200")
    #expect(!sitting.transcript.contains("\n1400"))
    #expect(try sitting.answer(to: "").first?.contains("1400") == true)
  }

  /// A statement of three lines is one; Up recalls it completely, and it can be edited inside.
  /// Without an editor nothing is recalled.
  func bringsBackLines(_ sitting: TerminalProgram) throws {
    sitting.type("count Day where\rkind == \"家\" or\rkind == \"職\"\r")
    guard sitting.seat.hasEditor else {
      try sitting.sees("...> 4\r\n")
      return try sitting.seesPrompt()
    }
    #expect(try sitting.answer() == ["4"])
    sitting.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[F title != \"誕生日\" and\u{1B}[B\u{1B}[B")
    try sitting.types("\u{1B}[F", andSees: "\"職\"")
    #expect(try sitting.answer(to: "") == ["3"])
  }

  /// Tab offers completions according to the grammar, the types and the values; colours are
  /// correct. Without an editor a tab is a space, and nothing is coloured.
  func helpsWhileTyping(_ sitting: TerminalProgram) throws {
    guard sitting.seat.hasEditor else {
      #expect(try sitting.answer(to: "count\tDay") == ["5"])
      return
    }
    for (typed, shown) in [
      ("fetch Pe", "fetch Person"), ("count Day where ti", "title"),
      ("count Day where date CONT", "no completions"),
      ("count Day where title CONT", "CONTAINS[cd]"), ("count Day where kind == \"", "×3"),
      ("count Day where owner.", "name"), ("count Person where days.", "@count"),
    ] {
      // Text that comes at once is a paste, in which a tab is a tab.
      try sitting.types(typed, andSees: typed)
      try sitting.types("\t", andSees: shown)
      try sitting.interrupts()
    }
    for (typed, end, colored) in [
      ("titel == 1", "== ", "\u{1B}[0;4;31mtitel"), ("title == \"x", "31mx", "\u{1B}[0;4;31m\""),
    ] {
      sitting.type("count Day where " + typed)
      #expect(try sitting.sees(end).contains(colored))
      try sitting.interrupts()
    }
  }

  /// A deletion of everything is refused, confirmed and undone.
  func warnsOfDanger(_ sitting: TerminalProgram) throws {
    #expect(try sitting.answer(to: "delete Day").first?.hasPrefix("error: ") == true)
    for (answer, unsaved, said) in [("n", false, "nothing changed"), ("y", true, "5 deleted")] {
      sitting.type("delete Day all\r")
      try sitting.sees("5 Day")
      try sitting.sees("[y/N]: ")
      sitting.type(answer + "\r")
      #expect(try sitting.answer(unsaved: unsaved).contains { $0.hasPrefix(said) })
    }
    #expect(try sitting.answer(to: "undo") == ["undone: delete Day"])
    #expect(try sitting.answer(to: "count Day") == ["5"])
  }

  /// At Control-Z and at the end the terminal's mode is restored; after Control-Z the program
  /// continues.
  func restsAndLeaves(_ sitting: TerminalProgram) throws {
    sitting.type("\u{1A}")
    try sitting.sees("at rest\r\n")
    #expect(sitting.program.state == sitting.program.stateBefore)
    sitting.type("\r")
    if sitting.seat.hasEditor { try sitting.seesPrompt() } else { try sitting.sees("\r\n") }
    #expect(try sitting.answer(to: "count Person").last == "2")
    sitting.type("\u{4}")
    try sitting.sees("left with 0")
    #expect(sitting.program.state == sitting.program.stateBefore)
  }

  @Test("keeps the history after any end, and restores the terminal", arguments: TerminalSetup.each)
  func isKilled(at seat: TerminalSetup) throws {
    let run = "sh -c 'echo \"as $$.\"; exec \"$1\" \"$2\"' sh \"$1\" \"$2\"; echo left with $?; "
    let sitting = try TerminalProgram(
      seat, script: "trap : INT; was=$(stty -g); " + run + run + "stty $was; " + run)
    let first = try begins(sitting)
    _ = try sitting.answer(to: "print \"誕の一\"")
    _ = try sitting.answer(to: " print \"誕の二\"")
    kill(first, SIGTERM)
    try sitting.sees("left with 143")
    #expect(sitting.program.state == sitting.program.stateBefore)
    let second = try begins(sitting)
    _ = try sitting.answer(to: "print \"誕の三\"")
    kill(second, SIGKILL)
    try sitting.sees("left with 137")
    _ = try begins(sitting)
    if seat.hasEditor {
      try sitting.types("\u{12}誕", andSees: "print \"誕の三\"")
      try sitting.types("\u{12}", andSees: "print \"誕の一\"")
      try sitting.interrupts()
    }
    sitting.type("\u{4}")
    try sitting.sees("left with 0")
    #expect(sitting.program.state == sitting.program.stateBefore)
  }

  @Test("keeps the statements of two sessions in one history", arguments: TerminalSetup.each)
  func sharesItsHistory(at seat: TerminalSetup) throws {
    let first = try TerminalProgram(seat)
    let second = try TerminalProgram(seat, beside: first)
    for sitting in [first, second] { try sitting.seesPrompt() }
    for (place, sitting) in [first, second, first, second].enumerated() {
      #expect(try sitting.answer(to: "print \"誕の\(place)\"") == ["誕の\(place)"])
    }
    for sitting in [first, second] {
      sitting.type("\u{4}")
      #expect(sitting.program.status() == 0)
    }
    guard seat.hasEditor else {
      #expect(try first.remembered.isEmpty)
      return
    }
    let third = try TerminalProgram(seat, beside: first)
    try third.seesPrompt()
    for place in [3, 2, 1, 0] { try third.types("\u{10}", andSees: "print \"誕の\(place)\"") }
  }

  /// Returns the number of the process that begins, once it asks for a statement.
  private func begins(_ sitting: TerminalProgram) throws -> Int32 {
    try sitting.sees("as ")
    let number = try sitting.sees(".").dropLast()
    try sitting.seesPrompt()
    return try #require(Int32(number))
  }
}
