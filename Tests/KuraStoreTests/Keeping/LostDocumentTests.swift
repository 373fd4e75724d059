import Foundation
import KuraDiagnostics
import Testing

@testable import KuraStore

/// A journal whose document is not there.
@Suite struct LostDocumentTests {
  private let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)

  /// A folder with a journal that has a save, and the document's name.
  private func journalAlone() throws -> (Folder, String) {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    try session.save()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/away.json")
    return (folder, path)
  }

  private func problems(_ body: () throws(StoreProblems) -> Void) -> StoreProblems? {
    do throws(StoreProblems) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func isNotTakenForAStoreThatWasNeverThere() throws {
    let (folder, path) = try journalAlone()
    let found = problems { () throws(StoreProblems) in _ = try StoreKeeper.open(path: path) }
    let problems = try #require(found)
    #expect(!problems.isFileMissing)
    let facts = try #require(problems.diagnostics.first?.facts)
    #expect(
      facts.sentence
        == "\"\(path).journal\" has saves, and the document that they belong to is not there")
    #expect(facts.help?.contains("rename") == true)
    #expect(folder.names == ["away.json", "s.json.journal"])
  }

  @Test func isNotDeletedByANewStore() throws {
    let (folder, path) = try journalAlone()
    let journal = try Data(contentsOf: URL(filePath: path + ".journal"))
    let sample = try #require(try Reading(text).store)
    for replaces in [false, true] {
      let found = problems { () throws(StoreProblems) in
        _ = try StoreKeeper.make(sample, path: path, replaces: replaces)
      }
      #expect(found?.diagnostics.first?.facts.sentence.contains("has saves") == true)
    }
    #expect(folder.names == ["away.json", "s.json.journal"])
    #expect(try Data(contentsOf: URL(filePath: path + ".journal")) == journal)
    try FileManager.default.moveItem(atPath: folder.path + "/away.json", toPath: path)
    #expect(try KeptSession(path).titles == ["one", "two"])
  }

  @Test func withoutASaveIsNothing() throws {
    let (folder, path) = try journalAlone()
    _ = try folder.file("s.json.journal", [])
    let found = problems { () throws(StoreProblems) in _ = try StoreKeeper.open(path: path) }
    #expect(found?.isFileMissing == true)
    let sample = try #require(try Reading(text).store)
    _ = try StoreKeeper.make(sample, path: path, replaces: false)
    #expect(folder.names == ["away.json", "s.json"])
  }
}
