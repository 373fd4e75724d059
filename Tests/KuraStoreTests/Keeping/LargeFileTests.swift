import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import Testing

@testable import KuraStore

/// Sidecar files that are larger than what Kura writes, with holes that need no disk space.
@Suite("Large files next to a store")
struct LargeFileTests {
  private let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)

  private func makeHole(_ path: String, _ size: UInt64) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: size)
  }

  @Test("A journal of gigabytes is refused, and kept")
  func journal() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try makeHole(path + ".journal", 4 << 30)
    let problems = #expect(throws: StoreProblems.self) { _ = try StoreSession(path) }
    #expect(problems?.diagnostics.first?.facts.sentence.contains("too large") == true)
    #expect(FileManager.default.fileExists(atPath: path + ".journal"))
  }

  @Test("Reading a journal can be cancelled")
  func stopped() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try makeHole(path + ".journal", 200 << 20)
    let options = KeepingOptions()
    options.cancel.request()
    #expect(throws: (any Error).self) { _ = try StoreSession(path, options) }
  }

  @Test("A record that does not fit into a journal is written as a document")
  func noRoom() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    #expect(session.keeper.keeper.hasRoom(for: [], session.keeper.keeper.known))
    session.keeper.keeper.known.journal?.end = 1 << 30
    #expect(!session.keeper.keeper.hasRoom(for: [], session.keeper.keeper.known))
  }

  @Test("A recovery file of gigabytes is refused without being read")
  func recovery() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    let files = RecoveryFiles(folder: folder.path + "/state")
    for start in ["", #"{"format": "kura-recovery/1""#, #"{"format": "kura/1""#] {
      try makeHole(path + ".unsaved", 4 << 30)
      let file = try FileHandle(forUpdating: URL(filePath: path + ".unsaved"))
      try file.write(contentsOf: Data(start.utf8))
      let found = files.find(for: path)
      #expect(found.count == 1)
      #expect(throws: SidecarProblem.self) { _ = try found.first?.read(KeepingOptions().cancel) }
    }
  }

  @Test("A model with too many keys is refused, and reading one can be cancelled")
  func models() throws {
    func document(_ entities: String) -> [UInt8] {
      Array(#"{"format": "kura/1", "model": {"entities": {\#(entities)}}, "objects": {}}"#.utf8)
    }
    let chain = (0..<1000).map { place in
      let parent = place == 0 ? "" : #""parent": "E\#(place - 1)", "#
      return #""E\#(place)": {\#(parent)"attributes": {"a\#(place)": {"type": "string"}}}"#
    }
    let problems = #expect(throws: StoreProblems.self) {
      _ = try StoreReader(document(chain.joined(separator: ", "))).read()
    }
    #expect(
      problems?.diagnostics.map(\.facts.sentence) == [
        "with E706, the model has more than 250000 keys, including inherited keys"
      ])
    let fewer = document(chain.prefix(300).joined(separator: ", "))
    #expect(try StoreReader(fewer).read().graph.model.entities.count == 300)
  }
}
