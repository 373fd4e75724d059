import Foundation
import Testing

/// The whole program at a terminal.
@Suite("At a terminal the program", .serialized)
struct TerminalTests {
  private let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "kura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let rows = (0..<3000).map { "{\"n\": \($0)}" }.joined(separator: ",")
    try Data("[\(rows)]".utf8).write(to: home.appending(path: "big.json"))
  }

  private func program(_ arguments: String...) throws -> ProgramOnTerminal {
    let program = try ProgramOnTerminal(arguments, home: home)
    try program.sees("kura> ")
    return program
  }

  /// What the editor sends when it gives the terminal back: from here on Control-C is a signal.
  private let handedOver = "\u{1B}[?2004l"

  private var big: String { home.appending(path: "big.json").path }

  @Test(
    "ends a statement at Control-C and goes on",
    arguments: [
      "print SUBQUERY($a, $x, SUBQUERY($a, $y, SUBQUERY($a, $z, $z.n < $y.n).@count > 1).@count > 1)",
      "fetch big where SUBQUERY($a, $x, SUBQUERY($a, $y, $y.n < $x.n).@count > n).@count == 1",
    ])
  func stops(_ statement: String) throws {
    let program = try program(big)
    program.type("let $a = fetch big\r")
    try program.sees(handedOver)
    try program.sees("kura> ")
    program.type(statement + "\r")
    try program.sees(handedOver)
    try program.type("\u{3}", untilItShows: "error: stopped")
    try program.sees("kura> ")
    program.type("count big; print 6 * 7\r")
    try program.sees("3000")
    try program.sees(" 42 ")
    try program.sees("kura> ")
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test("stays when the question of unsaved changes gets Control-D")
  func stays() throws {
    let program = try program()
    program.type("entity A { b: string }\r")
    try program.sees("entity defined: A")
    try program.sees("kura> ")
    program.type("\u{4}")
    try program.sees("[y/N]: ")
    program.type("\u{4}")
    try program.sees("not left, for there are unsaved changes")
    try program.sees("kura> ")
    program.type("rollback\r")
    try program.sees("rolled back: 1 entity")
    try program.sees("kura> ")
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test("ends when the terminal is gone")
  func hangsUp() throws {
    let program = try program()
    program.type("entity A { b: string }\r")
    try program.sees("entity defined: A")
    #expect(program.hangUp() != 0)
  }
}
