import Foundation
import KuraDiagnostics
import Testing

@testable import KuraStore

/// A journal without its document.
@Suite struct LostDocumentTests {
  private let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)

  /// Returns a folder with a journal that has a save, and the document's name.
  private func journalAlone() throws -> (Folder, String) {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try StoreSession(path)
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
        == "\"\(path).journal\" contains saves, but its document is missing")
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
      #expect(found?.diagnostics.first?.facts.sentence.contains("contains saves") == true)
    }
    #expect(folder.names == ["away.json", "s.json.journal"])
    #expect(try Data(contentsOf: URL(filePath: path + ".journal")) == journal)
    try FileManager.default.moveItem(atPath: folder.path + "/away.json", toPath: path)
    #expect(try StoreSession(path).titles == ["one", "two"])
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

  /// Opens a session with a save in its journal and an unsaved change, and moves the document away.
  private func open(saved: Bool) throws -> (Folder, String, StoreSession) {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    if saved {
      try session.save()
      session.insert(3, title: "three")
    }
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/away.json")
    return (folder, path, session)
  }

  private func said(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return (error as? StoreProblems)?.diagnostics.first?.facts.sentence ?? "\(error)"
    }
  }

  @Test("that is open is reported by every operation that needs it", arguments: [false, true])
  func isMissed(saved: Bool) throws {
    var (folder, path, session) = try open(saved: saved)
    let names = folder.names
    let gone = "\"\(path)\" was removed; its content is still in memory"
    #expect(said { try session.save() } == gone)
    #expect(said { _ = try session.keeper.refresh { _ in Issue.record("adopted") } } == gone)
    #expect(said { _ = try session.keeper.restoreJournal(session.contents) } == gone)
    if saved {
      #expect(said { _ = try session.keeper.fold(session.contents) } == gone)
      #expect(session.keeper.close(session.contents).count == 1)
    }
    #expect(folder.names == names)
    // When it is put back, the store works again.
    try FileManager.default.moveItem(atPath: folder.path + "/away.json", toPath: path)
    try session.save()
    #expect(try StoreSession(path).titles == session.titles)
  }

  @Test("that is open is rewritten on request", arguments: [false, true])
  func isWrittenAnew(saved: Bool) throws {
    var (folder, path, session) = try open(saved: saved)
    #expect(try session.keeper.remake(session.contents))
    #expect(folder.names == ["away.json", "s.json"])
    #expect(try StoreSession(path).titles == session.titles)
    #expect(try !session.keeper.remake(session.contents))
    session.insert(4, title: "four")
    try session.save()
    #expect(try StoreSession(path).titles == session.titles)
  }

  @Test("that is open is not rewritten if others have saved")
  func leavesOthersAlone() throws {
    let (folder, path, session) = try open(saved: true)
    try FileManager.default.moveItem(atPath: folder.path + "/away.json", toPath: path)
    var other = try StoreSession(path)
    other.insert(3, title: "theirs")
    try other.save()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/away.json")
    let journal = try Data(contentsOf: URL(filePath: path + ".journal"))
    #expect(said { _ = try session.keeper.remake(session.contents) }.contains("contains saves"))
    #expect(try Data(contentsOf: URL(filePath: path + ".journal")) == journal)
    #expect(folder.names == ["away.json", "s.json.journal"])
  }
}
