import KuraDiagnostics
import KuraRendering
import Testing

@testable import KuraShell

@Suite("A command line")
struct LaunchTests {
  @Test("with --create on a file that is there says how to go on")
  func createsOver() throws {
    let folder = try TestFolder()
    let (said, status) = folder.run("count MemoDate") { $0.creates = true }
    #expect(status == 2)
    #expect(
      said == """
        error: "FOLDER/dates.json" is there already
          open it without --create, or choose another name

        """)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }

  @Test(
    "whose store reads like a statement says how to run it",
    arguments: [
      ("count MemoDate", "count"), (" Fetch MemoDate where a == \"x/y\"", "Fetch"), ("model", "model"),
      (".mode json", ".mode"), ("print 1;print 2", "print"),
      ("abstract entity A { }", "abstract"), (String(repeating: "print 1; ", count: 100), "print"),
    ])
  func statementAsStore(text: String, word: String) throws {
    let (said, status) = try TestFolder().run("") { $0.store = .file(text) }
    #expect(status == 2)
    #expect(said.hasPrefix("error: there is no file \"\(text)\", which reads like a statement\n"))
    #expect(said.contains("  name the store before it: kura STORE '\(word) …'; without a store: "))
  }

  @Test(
    "whose store is no file says so, whatever its name",
    arguments: ["counts.json", "/nowhere/fetch MemoDate", "mode json"])
  func missingStore(path: String) throws {
    let (said, status) = try TestFolder().run("") { $0.store = .file(path) }
    #expect(status == 2)
    #expect(said.hasPrefix("error: cannot open \"\(path)\": no such file or directory\n"))
  }
}
