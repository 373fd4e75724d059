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

  private func sentence(_ write: () throws -> Void) -> String {
    do {
      try write()
    } catch let problems as StoreProblems {
      return problems.diagnostics.first?.facts.sentence ?? ""
    } catch {}
    return ""
  }

  @Test func aFileThatIsThereIsNotReplacedUnasked() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    let store = try sample()
    #expect(
      sentence { try StoreWriter(path: path).write(store, replacing: false) }.hasSuffix(
        "already exists"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x5B, 0x5D]))
    #expect(folder.names == ["a.json"])
  }

  @Test func aFolderThatCannotTakeFilesLeavesTheOldStore() throws {
    let store = try sample()
    #expect(
      sentence { try StoreWriter(path: "/proc/kura.json").write(store, replacing: true) }.hasPrefix(
        "cannot write"))
    #expect(
      sentence { try StoreWriter(path: "/nowhere/kura.json").write(store, replacing: true) }
        == "cannot write \"/nowhere/kura.json\": no such file or directory")
    let folder = try Folder()
    #expect(
      sentence { try StoreWriter(path: folder.path).write(store, replacing: true) }.hasSuffix(
        "is a folder, not a file"))
  }

  @Test func whereTheNewFileCannotBeMadeTheOldOneStays() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    // A folder has the name of the temporary document.
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false)
    let store = try sample()
    #expect(
      sentence { try StoreWriter(path: path).write(store, replacing: true) }.hasPrefix(
        "cannot write"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x5B, 0x5D]))
  }

  #if os(Linux)
    @Test func aFullDisk() throws {
      let store = try sample()
      #expect(
        sentence { try StoreWriter(path: "/dev/full").write(store, replacing: true) }
          == "cannot write \"/dev/full\": no space left on device")
      var status = stat()
      #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }
  #endif

  @Test func aLinkStaysALink() throws {
    let folder = try Folder()
    let path = try folder.file("a.json", [0x5B, 0x5D])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/b.json", withDestinationPath: path)
    try StoreWriter(path: folder.path + "/b.json").write(try sample(), replacing: true)
    #expect(Reading(path: path).store?.isStore == true)
    #expect(folder.names == ["a.json", "b.json"])
  }
}
