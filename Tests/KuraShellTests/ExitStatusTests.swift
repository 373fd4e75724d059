import Testing

@testable import KuraShell

@Suite("With --exit-status the exit status reports whether anything was found")
struct ExitStatusTests {
  static let scripts: [(script: String, status: Int32)] = [
    ("exists MemoDate where title == \"x\"", 1), ("exists MemoDate", 0),
    ("count MemoDate where title == \"x\"", 1), ("count MemoDate", 0),
    ("fetch MemoDate where title == \"x\"", 1), ("fetch MemoDate", 0),
    ("fetch MemoDate where title == \"x\" select title", 1),
    ("fetch MemoDate where title == \"x\" select category, count(SELF) group by category", 1),
    ("fetch MemoDate where title == \"x\" select count(SELF)", 0),
    // The last query counts, not the statements after it.
    ("count MemoDate\nexists MemoDate where title == \"x\"", 1),
    ("exists MemoDate where title == \"x\"\ncount MemoDate", 0),
    ("exists MemoDate where title == \"x\"\nprint 1\n.mode list", 1),
    ("let $x = fetch MemoDate where title == \"x\"", 0), ("print 1 == 2", 0), ("", 0),
    ("request Gone($t) = fetch MemoDate where title == $t\nrun Gone(\"x\")\nrollback", 1),
    // A failure has its own status.
    ("count MemoDate where title == \"x\"\ninsert Category name = \"y\"", 3),
    ("count MemoDate where title == \"x\"\nopen", 1), ("save \"FOLDER/plain.json\"", 2),
  ]

  @Test("like that of grep", arguments: scripts)
  func status(script: String, status: Int32) throws {
    let folder = try TestFolder()
    #expect(folder.run(script) { $0.statusTellsFound = true }.status == status)
  }

  @Test("and not without it")
  func without() throws {
    #expect(try TestFolder().run("exists MemoDate where title == \"x\"").status == 0)
  }

  @Test("and changes are still saved")
  func saved() throws {
    let folder = try TestFolder()
    let script = "insert Category name = \"y\"\nexists Category where name == \"z\""
    let (output, status) = folder.run(script) {
      ($0.statusTellsFound, $0.savesAtEnd) = (true, true)
    }
    #expect(status == 1, "\(output)")
    #expect(
      folder.run("exists Category where name == \"y\"") { $0.statusTellsFound = true }.status == 0)
  }

  @Test("of a command line")
  func option() throws {
    #expect(try CommandRequest(["--exit-status", "a.json"]).launch.statusTellsFound)
    #expect(try !CommandRequest(["a.json"]).launch.statusTellsFound)
  }
}
