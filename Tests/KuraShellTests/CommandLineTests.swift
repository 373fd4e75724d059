import Foundation
import KuraDiagnostics
import KuraRendering
import KuraSentences
import KuraValues
import Testing

@testable import KuraShell

@Suite("A command line")
struct CommandLineTests {
  private func request(_ arguments: String...) throws -> CommandRequest {
    try CommandRequest(arguments)
  }

  private func launch(_ arguments: String...) throws -> Launch {
    try CommandRequest(arguments).launch
  }

  /// Returns the message for a command line that is refused.
  private func message(_ arguments: [String], _ language: Language = .english) -> String? {
    language.speaks { () -> String? in
      do throws(CommandLineProblem) {
        _ = try CommandRequest(arguments)
        return nil
      } catch { return error.message }
    }
  }

  @Test("has files up to the first argument that is a statement")
  func files() throws {
    let two = try launch("a.json", "b.NDJSON", "count a", "c.json")
    #expect(two.store == .files([.file("a.json"), .file("b.NDJSON")], isUnion: false))
    #expect(two.statements == ["count a", "c.json"])
    #expect(
      try launch("-", "b.json", "count b").store
        == .files([.standardInput, .file("b.json")], isUnion: false))
    #expect(
      try launch("--union", "a.json", "count input").store
        == .files([.file("a.json")], isUnion: true))
    let setting = try launch("a.json", ".output old.json", "count a")
    #expect(setting.store == .file("a.json"))
    #expect(setting.statements == [".output old.json", "count a"])
    #expect(message(["--union"])?.contains("--union needs the files that it unites") == true)
    #expect(
      message(["--create", "a.json", "b.json"])?.contains("--create needs the name of one new file")
        == true)
    #expect(message(["-", "b.json"])?.contains("with -, pass the statements") == true)
  }

  @Test("in another encoding than UTF-8 is refused, wherever that occurs")
  func otherEncoding() throws {
    func read(_ last: [UInt8]) throws(CommandLineProblem) -> CommandRequest {
      let arguments = ["--arg", "a", "b", "a.json"].map { Array($0.utf8) } + [last]
      let kept = arguments.map { strdup(($0 + [0]).map { CChar(bitPattern: $0) }) }
      defer { for text in kept { free(text) } }
      return try CommandRequest(cStrings: kept.compactMap { $0.map { UnsafePointer($0) } })
    }
    #expect(try read(Array("count 誕生".utf8)).launch.statements == ["count 誕生"])
    for bytes in [[0x63, 0xE9], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
      let problem = #expect(throws: CommandLineProblem.self) { try read(bytes) }
      #expect(problem?.message.contains("is not UTF-8") == true)
    }
  }

  @Test("names a store, its statements and options in any order")
  func session() throws {
    let launch = try launch(
      "--no-init", "--format", "jsonl", "todo.json", "-f", "report.kura", "count Item",
      "-f", "-", "--author=Ann", "--read-only")
    #expect(launch.store == .file("todo.json") && launch.statements == ["count Item"])
    #expect(launch.scripts == ["report.kura", "-"] && launch.initFile == nil)
    #expect(launch.format.name == "jsonl" && launch.author == "Ann" && launch.isReadOnly)
    #expect(try self.launch().initFile != nil && self.launch("").store == nil)
    #expect(try self.launch("-", "count input").store == .standardInput)
    #expect(try self.launch("--format", "csv", "--format=json").format.name == "json")
    #expect(try self.launch("a", "--", "--create").statements == ["--create"])
  }

  @Test("sets each option of a session")
  func options() throws {
    let request = try request(
      "a.json", "--safe", "--autosave", "--dry-run", "--keep-going", "--timeout", "1.5",
      "--no-lock", "--drop-damaged-save", "--no-cache", "--timezone", "Asia/Tokyo",
      "--lock-timeout=2", "--locale", "ja_JP", "--language", "ja", "--color", "never",
      "--diagnostics", "json")
    let launch = request.launch
    #expect(launch.isSafe && launch.savesAtEnd && launch.isDryRun && launch.continuesAfterErrors)
    #expect(
      !launch.takesLock && launch.dropsDamagedSave && !launch.caches && launch.messages == .json)
    #expect(launch.timeout == .seconds(1.5) && launch.lockTimeout == .seconds(2))
    #expect(launch.zone != nil && launch.locale?.identifier == "ja_JP")
    #expect(launch.language == .japanese && launch.color == .never && !launch.creates)
    #expect(try self.launch("--create", "a.json").creates)
  }

  @Test("has each --arg with its name and value, whatever they are")
  func pairs() throws {
    let launch = try launch(
      "a.json", "--arg", "who", "O'Brien", "--arg", "x", "--arg", "--arg=empty=", "--arg=y=a=b")
    #expect(launch.arguments == ["who": "O'Brien", "x": "--arg", "empty": "", "y": "a=b"])
    #expect(try self.launch("a.json", "--arg", "who=x").arguments == ["who": "x"])
    #expect(try self.launch("a", "--", "--arg", "b").statements == ["--arg", "b"])
    for wrong in [["--arg", "who"], ["--arg", "", "x"], ["--arg==x"], ["--arg"]] {
      #expect(message(["a.json"] + wrong)?.contains("--arg") == true)
    }
  }

  @Test("names another command with its first words")
  func commands() throws {
    let grade = try request(
      "lesson", "grade", "6.md", "--explain", "a.kura", "--format=csv", "--language", "ja",
      "b.kura")
    #expect(grade.command == .lessonGrade && grade.explains)
    #expect(grade.operands == ["6.md", "a.kura", "b.kura"] && grade.launch.format.name == "csv")
    #expect(grade.launch.language == .japanese)
    #expect(try request("lesson", "check", "a.md").command == .lessonCheck)
    #expect(try request("notebook", "a.md", "--write").writes)
    #expect(try request("check", "--", "-a").operands == ["-a"])
    #expect(try request("lesson", "6").launch.opening == "lesson 6")
    #expect(try request("generate", "man", "bash").operands == ["man", "bash"])
    #expect(try launch("a.json", "check").statements == ["check"])
  }

  @Test(
    "that is wrong is refused with a correction",
    arguments: [
      (["--foramt", "csv"], "error: unknown option \"--foramt\"\n  did you mean \"--format\"?"),
      (
        ["a.json", "--output", "x.csv"],
        "error: unknown option \"--output\"\n  write a statement before the fetch: '.once FILE'"
      ),
      (
        ["a.json", "-q", "model"],
        "error: unknown option \"-q\"\n  write the statement without an option"
      ),
      (["--format"], "error: --format needs a value\n  write --format FORMAT"),
      (["--timeout", "--safe"], "error: --timeout needs a value\n  write --timeout SECONDS"),
      (
        ["--create=yes", "a"],
        "error: --create takes no value, found \"yes\"\n  write --create"
      ),
      (
        ["--color", "blue"], "error: --color cannot be \"blue\"\n  write --color auto|always|never"
      ),
      (
        ["--lock-timeout", "soon"],
        "error: --lock-timeout needs a number, found \"soon\"\n  write --lock-timeout 30"
      ),
      (["-fa.kura"], "error: unknown option \"-fa.kura\""),
      (["--lock-timeout=nan"], "error: --lock-timeout needs a number of seconds"),
      (["--create"], "error: --create needs the name"),
      (["--create", "--read-only", "a.json"], "error: --create and --read-only cannot"),
      (["-"], "error: with -, pass the statements"), (["-", "-f", "-"], "error: the store and"),
      (["check"], "error: the argument <files> is missing"),
      (["lesson", "grade", "6.md"], "error: the argument <answers> is missing"),
      (["a.json", "--format", "jsno"], "error:"), (["--timezone", "Mars"], "error:"),
      (["--language", "xx"], "error:"), (["--timeout=-1"], "error:"),
      (["lesson", "1", "2"], "error:"),
    ])
  func problems(arguments: [String], output: String) throws {
    let text = try #require(message(arguments))
    #expect(text.hasPrefix(output))
    #expect(text.contains("\nusage: kura ") && text.hasSuffix(" --help lists the options"))
  }

  @Test("is answered in Japanese")
  func japanese() throws {
    let text = try #require(message(["--foramt"], .japanese))
    #expect(text.contains("オプション「--foramt」はない") && text.contains("\n使い方: kura"))
    let help = try Language.japanese.speaks { try request("--help").answer }
    #expect(help?.contains("\n引数:\n") == true && help?.contains("（省略時：table）") == true)
  }

  @Test("asks for help and the version, each command for its own")
  func help() throws {
    let help = try #require(try request("a.json", "--help", "--nonsense").answer)
    #expect(help.contains("USAGE: kura [<options>] [<store>] [<statements> ...]"))
    #expect(help.contains("  --arg <name> <value>    Set $NAME to a string.\n"))
    #expect(help.contains("(default: auto)") && help.contains("-h, --help"))
    for line in help.split(separator: "\n") { #expect(DisplayWidth().cells(String(line)) <= 80) }
    let grade = try #require(try request("lesson", "grade", "-h").answer)
    #expect(grade.contains("USAGE: kura lesson grade [<options>] <lesson> <answers> ..."))
    #expect(grade.contains("--explain") && !grade.contains("--create"))
    #expect(try request("--version").answer == "kura \(Version.current)")
  }

  @Test("has distinct options, each with a summary")
  func table() {
    for form in CommandForm.all {
      let names = form.options.flatMap(\.names)
      #expect(Set(names).count == names.count && names.allSatisfy { $0.hasPrefix("-") })
      #expect(form.options.allSatisfy { !$0.summary().isEmpty && $0.values.count < 3 })
      #expect(form.operands.dropLast().allSatisfy { !$0.repeats })
    }
  }

  @Test("and the manual are in the user's language")
  func manual() throws {
    let manual = Language.japanese.speaks { Generator().text("man") }
    let page = try #require(manual)
    #expect(page.contains(".SH 終了ステータス") && page.contains("すべて成功した。"))
    #expect(page.contains("引数:"))
    #expect(Launch.language(of: ["generate", "bash"]) == .english)
  }

  @Test("is completed by a script for each shell, with every option", arguments: Generator.names)
  func completions(name: String) throws {
    let script = try #require(Generator().text(name))
    for option in CommandForm.session.options {
      let name = option.names.last.map { $0.drop { $0 == "-" } } ?? ""
      #expect(script.replacing("\\-", with: "-").contains(name), "\(name)")
    }
    if name != "man" { #expect(script.contains("jsonl") && script.contains("grade")) }
  }
}
