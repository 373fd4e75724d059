import Foundation
import KuraBytes
import KuraScript
import KuraStore
import Testing

@testable import KuraShell

@Suite("Under --safe")
struct SafeTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func run(_ script: String) -> (output: String, status: Int32) {
    let before = folder.names.filter { $0 != "script.kura" }
    let result = folder.run(script) { $0.isSafe = true }
    #expect(folder.names.filter { $0 != "script.kura" } == before, "\(script)")
    return result
  }

  @Test(
    "a statement that reaches outside the store is refused at its place",
    arguments: [
      (".read FOLDER/plain.json", "1:7: error: --safe does not allow reading other files"),
      (".read FOLDER/script.kura", "1:7: error: --safe does not allow reading other files"),
      (".open FOLDER/plain.json", "1:7: error: --safe does not allow opening other stores"),
      (".output FOLDER/new", "1:2: error: --safe allows results only on standard output"),
      (".once FOLDER/new", "1:2: error: --safe allows results only on standard output"),
      (".output /dev/stdout", "1:2: error: --safe allows results only on standard output"),
      (".output | touch FOLDER/new", "1:2: error: --safe does not allow running commands"),
      (".once | touch FOLDER/new", "1:2: error: --safe does not allow running commands"),
      ("save \"FOLDER/new.json\"", "1:6: error: --safe allows saving only to this store"),
      (
        "save \"FOLDER/plain.json\" replacing",
        "1:6: error: --safe allows saving only to this store"
      ),
      (
        "save \"FOLDER/./dates.json\" replacing",
        "1:6: error: --safe allows saving only to this store"
      ),
    ])
  func refuses(script: String, message: String) {
    let (output, status) = run(script)
    #expect(output.hasPrefix("FOLDER/script.kura:\(message)\n"), "\(output)")
    #expect(output.hasSuffix("  if you trust the script, run it without --safe\n"))
    #expect(status == 1)
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(folder.text("plain.json") == TestFolder.plain)
  }

  @Test("a statement takes no longer than --timeout allows")
  func timeout() {
    let (output, status) = folder.run(".timeout 3\n.timeout\n.timeout 6\n.timeout off\n.timeout") {
      ($0.isSafe, $0.timeout, $0.continuesAfterErrors) = (true, .seconds(5), true)
    }
    let refusal = "error: --safe does not allow a longer limit than --timeout 5\n"
    #expect(output.hasPrefix(".timeout 3 s\n") && output.hasSuffix(".timeout 3 s\n"))
    #expect(output.contains("3:10: " + refusal) && output.contains("4:10: " + refusal))
    #expect(status == 1)
  }

  @Test("the store is read and saved")
  func store() {
    let (output, status) = run(
      "insert Category name = \"x\"\n.output\nsave\n.fold\n.refresh\ncount Category")
    #expect(output.contains("saved: FOLDER/dates.json\n"))
    #expect(output.hasSuffix("2\n"))
    #expect(status == 0)
  }

  /// A setting declares whether it accesses anything outside; without the declaration, the access
  /// fails.
  @Test("every setting is harmless or refused", arguments: Setting.all)
  func settings(setting: Setting) throws {
    var refusals = 0
    for argument in ["FOLDER/plain.json", "| touch FOLDER/new"] {
      let (output, status) = run(".\(setting.name) \(argument)")
      if output.contains("error: --safe ") { refusals += 1 }
      if setting.accessesOutside { #expect(status == 1) }
      #expect(folder.text("plain.json") == TestFolder.plain)
    }
    #expect((refusals > 0) == setting.accessesOutside)
  }

  /// Tries every statement with words that could name a file.
  @Test("every statement is harmless or refused", arguments: StatementCatalog.all.map(\.name))
  func statements(name: String) {
    for rest in [
      "\"FOLDER/plain.json\"", "Item \"FOLDER/plain.json\"", "\"FOLDER/new\" replacing",
      "\"| touch FOLDER/new\"",
    ] {
      let (output, status) = run("\(name) \(rest)")
      if name == "save", rest.hasPrefix("\"FOLDER") {
        #expect(output.contains("error: --safe "), "\(rest)")
      }
      if status == 0 {
        #expect(["begin", "print"].contains(name) || output.contains("nothing"), "\(output)")
      }
      #expect(folder.text("plain.json") == TestFolder.plain)
    }
  }

  /// Lists the accesses that `safe(for:)` closes, and the harmless ones. A new one must be added
  /// here.
  @Test("every access is closed, or harmless")
  func doors() {
    let shut: Set = [
      "openStore", "makeStore", "readFile", "openScript", "readSettingsFile", "openOutput", "edit",
      "listFiles",
      "recoveryFiles", "progressFile", "replaceFile", "cache",
    ]
    let harmless: Set = [
      "readInput", "inputHasMore", "results", "report", "ask", "now", "uptime", "systemTimeZone",
      "systemLocale",
      "terminalWidth", "reportWidth", "display", "style", "cancel", "progress", "systemLanguage",
      "isFirstTime", "isEnding", "userName", "waitForChange",
    ]
    let doors = Mirror(reflecting: folder.services).children.compactMap(\.label)
    #expect(Set(doors) == shut.union(harmless))
    let safe = folder.services.safe(for: Launch())
    let path = folder.path + "/plain.json"
    #expect(throws: StoreProblems.self) { try safe.openStore(.file(path), KeepingOptions(), .none) }
    #expect(throws: Failure.self) { try safe.readFile(path) }
    #expect(throws: Failure.self) { try safe.openScript(path) }
    #expect(throws: Failure.self) { try safe.readSettingsFile(path) }
    #expect(throws: Failure.self) { try safe.openOutput(.file(path)) }
    #expect(throws: Failure.self) { try safe.openOutput(.command("touch \(path)x")) }
  }

  @Test("the user's settings file is not read")
  func ownFile() throws {
    let file = folder.path + "/own"
    try ".mode csv\n".write(toFile: file, atomically: true, encoding: .utf8)
    for isSafe in [false, true] {
      let before = folder.output.count
      var launch = Launch()
      (launch.isSafe, launch.initFile) = (isSafe, file)
      var lines = [".mode", ".quit"]
      _ = launch.run(folder.services, Conversation { _ in .text(lines.removeFirst()) })
      let output = folder.output.dropFirst(before)
      #expect(output.contains(isSafe ? ".mode table" : ".mode csv"))
    }
  }
}

@Suite("A dry run's results")
struct DryRunResultTests {
  @Test(
    "are dropped if they have another destination",
    arguments: [
      (
        ".output FOLDER/plain.json",
        "dry run: results would be written to FOLDER/plain.json; they are discarded"
      ),
      (".once FOLDER/new", "dry run: results would be written to FOLDER/new; they are discarded"),
      (
        ".output | touch FOLDER/new",
        "dry run: touch FOLDER/new would read the results; they are discarded"
      ),
    ])
  func dropped(setting: String, report: String) throws {
    let folder = try TestFolder()
    let (output, status) = folder.run("\(setting)\ncount Item\n.output\ncount Tag") {
      $0.isDryRun = true
    }
    #expect(output == "\(report)\n1\n")
    #expect(status == 0)
    #expect(
      folder.names.filter { $0 != "script.kura" } == ["broken.json", "dates.json", "plain.json"])
    #expect(folder.text("plain.json") == TestFolder.plain)
  }
}
