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

  private func run(_ script: String) -> (said: String, status: Int32) {
    let before = folder.names.filter { $0 != "script.kura" }
    let result = folder.run(script) { $0.isSafe = true }
    #expect(folder.names.filter { $0 != "script.kura" } == before, "\(script)")
    return result
  }

  @Test(
    "a statement that reaches outside the store is refused at its place",
    arguments: [
      (".read FOLDER/plain.json", "1:7: error: --safe reads no other files"),
      (".read FOLDER/script.kura", "1:7: error: --safe reads no other files"),
      (".open FOLDER/plain.json", "1:7: error: --safe opens no other stores"),
      (".output FOLDER/new", "1:2: error: --safe writes results to standard output alone"),
      (".once FOLDER/new", "1:2: error: --safe writes results to standard output alone"),
      (".output /dev/stdout", "1:2: error: --safe writes results to standard output alone"),
      (".output | touch FOLDER/new", "1:2: error: --safe runs no commands"),
      (".once | touch FOLDER/new", "1:2: error: --safe runs no commands"),
      ("save \"FOLDER/new.json\"", "1:6: error: --safe saves to the store alone"),
      ("save \"FOLDER/plain.json\" replacing", "1:6: error: --safe saves to the store alone"),
      ("save \"FOLDER/./dates.json\" replacing", "1:6: error: --safe saves to the store alone"),
    ])
  func refuses(script: String, message: String) {
    let (said, status) = run(script)
    #expect(said.hasPrefix("FOLDER/script.kura:\(message)\n"), "\(said)")
    #expect(said.hasSuffix("  whoever trusts the script runs it without --safe\n"))
    #expect(status == 1)
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(folder.text("plain.json") == TestFolder.plain)
  }

  @Test("a statement takes no longer than --timeout allows")
  func timeout() {
    let (said, status) = folder.run(".timeout 3\n.timeout\n.timeout 6\n.timeout off\n.timeout") {
      ($0.isSafe, $0.timeout, $0.keepsGoing) = (true, .seconds(5), true)
    }
    let refusal = "error: under --safe no statement takes longer than --timeout 5\n"
    #expect(said.hasPrefix(".timeout 3 s\n") && said.hasSuffix(".timeout 3 s\n"))
    #expect(said.contains("3:10: " + refusal) && said.contains("4:10: " + refusal))
    #expect(status == 1)
  }

  @Test("the store is read and saved")
  func store() {
    let (said, status) = run(
      "insert Category name = \"x\"\n.output\nsave\n.fold\n.refresh\ncount Category")
    #expect(said.contains("saved: FOLDER/dates.json\n"))
    #expect(said.hasSuffix("2\n"))
    #expect(status == 0)
  }

  /// A setting declares whether it reaches outside; if one forgets that, the access itself fails.
  @Test("every setting is harmless or refused", arguments: Setting.all)
  func settings(setting: Setting) throws {
    var refusals = 0
    for argument in ["FOLDER/plain.json", "| touch FOLDER/new"] {
      let (said, status) = run(".\(setting.name) \(argument)")
      if said.contains("error: --safe ") { refusals += 1 }
      if setting.reachesOut { #expect(status == 1) }
      #expect(folder.text("plain.json") == TestFolder.plain)
    }
    #expect((refusals > 0) == setting.reachesOut)
  }

  /// Tries every statement with words that could name a file.
  @Test("every statement is harmless or refused", arguments: StatementCatalogue.all.map(\.name))
  func statements(name: String) {
    for rest in [
      "\"FOLDER/plain.json\"", "Item \"FOLDER/plain.json\"", "\"FOLDER/new\" replacing",
      "\"| touch FOLDER/new\"",
    ] {
      let (said, status) = run("\(name) \(rest)")
      if name == "save", rest.hasPrefix("\"FOLDER") {
        #expect(said.contains("error: --safe "), "\(rest)")
      }
      if status == 0 {
        #expect(["begin", "print"].contains(name) || said.contains("nothing"), "\(said)")
      }
      #expect(folder.text("plain.json") == TestFolder.plain)
    }
  }

  /// The accesses that `safe(for:)` closes, and the harmless ones: a new one must be added here.
  @Test("every access is closed, or harmless")
  func doors() {
    let shut: Set = [
      "openStore", "makeStore", "readFile", "openScript", "readOwnFile", "openOutput", "edit",
      "listFiles",
      "recoveryFiles", "progressFile", "replaceFile", "cache",
    ]
    let harmless: Set = [
      "readInput", "inputHasMore", "results", "report", "ask", "now", "uptime", "systemTimeZone",
      "systemLocale",
      "terminalWidth", "reportWidth", "display", "style", "cancel", "progress", "systemLanguage",
      "isFirstTime", "isEnding", "userName", "waitBeside",
    ]
    let doors = Mirror(reflecting: folder.surroundings).children.compactMap(\.label)
    #expect(Set(doors) == shut.union(harmless))
    let safe = folder.surroundings.safe(for: Launch())
    let path = folder.path + "/plain.json"
    #expect(throws: StoreProblems.self) { try safe.openStore(.file(path), KeepingOptions(), .none) }
    #expect(throws: Failure.self) { try safe.readFile(path) }
    #expect(throws: Failure.self) { try safe.openScript(path) }
    #expect(throws: Failure.self) { try safe.readOwnFile(path) }
    #expect(throws: Failure.self) { try safe.openOutput(.file(path)) }
    #expect(throws: Failure.self) { try safe.openOutput(.command("touch \(path)x")) }
  }

  @Test("the user's settings file is not read")
  func ownFile() throws {
    let file = folder.path + "/own"
    try ".mode csv\n".write(toFile: file, atomically: true, encoding: .utf8)
    for isSafe in [false, true] {
      let before = folder.said.count
      var launch = Launch()
      (launch.isSafe, launch.initFile) = (isSafe, file)
      var lines = [".mode", ".quit"]
      _ = launch.run(folder.surroundings, Conversation { _ in .text(lines.removeFirst()) })
      let said = folder.said.dropFirst(before)
      #expect(said.contains(isSafe ? ".mode table" : ".mode csv"))
    }
  }
}

@Suite("A dry run's results")
struct DryRunResultTests {
  @Test(
    "are dropped if they would go elsewhere",
    arguments: [
      (
        ".output FOLDER/plain.json",
        "dry run: results would be written to FOLDER/plain.json; they are dropped"
      ),
      (".once FOLDER/new", "dry run: results would be written to FOLDER/new; they are dropped"),
      (
        ".output | touch FOLDER/new",
        "dry run: touch FOLDER/new would read the results; they are dropped"
      ),
    ])
  func dropped(setting: String, report: String) throws {
    let folder = try TestFolder()
    let (said, status) = folder.run("\(setting)\ncount Item\n.output\ncount Tag") {
      $0.isDryRun = true
    }
    #expect(said == "\(report)\n1\n")
    #expect(status == 0)
    #expect(
      folder.names.filter { $0 != "script.kura" } == ["broken.json", "dates.json", "plain.json"])
    #expect(folder.text("plain.json") == TestFolder.plain)
  }
}
