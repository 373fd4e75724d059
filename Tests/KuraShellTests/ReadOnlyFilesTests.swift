import Foundation
import KuraBytes
import KuraScript
import KuraStore
import Testing

@testable import KuraShell

/// Every statement and setting under `--read-only`, with a store that has every kind of sidecar
/// file.
@Suite("Under --read-only the files of a store", .serialized)
struct ReadOnlyFilesTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    _ = try say([".history keep 5 saves", "insert Category name = \"x\"", "save"])
    _ = try say(["insert Category name = \"y\""], .ended)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/caches", withIntermediateDirectories: true)
  }

  private func say(
    _ lines: [String], _ last: Conversation.Event = .end, answers: [String] = [],
    _ prepare: (inout Launch) -> Void = { _ in }
  ) throws -> String {
    folder.answers = answers
    var launch = Launch()
    launch.store = .file(folder.path + "/dates.json")
    prepare(&launch)
    var services = folder.services
    services.recoveryFiles = RecoveryFiles(folder: folder.path + "/state")
    services.cache = CacheSettings(folder: folder.path + "/caches", program: "test")
    let session = try Session(launch, services)
    let before = folder.output.count
    var rest = lines.map {
      Conversation.Event.text($0.replacing("FOLDER", with: folder.path))
    }[...]
    _ = session.converse(Conversation { _ in rest.popFirst() ?? last })
    return String(folder.output.dropFirst(before)).replacing(folder.path, with: "FOLDER")
  }

  /// The files of the store, with their bytes.
  private var files: [String: Data] {
    let names = folder.names.filter { $0.hasPrefix("dates.json") && !$0.hasSuffix(".lock") }
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, (try? Data(contentsOf: URL(filePath: folder.path + "/" + $0))) ?? Data())
      })
  }

  @Test("exist")
  func present() {
    #expect(files.keys.sorted() == ["dates.json", "dates.json.history", "dates.json.unsaved"])
  }

  @Test(
    "are protected against statements that would write or remove one of them",
    arguments: [
      ".recover drop", ".history forget", ".history keep 3 saves", ".cache clear", ".fold",
      "delete Item all; save",
      "delete Item all; save \"FOLDER/dates.json\" replacing",
      "delete Item all; save \"FOLDER/./dates.json\" replacing",
      "delete Item all; save \"FOLDER/link.json\" replacing",
      "save \"FOLDER/dates.json.history\" replacing", ".output FOLDER/dates.json",
      ".output FOLDER/dates.json.unsaved", ".once FOLDER/dates.json.unsaved-2",
    ])
  func refuses(line: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.json", withDestinationPath: folder.path + "/dates.json")
    let before = files
    let output = try say([line], answers: ["l"]) { $0.isReadOnly = true }
    #expect(output.contains("error: "), "\(output)")
    #expect(files == before)
  }

  /// New statements and settings are covered automatically.
  @Test("are not changed by any statement or setting")
  func everything() throws {
    let words = ["", " all", " drop", " clear", " forget", " \"R\"", " off", " Item", " 1"]
    let statements = StatementCatalog.all.map(\.name)
    let settings = Setting.all.filter { !$0.accessesOutside }.map { ".\($0.name)" }
    let before = files
    // A save under another name is allowed, and does not change these files.
    for name in statements + settings where ![".quit", ".edit", "save"].contains(name) {
      _ = try say(words.map { name + $0 }, answers: ["n", "n", "n"]) { $0.isReadOnly = true }
      #expect(files == before, "\(name)")
    }
  }

  @Test("and a recovery file stay, although its changes can be taken in")
  func recovered() throws {
    let before = files
    let output = try say([], answers: ["no"]) { $0.isReadOnly = true }
    #expect(output.contains("the changes stay in FOLDER/dates.json.unsaved"))
    let copied = try say([".recover", "save \"FOLDER/copy.json\""], answers: ["l"]) {
      $0.isReadOnly = true
    }
    #expect(copied.contains("saved: FOLDER/copy.json"))
    #expect(folder.text("copy.json")?.contains("\"y\"") == true)
    #expect(files == before)
  }

  @Test("are not overwritten by a save without the option, either")
  func ownFiles() throws {
    let before = files
    let output = try say(["save \"FOLDER/dates.json.history\" replacing"], answers: ["l"])
    #expect(output.contains("is the open store or one of its files"))
    #expect(files == before)
  }
}
