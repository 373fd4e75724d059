#if os(Linux)
  import Foundation
  import KuraDiagnostics
  import KuraStore
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
        try StoreWriter(path: path).write(opened, replacing: true)
      } catch {
        said = error.diagnostics.first?.facts.sentence ?? ""
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let isIntact =
        try Data(contentsOf: URL(filePath: path)) == bytes && !names.contains("s.json.new")
      return (said, isIntact)
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
