import Testing

@testable import KuraShell

@Suite("The extension of a file determines the format of results")
struct OutputEndingTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(
    "if none is set",
    arguments: [
      ("a.csv", "title\n父の誕生日\n"), ("a.TSV", "title\n父の誕生日\n"),
      ("a.jsonl", "{\"title\": \"父の誕生日\"}\n"), ("a.md", "| title"), ("a.txt", "┌"),
      ("csv", "┌"), (".csv", "┌"), ("a.b/c", "┌"),
    ])
  func endings(name: String, beginning: String) {
    let path = name.contains("/") ? "c" : name
    _ = folder.run(
      ".once \(folder.path)/\(path)\nfetch MemoDate sort objectID limit 1 select title")
    #expect(folder.text(path)?.replacing("\r\n", with: "\n").hasPrefix(beginning) == true)
  }

  @Test("and never overrides the one that is set")
  func set() {
    _ = folder.run(".mode list\n.output \(folder.path)/a.csv\nfetch MemoDate limit 1 select title")
    #expect(folder.text("a.csv") == "title = 父の誕生日\n")
  }

  @Test(
    "and the written file is reported to a user, but not to a script",
    arguments: [
      (".once FOLDER/a.csv\nfetch MemoDate limit 2", "wrote 2 rows to FOLDER/a.csv\n"),
      (".once FOLDER/a.csv\nfetch MemoDate where FALSEPREDICATE", "wrote 0 rows to FOLDER/a.csv\n"),
      (".once FOLDER/a\nprint 1", "wrote 1 row to FOLDER/a\n"),
      (".once FOLDER/a\ncount MemoDate", "wrote FOLDER/a\n"),
      (".once FOLDER/a\nlet $x = 1", "FOLDER/a is empty: there were no results\n"),
      (
        ".output FOLDER/a.csv\nfetch MemoDate limit 2\nfetch MemoDate limit 1\n.output\nprint 2",
        "wrote 3 rows to FOLDER/a.csv\n2\n"
      ),
      (".once | cat > /dev/null\nfetch MemoDate", ""),
    ])
  func told(_ script: String, _ output: String) {
    #expect(folder.run(script).output == (output.hasSuffix("2\n") ? "2\n" : ""))
    folder.answers = []
    #expect(folder.run(script).output == output)
  }

  @Test("for what .again shows, too")
  func again() {
    _ = folder.run(
      "fetch MemoDate limit 1 select title\n.once \(folder.path)/a.csv\n.again\n"
        + ".once \(folder.path)/b.csv\n.again jsonl")
    #expect(folder.text("a.csv")?.hasPrefix("title") == true)
    #expect(folder.text("b.csv")?.hasPrefix("{") == true)
  }
}

@Suite("Messages and results")
struct MessageOrderTests {
  @Test("keep their order in one destination, and do not wait for each other in two")
  func order() throws {
    let cases: [(MessagePlace, String)] = [
      (.shown, "3\n1 updated"), (.sameFile, "3\n1 updated"),
      (.elsewhere, "1 updated: MemoDate/1\n3"),
    ]
    for (place, first) in cases {
      let folder = try TestFolder()
      let services = folder.services
      services.results.messages = place
      var launch = Launch()
      launch.store = .file(folder.path + "/dates.json")
      launch.statements = ["print 3\nupdate MemoDate/1 set title = \"x\"\nprint 4\nrollback"]
      _ = launch.run(services, nil)
      #expect(folder.output.hasPrefix(first), "\(folder.output)")
    }
  }
}
