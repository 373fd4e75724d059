import KuraDiagnostics
import KuraRendering
import Testing

@testable import KuraShell

@Suite("A save to an existing file")
struct SaveTests {
  @Test("is refused at the file's name, with how to replace it")
  func savesOver() throws {
    let folder = try TestFolder()
    let (output, status) = folder.run("save \"FOLDER/plain.json\"")
    #expect(status == 2)
    #expect(
      output.hasPrefix("FOLDER/script.kura:1:6: error: \"FOLDER/plain.json\" already exists\n"))
    #expect(output.hasSuffix("~\n  to replace it: save \"FILE\" replacing\n"))
    #expect(folder.text("plain.json") == TestFolder.plain)
    #expect(folder.run("save \"FOLDER/plain.json\" replacing").status == 0)
    #expect(folder.text("plain.json")?.contains("kura/1") == true)
  }
}

@Suite("A command line")
struct LaunchTests {
  @Test("that contradicts itself is refused")
  func contradictions() throws {
    func message(_ prepare: (inout Launch) -> Void) -> String? {
      var launch = Launch()
      prepare(&launch)
      do throws(Failure) { try launch.check() } catch { return error.message }
      return nil
    }
    #expect(message { _ in } == nil)
    #expect(message { $0.creates = true } == "--create needs the name of the new file")
    #expect(
      message {
        ($0.store, $0.creates) = (.standardInput, true)
      } == "--create needs the name of the new file")
    #expect(
      message {
        ($0.store, $0.creates, $0.isReadOnly) = (.file("a"), true, true)
      } == "--create and --read-only cannot be combined")
    #expect(
      message { $0.store = .standardInput }
        == "with -, pass the statements as arguments or with -f")
    #expect(
      message {
        ($0.store, $0.scripts) = (.standardInput, ["-"])
      } == "the store and the script cannot both be standard input")
    #expect(message { ($0.store, $0.statements) = (.standardInput, ["model"]) } == nil)
  }

  @Test("colours messages on a terminal that supports it, and on request")
  func colors() {
    let terminal = ["TERM": "xterm"]
    #expect(ColorChoice.automatic.colors(onTerminal: true, terminal))
    #expect(!ColorChoice.automatic.colors(onTerminal: false, terminal))
    #expect(!ColorChoice.automatic.colors(onTerminal: true, ["TERM": "dumb"]))
    #expect(!ColorChoice.automatic.colors(onTerminal: true, ["TERM": ""]))
    #expect(!ColorChoice.automatic.colors(onTerminal: true, [:]))
    #expect(!ColorChoice.automatic.colors(onTerminal: true, ["NO_COLOR": "1", "TERM": "xterm"]))
    #expect(ColorChoice.automatic.colors(onTerminal: true, ["NO_COLOR": "", "TERM": "xterm"]))
    #expect(ColorChoice.always.colors(onTerminal: false, ["NO_COLOR": "1"]))
    #expect(!ColorChoice.never.colors(onTerminal: true, terminal))
  }

  @Test("with --create on a device creates no store, with a message")
  func createsNoFile() throws {
    var launch = Launch()
    (launch.store, launch.creates) = (.file("/dev/null"), true)
    let failure = #expect(throws: Failure.self) {
      _ = try Session(launch, try TestFolder().services)
    }
    #expect(
      failure?.rendered(in: nil, style: .plain) == """
        error: "/dev/null" is not a regular file, so it cannot hold a store
          choose the name of a regular file
        """)
  }

  @Test("with --create on an existing file reports how to continue")
  func createsOver() throws {
    let folder = try TestFolder()
    let (output, status) = folder.run("count MemoDate") { $0.creates = true }
    #expect(status == 2)
    #expect(
      output == """
        error: "FOLDER/dates.json" already exists
          open it without --create, or choose another name

        """)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }

  @Test(
    "whose store looks like a statement reports how to run it",
    arguments: [
      ("count MemoDate", "count"), (" Fetch MemoDate where a == \"x/y\"", "Fetch"),
      ("model", "model"), (".mode json", ".mode"), ("print 1;print 2", "print"),
      ("abstract entity A { }", "abstract"), (String(repeating: "print 1; ", count: 100), "print"),
    ])
  func statementAsStore(text: String, word: String) throws {
    let (output, status) = try TestFolder().run("") { $0.store = .file(text) }
    #expect(status == 2)
    #expect(output.hasPrefix("error: there is no file \"\(text)\"; it looks like a statement\n"))
    #expect(
      output.contains("  put the store first: kura STORE '\(word) …'; without a store: "))
  }

  @Test(
    "whose store is not a file is refused, whatever its name",
    arguments: ["counts.json", "mode json", "/usr/fetch MemoDate"])
  func missingStore(path: String) throws {
    let (output, status) = try TestFolder().run("") { $0.store = .file(path) }
    #expect(status == 2)
    #expect(output.hasPrefix("error: cannot open \"\(path)\": no such file or directory\n"))
  }
}
