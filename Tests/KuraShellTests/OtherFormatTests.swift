import KuraStore
import Testing

@testable import KuraShell

/// File names whose extension is that of another format.
@Suite("A file name with the extension of another format")
struct OtherFormatTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let names = [
    "x.sqlite", "x.xml", "x.plist", "x.csv", "x.tsv", "X.SQLite3", "x.db", "x.json.csv", "x.jsonl",
  ]

  @Test("is not created as a store", arguments: names)
  func save(name: String) {
    let before = folder.names
    let (output, status) = folder.run("save \"FOLDER/\(name)\"")
    #expect(output.contains("but a store is written as JSON\n  name it \"FOLDER/"), "\(output)")
    #expect(status == 2)
    #expect(folder.names.filter { $0 != "script.kura" } == before)
  }

  @Test("is refused by --create")
  func create() {
    let (output, status) = folder.run("print 1") { launch in
      (launch.store, launch.creates) = (.file(folder.path + "/new.sqlite"), true)
    }
    #expect(output.contains("is a file name for SQLite"))
    #expect(status == 2 && !folder.names.contains("new.sqlite"))
  }

  @Test(
    "is recognized only by the extension",
    arguments: ["x", "x.json", "csv", ".csv", "x.kura", "a.csv/x", "x.sqlite.json", "x.store"])
  func otherNames(path: String) {
    #expect(OtherFormat(path: path) == nil)
  }

  @Test("of a command in quotes is the command", arguments: [".once", ".output"])
  func command(setting: String) {
    for command in ["'| cat >FOLDER/new'", "\"|cat >FOLDER/new\"", "| cat >FOLDER/new"] {
      let (_, status) = folder.run("\(setting) \(command)\ncount Item\n.output")
      #expect(status == 0 && folder.text("new") == "1\n", "\(command)")
      #expect(!folder.names.contains { $0.contains("|") })
    }
    let (output, status) = folder.run("\(setting) '| cat'") { $0.isSafe = true }
    #expect(output.contains("--safe does not allow running commands") && status == 1)
    #expect(folder.run("\(setting) '|'").output.contains("error: "))
  }
}
