#if os(Linux)
  import Foundation
  import KuraDiagnostics
  @testable import KuraStore
  import Testing

  @Suite(.enabled(if: MountedFolder.isPossible, "only the superuser may mount a file system"))
  struct MountTests {
    private func save(in folder: MountedFolder, _ prepare: () -> Void) throws -> (String, Bool) {
      let path = folder.path + "/s.json"
      let bytes = Data(store("", "{}").utf8)
      try bytes.write(to: URL(filePath: path))
      let opened = try #require(Reading(path: path).store)
      prepare()
      var said = ""
      do {
        _ = try StoreKeeper.make(opened, path: path, replaces: true)
      } catch {
        said = error.diagnostics.first?.facts.sentence ?? ""
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let isIntact =
        try Data(contentsOf: URL(filePath: path)) == bytes && !names.contains("s.json.new")
      return (said, isIntact)
    }

    /// Runs a session whose save fails, and returns the message; earlier saves remain, and it can be saved elsewhere.
    private func keep(in folder: MountedFolder, _ prepare: () -> Void) throws -> String {
      let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)
      let path = folder.path + "/s.json"
      try Data(text.utf8).write(to: URL(filePath: path))
      var session = try StoreSession(path)
      session.insert(2, title: "two")
      try session.save()
      prepare()
      var said = ""
      session.insert(3, title: String(repeating: "three", count: 4000))
      do { try session.save() } catch let problems as StoreProblems {
        said = problems.diagnostics.first?.facts.sentence ?? ""
      }
      #expect(try StoreSession(path).titles == ["one", "two"])
      let elsewhere = try Folder()
      _ = try StoreKeeper.make(session.contents, path: elsewhere.path + "/e.json", replaces: false)
      #expect(try StoreSession(elsewhere.path + "/e.json").titles.count == 3)
      return said
    }

    @Test func aFullDiskKeepsWhatWasSavedBefore() throws {
      let folder = try #require(MountedFolder(kilobytes: 256))
      let said = try keep(in: folder) { folder.fill() }
      #expect(said.hasSuffix("no space left on device"), "\(said)")
    }

    @Test func aReadOnlyFileSystemKeepsWhatWasSavedBefore() throws {
      let folder = try #require(MountedFolder(kilobytes: 256))
      let said = try keep(in: folder) { #expect(folder.makeReadOnly()) }
      #expect(said.hasSuffix("read-only file system"), "\(said)")
      let again = try StoreSession(folder.path + "/s.json")
      #expect(again.keeper.readOnly == .folderNotWritable(EROFS))
    }

    @Test func aReadOnlyFileSystemKeepsTheOldStore() throws {
      let folder = try #require(MountedFolder(kilobytes: 256))
      let (said, isIntact) = try save(in: folder) { #expect(folder.makeReadOnly()) }
      #expect(said.hasSuffix("read-only file system"))
      #expect(isIntact)
    }

    @Test func aFullDiskKeepsTheOldStore() throws {
      let folder = try #require(MountedFolder(kilobytes: 256))
      let (said, isIntact) = try save(in: folder) { folder.fill() }
      #expect(said.hasSuffix("no space left on device"))
      #expect(isIntact)
    }
  }
#endif
