import Foundation
import TestSupport
import Testing

/// The complete program at a terminal.
@Suite("At a terminal the program", .serialized)
struct TerminalTests {
  private let folder: TemporaryFolder
  private var home: URL { folder.url }

  init() throws { folder = try TerminalHome.make() }

  private func program(_ arguments: String...) throws -> ProgramOnTerminal {
    let program = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path, arguments, home: home.path)
    try program.seesPrompt()
    return program
  }

  /// What the editor sends when it restores the terminal: afterwards Control-C is a signal.
  private let handedOver = "\u{1B}[?2004l"

  private var big: String { home.appending(path: "big.json").path }

  @Test(
    "stops a statement at Control-C and continues",
    arguments: [
      "print SUBQUERY($a, $x, SUBQUERY($a, $y, SUBQUERY($a, $z, $z.n < $y.n).@count > 1).@count > 1)",
      "fetch big where SUBQUERY($a, $x, SUBQUERY($a, $y, $y.n + $x.n < n).@count > n).@count == 1",
    ])
  func stops(_ statement: String) throws {
    let program = try program(big)
    program.type("let $a = fetch big\r")
    try program.sees(handedOver)
    try program.seesPrompt()
    program.type(statement + "\r")
    try program.sees(handedOver)
    try program.type("\u{3}", untilItShows: "error: stopped")
    try program.seesPrompt()
    program.type("count big; print 6 * 7\r")
    try program.sees("3000\r\n42\r\n")
    try program.seesPrompt()
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test("stays after Control-D at the question about unsaved changes")
  func stays() throws {
    let program = try program()
    program.type("entity A { b: string }\r")
    try program.sees("entity defined: A")
    try program.seesPrompt()
    program.type("\u{4}")
    try program.sees("[y/N]: ")
    program.type("\u{4}")
    try program.sees("not quitting: there are unsaved changes; save or rollback first")
    try program.seesPrompt()
    program.type("rollback\r")
    try program.sees("rolled back: 1 entity")
    try program.seesPrompt()
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test("reports how a command that read results ended, and continues")
  func commands() throws {
    let program = try program(big)
    for (command, message) in [
      ("exit 3", "error: the command \"exit 3\" failed with exit status 3"),
      ("head -1 > /dev/null", ""),
    ] {
      program.type(".output | \(command)\r")
      try program.sees(handedOver)
      // It may take a moment to end, or end before the prompt appears.
      let end = "the .output command has ended; results go to standard output again\r\n"
      try program.type("count big\r", untilItShows: message + (message.isEmpty ? end : "\r\n"))
      if !message.isEmpty { try program.sees(end) }
      // After everything that was typed meanwhile.
      program.type("print \(message.count) + 1000\r")
      try program.sees("\(message.count + 1000)\r\n")
      try program.seesPrompt()
    }
    // Control-C goes to the command once it has the terminal: the program is then silent.
    var said = ""
    for _ in 0..<5 where !said.contains("error: stopped") {
      for keys in [".output | sleep 1000\r", "count big\r", ".output\r", "\u{3}"] {
        program.type(keys)
        said += program.takeAll()
      }
    }
    #expect(said.contains("error: stopped"))
    program.type("print 6 * 7\r")
    try program.sees("42\r\n")
    try program.seesPrompt()
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test(
    "receives no hidden control characters from texts",
    arguments: [
      "table", "list", "plain", "bars", "json", "jsonl", "csv", "tsv", "markdown",
    ])
  func hidden(format: String) throws {
    let hostile = "誕\u{1B}[2J\u{9B}31m\u{202E}\u{200B}\u{7}"
    let store = home.appending(path: "h\(hostile).json")
    let text = hostile.replacing("\u{1B}", with: "\\u001b").replacing("\u{7}", with: "\\u0007")
    try Data("[{\"t\": \"\(text)\", \"\(text)\": [\"\(text)\"]}]".utf8).write(to: store)
    let script = home.appending(path: "\(hostile).kura")
    let statements = [
      "model", "print \"\(hostile)\"", "fetch \(hostile)", ".mode \(hostile)", ".\(hostile)",
      "save \"\(home.path)/\(hostile).2.json\"", ".once | false # \(hostile)", "print 1",
      ".output /dev/tty", "print \"\(hostile)\"", "let $x = \"\(hostile)\"",
    ]
    try Data(statements.joined(separator: "\n").utf8).write(to: script)
    for arguments in [
      ["--format", format, "--keep-going", store.path, "-f", script.path], [store.path, hostile],
      ["--format", hostile, store.path], ["--\(hostile)"], ["--create", store.path],
    ] {
      let program = try ProgramOnTerminal(
        TranscriptRunner.findBinary().path, arguments, home: home.path)
      _ = program.status()
      let bad = program.shown.replacing("\r\n", with: "\n").unicodeScalars.filter { scalar in
        switch scalar.value {
        case 9, 10: false
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        default: false
        }
      }
      #expect(bad.isEmpty, "\(program.shown.debugDescription)")
      #expect(program.shown.contains("誕"))
    }
  }

  @Test("ends when the terminal is closed")
  func hangsUp() throws {
    let program = try program()
    program.type("entity A { b: string }\r")
    try program.sees("entity defined: A")
    #expect(program.hangUp() != 0)
  }

  @Test(
    "keeps unsaved changes if a signal or a closed terminal ends it",
    arguments: [SIGHUP, SIGTERM, SIGSEGV, 0])
  func kept(_ signal: Int32) throws {
    let first = try program()
    try first.runs("entity Note { text: string }")
    try first.runs("insert Note text = \"書く\"")
    if signal == SIGSEGV {
      first.send(signal)
      try first.sees("kura: Kura has a bug and must end.")
      try first.sees("unsaved changes (1 object and 1 entity) are kept in")
    } else if signal != 0 {
      first.send(signal)
      try first.sees("unsaved changes (1 object and 1 entity) are kept in")
      #expect(first.status() == -1)
    } else {
      _ = first.hangUp()
    }
    let next = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path, [], home: home.path)
    try next.sees("[l]ater: ")
    next.type("y\r")
    try next.sees("recovered: 1 object and 1 entity; to keep: save")
    try next.seesPrompt()
    next.type("fetch Note\r")
    try next.sees("書く")
  }

  @Test("edits a statement in another program, and continues if that fails")
  func edits() throws {
    for (editor, answer) in [("sed -i s/count/exists/", "true"), ("false", "3000")] {
      let program = try ProgramOnTerminal(
        TranscriptRunner.findBinary().path, [big], home: home.path,
        environment: ["TERM=xterm", "NO_COLOR=1", "PATH=/usr/bin:/bin", "VISUAL=\(editor)"])
      try program.seesPrompt()
      program.type("count big\u{18}\u{5}")
      try program.sees(handedOver)
      if answer == "3000" { try program.sees("error: false exited with status 1") }
      try program.sees("\u{1B}[?2004h")
      program.type("\r")
      try program.sees("\(answer)\r\n")
    }
  }

  @Test("continues after Control-\\ and Control-S")
  func harmless() throws {
    let program = try program()
    program.type("\u{1C}\u{13}\u{7}print 6 * 7\r")
    try program.sees("42")
    try program.seesPrompt()
    program.type("\u{1C}\u{4}")
    #expect(program.status() == 0)
  }
}
