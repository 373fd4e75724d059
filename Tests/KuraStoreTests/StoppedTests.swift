import Foundation
import KuraBytes
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import Testing

@Suite("Reading and writing a store, cancelled")
struct StoppedTests {
  private func contents(_ count: Int) throws -> StoreContents {
    let rows = (0..<count).map { "{\"objectID\": \($0 + 1), \"t\": \"title \($0)\"}" }
    let text = """
      {"format": "kura/1", "model": {"entities": {"A": {"attributes": {"t": {"type": "string"}}}}},
      "objects": {"A": [\(rows.joined(separator: ","))]}}
      """
    return try #require(try Reading(text).store)
  }

  private func options(_ cancel: CancelFlag) -> KeepingOptions {
    var options = KeepingOptions()
    options.cancel = cancel
    return options
  }

  @Test("end at the next piece of the file", arguments: [true, false])
  func reading(isShared: Bool) throws {
    let cancel = CancelFlag()
    let rows = (0..<40_000).map { "{\"t\": \"title \($0)\"}" }
    let folder = try Folder()
    let path = try folder.file("a.json", Array("[\(rows.joined(separator: ","))]".utf8))
    let reader = StoreReader(
      path: path, step: 1 << 16, parallelReading: isShared ? .standard : .none,
      progress: WorkProgress(report: { if $0.done > 1 << 17 { cancel.request() } }, end: {}),
      cancel: cancel)
    #expect(throws: StoreProblems.self) { try reader.read() }
    cancel.reset()
    #expect(try StoreReader(path: path, cancel: cancel).read().graph.tables[0].count == 40_000)
  }

  @Test("leave no new store, and leave an old one unchanged")
  func writing() throws {
    let folder = try Folder()
    let cancel = CancelFlag()
    cancel.request()
    let (path, contents) = (folder.path + "/a.json", try contents(10))
    #expect(throws: StoreProblems.self) {
      try StoreKeeper.make(contents, path: path, replaces: false, options(cancel))
    }
    #expect(folder.names.filter { !$0.hasSuffix(".lock") } == [])
    cancel.reset()
    let keeper = try #require(
      try StoreKeeper.make(contents, path: path, replaces: false, options(cancel)))
    let before = try Data(contentsOf: URL(filePath: path))
    var context = GraphContext(contents.graph)
    _ = try context.insert([
      NewObject(entity: "A", values: [NewValue("t", .string("new"))])
    ])
    var changed = contents
    changed.graph = context.graph
    cancel.request()
    for change in [context.netChange, nil] {
      #expect(throws: (any Error).self) {
        try keeper.save(StoreSaveRequest(changed, change)) { _ in StoreSaveRequest(changed, nil) }
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(folder.names.filter { !$0.hasSuffix(".lock") } == ["a.json"])
    }
    cancel.reset()
    _ = try keeper.save(StoreSaveRequest(changed, context.netChange)) { _ in
      StoreSaveRequest(changed, nil)
    }
    #expect(try StoreKeeper.open(path: path).store.graph.tables[0].liveCount == 11)
  }
}
