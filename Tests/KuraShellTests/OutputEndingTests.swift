import Testing

@testable import KuraShell

@Suite("The name of a file says the format of results")
struct OutputEndingTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(
    "where none is set",
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

  @Test("and never against the one that is set")
  func set() {
    _ = folder.run(".mode list\n.output \(folder.path)/a.csv\nfetch MemoDate limit 1 select title")
    #expect(folder.text("a.csv") == "title = 父の誕生日\n")
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
