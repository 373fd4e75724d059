import Foundation
import TestSupport
import Testing

/// Results at a terminal: those longer than the screen, and commands that read them.
@Suite("Results at a terminal", .serialized)
struct PagerTests {
  private let folder: TemporaryFolder
  private var home: URL { folder.url }

  init() throws { folder = try TerminalHome.make() }

  private func program(
    _ environment: String..., arguments: [String] = []
  ) throws -> ProgramOnTerminal {
    let program = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path,
      arguments + [home.appending(path: "big.json").path], home: home.path,
      environment: environment + (environment.contains { $0.hasPrefix("TERM=") } ? [] : plain))
    try program.seesPrompt()
    return program
  }

  private let plain = ["TERM=xterm", "NO_COLOR=1"]

  /// What the editor sends when it restores the terminal.
  private let handedOver = "\u{1B}[?2004l"

  /// Types a statement, and returns the output up to a text.
  private func shown(
    by statement: String, upTo end: String, in program: ProgramOnTerminal
  ) throws -> String {
    program.type(statement + "\r")
    try program.sees(handedOver)
    while !program.shown.contains(end) { try program.receiveMore() }
    let text = program.shown
    try program.sees(end)
    return String(text[..<(text.firstRange(of: end)?.lowerBound ?? text.endIndex)])
  }

  private func leave(_ program: ProgramOnTerminal) {
    program.type("\u{4}")
    #expect(program.status() == 0)
  }

  @Test("go through the pager only if they are longer than the screen")
  func paged() throws {
    let program = try program("KURA_PAGER=head -6; echo paged")
    let long = try shown(by: "fetch big", upTo: "big> ", in: program)
    #expect(long.contains("│ objectID │") && long.contains("\r\npaged\r\n"))
    #expect(!long.contains("│       20 │") && !long.contains("rows)"))
    #expect(!(try shown(by: "fetch big limit 3", upTo: "big> ", in: program)).contains("paged"))
    #expect((try shown(by: ".help", upTo: "big> ", in: program)).contains("paged"))
    #expect((try shown(by: ".again", upTo: "big> ", in: program)).contains("3 of 3,000 rows"))
    try program.runs(".pager off")
    #expect((try shown(by: "fetch big", upTo: "big> ", in: program)).contains("(3,000 rows)"))
    leave(program)
  }

  @Test("are shown without a pager that is missing or fails, with a message")
  func missing() throws {
    let program = try program("PAGER=there-is-no-such-pager")
    let shown = try shown(by: "fetch big limit 50", upTo: "big> ", in: program)
    #expect(shown.contains("error: the command \"there-is-no-such-pager\" failed"))
    #expect(shown.contains("(50 of 3,000 rows; limit 50)"))
    leave(program)
  }

  @Test("are never paged in a script")
  func script() throws {
    let program = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path,
      [home.appending(path: "big.json").path, "fetch big"], home: home.path,
      environment: plain + ["KURA_PAGER=echo paged"])
    #expect(program.status() == 0)
    #expect(program.shown.contains("(3,000 rows)") && !program.shown.contains("paged"))
  }

  @Test("are shown by less from the first row, and the prompt is as before")
  func less() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/less") else { return }
    let program = try program()
    program.type("fetch big\r")
    try program.sees("│ objectID │")
    try program.type("q", untilItShows: "big> ")
    program.type("\u{15}print 6 * 7\r")
    try program.sees(handedOver + "42\r\n")
    try program.seesPrompt()
    leave(program)
  }

  @Test("still go to a command after Control-C cancelled a typed line")
  func interrupt() throws {
    let program = try program()
    let log = home.appending(path: "log")
    try program.runs(".output | cat > \(log.path)")
    program.type("half a li")
    try program.sees("half a li")
    program.type("\u{3}")
    try program.sees("^C")
    try program.seesPrompt()
    try program.runs("count big")
    try program.runs(".output")
    #expect(try String(contentsOf: log, encoding: .utf8) == "3000\n")
    leave(program)
  }

  @Test("leave the keyboard to a command that reads it, and then take it back")
  func keyboard() throws {
    let program = try program()
    try program.runs(".once | read x < /dev/tty; echo got $x; cat")
    program.type("count big\r")
    try program.sees(handedOver)
    program.type("one\r")
    try program.sees("got one\r\n3000\r\n")
    try program.seesPrompt()
    try program.runs(".output | read x < /dev/tty; echo got $x; cat")
    try program.runs("count big")
    program.type(".output\r")
    try program.sees(handedOver)
    program.type("two\r")
    try program.sees("got two\r\n3000\r\n")
    try program.seesPrompt()
    try program.runs(".once | stty -echo -icanon")
    try program.runs("count big")
    program.type("print 6 * 7\r")
    try program.sees(handedOver + "42\r\n")
    try program.seesPrompt()
    leave(program)
  }

  @Test("have colours by meaning if the terminal supports them, and no sequences otherwise")
  func colors() throws {
    let colored = try program("TERM=xterm", "COLORFGBG=15;0")
    let shown = try shown(by: "fetch big limit 1", upTo: "big> ", in: colored)
    #expect(shown.contains("\u{1B}[94mbig/1\u{1B}[0m") && shown.contains("\u{1B}[36m0\u{1B}[0m"))
    try colored.runs(".theme light")
    #expect(
      try self.shown(by: "fetch big limit 1", upTo: "big> ", in: colored).contains("\u{1B}[34m0"))
    try colored.runs(".theme off")
    #expect(
      try !self.shown(by: "fetch big limit 1", upTo: "big> ", in: colored).contains("\u{1B}[34m0"))
    leave(colored)
    for (environment, arguments) in [
      (["TERM=dumb"], []), (["TERM="], []), ([], ["--color", "never"]),
    ] {
      let program = try ProgramOnTerminal(
        TranscriptRunner.findBinary().path,
        arguments + [home.appending(path: "big.json").path, "fetch big limit 1"], home: home.path,
        environment: environment)
      #expect(program.status() == 0)
      #expect(program.shown.contains("big/1") && !program.shown.contains("\u{1B}"))
    }
  }

  @Test("and messages are drawn for the present size of the window")
  func resized() throws {
    let program = try program()
    let script = home.appending(path: "x.kura")
    try Data(
      "fetch big where n == 1 OR n == 2 OR n == 3 OR n == 4 OR n == 5 OR title == 6 OR n == 7".utf8
    ).write(to: script)
    program.resize(columns: 40, rows: 24)
    let error = try self.shown(by: ".read \(script.path)", upTo: "big> ", in: program)
    let excerpt = error.split(separator: "\r\n").filter { $0.contains("title ==") }
    #expect(excerpt.allSatisfy { $0.count <= 40 } && !excerpt.isEmpty, "\(error)")
    leave(program)
  }

  @Test("and typed text leave no old rows, however often the window changes")
  func resizedOften() throws {
    let program = try program()
    var model = ScreenModel(columns: 120, rows: 24)
    program.resize(columns: 120, rows: 24)
    program.type("fetch big limit 8\r")
    model.show("big> " + program.takeAll())
    program.type(
      "fetch big where n == 1 or n == 22 or n == 333 or title == \"誕生日\" or n == 4444 or n == 5")
    model.show(program.takeAll())
    for columns in Array(repeating: [60, 40, 100, 80, 120], count: 10).joined() + [80] {
      model.resize(columns: columns)
      program.resize(columns: Int32(columns), rows: 24)
      model.show(try program.shown(upTo: "\u{1B}[?2026l"))
      #expect(model.lines.count { $0.contains("> fetch big where") } == 1, "\(model.lines)")
      #expect(model.lines.count { $0.contains("rows; limit 8)") } == 1, "\(model.lines)")
      #expect(model.lines.last?.hasSuffix("n == 5") == true, "\(model.lines)")
    }
    program.type("\u{3}")
    leave(program)
  }
}
