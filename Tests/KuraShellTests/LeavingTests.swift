import Testing

@testable import KuraShell

@Suite("The end of a session")
struct LeavingTests {
  private let folder: TestFolder
  private static let saved = "saved: FOLDER/dates.json\n"

  init() throws { folder = try TestFolder() }

  private var stores: [String] { folder.names.filter { $0.hasPrefix("dates.json") } }

  @Test("leaves the journal of others unchanged, if the session only read")
  func reader() throws {
    let writer = try TestSession(folder)
    #expect(writer("insert Category name = \"x\"; save").hasSuffix(Self.saved))
    let journal = folder.text("dates.json.journal")
    let reader = try TestSession(folder)
    #expect(reader("count Category") == "2\n")
    #expect(reader.leave().status == .done)
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(folder.text("dates.json.journal") == journal)
  }

  @Test("leaves one file of a small store, if the session saved")
  func writer() throws {
    let writer = try TestSession(folder)
    writer("insert Category name = \"x\"; save")
    #expect(stores == ["dates.json", "dates.json.journal"])
    #expect(writer.leave() == ("", .done))
    #expect(stores == ["dates.json"])
    #expect(try #require(folder.text("dates.json")).contains("\"x\""))
  }

  @Test("excludes changes after the save")
  func changedAfter() throws {
    let writer = try TestSession(folder)
    writer("insert Category name = \"x\"; save; insert Category name = \"y\"")
    #expect(writer.leave().status == .unsavedChanges)
    #expect(stores == ["dates.json"])
    #expect(folder.text("dates.json")?.contains("\"y\"") == false)
  }
}

@Suite("A session that only reads")
struct ReadOnlyTests {
  @Test("folds no journal")
  func folds() throws {
    let folder = try TestFolder()
    let writer = try TestSession(folder)
    writer("insert Category name = \"x\"; save")
    let journal = folder.text("dates.json.journal")
    let reader = try TestSession(folder) { $0.isReadOnly = true }
    #expect(reader(".fold").hasPrefix("error: the store was opened with --read-only\n"))
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(folder.text("dates.json.journal") == journal)
  }
}

@Suite("A dry run")
struct DryRunTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Runs a script, and checks that the folder is unchanged.
  private func run(
    _ script: String, _ prepare: (inout Launch) -> Void = { _ in }
  ) -> (output: String, status: Int32) {
    let before = folder.names
    let result = folder.run(script) {
      $0.isDryRun = true
      prepare(&$0)
    }
    #expect(folder.names.filter { $0 != "script.kura" } == before.filter { $0 != "script.kura" })
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(folder.text("plain.json") == TestFolder.plain)
    return result
  }

  private static let would =
    "dry run: this would be saved to FOLDER/dates.json; nothing was written\n"

  @Test("of a save lists what it would write")
  func save() {
    let (output, status) = run("insert Category name = \"x\"\nsave\ncount Category")
    #expect(output.contains("│ inserted │ Category/2 │ name │ NULL │ x   │"))
    #expect(output.hasSuffix(Self.would + "2\n"))
    #expect(status == 0)
  }

  @Test("lists at its end what the script would have left unsaved", arguments: [false, true])
  func unsaved(_ isAutomatic: Bool) {
    let (output, status) = run("insert Category name = \"x\"") { $0.savesAtEnd = isAutomatic }
    #expect(output.hasSuffix(Self.would))
    #expect(status == 0)
  }

  @Test("of a save that breaks rules lists them")
  func invalid() {
    let (output, status) = run("insert MemoDate title = \"\"\nsave")
    #expect(output.contains("MemoDate/6: \"title\" is shorter than 1 (1670)"))
    #expect(status == 1)
  }

  @Test("of a script that fails writes nothing and lists nothing", arguments: [false, true])
  func failure(_ isAutomatic: Bool) {
    let (output, status) = run("insert Category name = \"x\"\ncount Categori") {
      $0.savesAtEnd = isAutomatic
    }
    #expect(!output.contains("dry run"))
    #expect(output.hasSuffix("quit without saving: 1 object\n") == isAutomatic)
    #expect(status == 1)
  }

  @Test("with --create creates no store")
  func creates() {
    let (output, status) = run("entity A { b: string }\ninsert A b = \"c\"\nsave") {
      $0.store = .file(folder.path + "/new.json")
      $0.creates = true
    }
    #expect(output.contains("│ entity defined │ A "))
    #expect(output.hasSuffix("would be saved to FOLDER/new.json; nothing was written\n"))
    #expect(status == 0)
  }

  @Test("of a save elsewhere creates no file, also for plain JSON")
  func elsewhere() {
    let (output, status) = run("save \"FOLDER/other.json\"") {
      $0.store = .file(folder.path + "/plain.json")
    }
    #expect(output.hasSuffix("would be saved to FOLDER/other.json; nothing was written\n"))
    #expect(status == 0)
  }

  @Test("folds no journal")
  func folds() throws {
    let writer = try TestSession(folder)
    writer("insert Category name = \"x\"; save")
    let journal = folder.text("dates.json.journal")
    let (output, status) = run(".fold")
    #expect(output == "dry run: the journal would be folded into the document\n")
    #expect(status == 0)
    #expect(folder.text("dates.json.journal") == journal)
  }
}
