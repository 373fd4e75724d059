import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import Testing

@Suite struct SavingTests {
  private func sample() throws -> StoreContents {
    try #require(try Reading(store("", "{}")).store)
  }

  /// Writes a store like `save`, and returns the message.
  private func sentence(_ path: String, replaces: Bool = true) throws -> String {
    let store = try sample()
    do throws(StoreProblems) {
      _ = try StoreKeeper.make(store, path: path, replaces: replaces)
      return ""
    } catch {
      return error.diagnostics.first?.facts.sentence ?? ""
    }
  }

  @Test func aFileThatIsThereIsNotReplacedUnasked() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    #expect(try sentence(path, replaces: false).hasSuffix("already exists"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x5B, 0x5D]))
    #expect(folder.names == ["a.json"])
  }

  @Test func aFolderThatCannotTakeFilesLeavesTheOldStore() throws {
    #expect(
      try sentence("/proc/kura.json")
        == "cannot open \"/proc/kura.json.lock\": no such file or directory")
    #expect(
      try sentence("/nowhere/kura.json")
        == "there is no folder \"/nowhere\" for \"/nowhere/kura.json\"")
    let folder = try Folder()
    #expect(try sentence(folder.path) == "\"\(folder.path)\" is a folder, not a file")
  }

  @Test func whereTheNewFileCannotBeMadeTheOldOneStays() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    // A folder has the name of the temporary document.
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false)
    #expect(try sentence(path) == "cannot remove \"\(path).new\": is a directory")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x5B, 0x5D]))
  }

  #if os(Linux)
    @Test func aFullDisk() throws {
      #expect(
        try sentence("/dev/full") == "cannot write \"/dev/full\": no space left on device")
      var status = stat()
      #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }
  #endif

  @Test func aLinkStaysALink() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/b.json", withDestinationPath: path)
    #expect(try sentence(folder.path + "/b.json").isEmpty)
    #expect(Reading(path: path).store?.isStore == true)
    #expect(folder.names == ["a.json", "b.json"])
  }
}
