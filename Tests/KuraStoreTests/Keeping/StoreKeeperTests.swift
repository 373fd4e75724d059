import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues
import Testing

@testable import KuraStore

/// A session with a store in a file: its contents, and the unsaved changes.
struct StoreSession {
  let keeper: StoreKeeper
  var contents: StoreContents
  var change = ChangeSet()
  var notes: [String] = []

  init(_ path: String, _ options: KeepingOptions = KeepingOptions()) throws {
    let kept = try StoreKeeper.open(path: path, options)
    keeper = try #require(kept.keeper)
    contents = kept.store
    notes = kept.notes.map(\.facts.sentence)
  }

  /// Applies a change to the store.
  mutating func apply(_ change: ChangeSet) {
    #expect(throws: Never.self) { try contents.graph.admit(change) }
    self.change = change
  }

  mutating func insert(_ number: Int64, title: String) {
    let columns = [ChangeColumn(key: "title", new: [.text(title)])]
    apply(
      ChangeSet(inserted: [ObjectBatch(entity: "Item", numbers: [number], columns: columns)]))
  }

  mutating func save(recording entry: SaveEntry? = nil) throws {
    let change = change
    let kept = try keeper.save(StoreSaveRequest(contents, change), recording: entry) { fresh in
      var fresh = fresh
      try fresh.graph.admit(change)
      return StoreSaveRequest(fresh, change)
    }
    contents = kept.contents
    self.change = ChangeSet()
  }

  var titles: [String] {
    contents.values("title", of: "Item").map { if case .string(let text) = $0 { text } else { "" } }
  }
}

@Suite struct StoreKeeperTests {
  private let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)

  private func file(_ folder: Folder) throws -> String {
    try folder.file("s.json", Array(text.utf8))
  }

  private func titles(_ path: String) throws -> [String] { try StoreSession(path).titles }

  @Test func aSaveAppendsARecordAndACleanEndFoldsIt() throws {
    let folder = try Folder()
    let path = try file(folder)
    let before = try Data(contentsOf: URL(filePath: path))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    #expect(folder.names == ["s.json", "s.json.journal"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try titles(path) == ["one", "two"])
    #expect(session.keeper.close(session.contents).isEmpty)
    #expect(folder.names == ["s.json"])
    #expect(try titles(path) == ["one", "two"])
    #expect(Reading(path: path).store?.graph.tables[0].count == 2)
  }

  @Test func updatesAndDeletionsAreReplayed() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    session.apply(
      ChangeSet(updated: [
        ObjectBatch(
          entity: "Item", numbers: [2],
          columns: [ChangeColumn(key: "title", old: [.text("two")], new: [.text("zwei")])])
      ]))
    try session.save()
    session.apply(
      ChangeSet(deleted: [
        ObjectBatch(
          entity: "Item", numbers: [1],
          columns: [ChangeColumn(key: "title", old: [.text("one")])])
      ]))
    try session.save()
    let again = try StoreSession(path)
    #expect(try again.contents.document == session.contents.document)
    #expect(try again.contents.document.contains("zwei"))
    #expect(try !again.contents.document.contains("one"))
  }

  @Test func aNumberIsNeverGivenTwice() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    // An object was inserted and deleted: only its number is used up.
    session.contents.graph.tables[0].nextNumber = 12
    try session.save()
    #expect(try StoreSession(path).contents.graph.tables[0].nextNumber == 12)
    let last = try StoreSession(path)
    #expect(last.keeper.close(last.contents).isEmpty)
    #expect(try StoreSession(path).contents.graph.tables[0].nextNumber == 12)
  }

  @Test func aChangeOfTheModelWritesTheDocument() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    session.contents.timeZoneID = "Asia/Tokyo"
    _ = try session.keeper.save(StoreSaveRequest(session.contents, nil)) {
      StoreSaveRequest($0, nil)
    }
    #expect(folder.names == ["s.json"])
    #expect(Reading(path: path).store?.timeZoneID == "Asia/Tokyo")
  }

  @Test func twoSessionsTakeInEachOthersSaves() throws {
    let folder = try Folder()
    let path = try file(folder)
    var one = try StoreSession(path)
    var two = try StoreSession(path)
    one.insert(2, title: "two")
    try one.save()
    two.insert(3, title: "three")
    try two.save()
    #expect(two.titles == ["one", "two", "three"])
    #expect(try one.keeper.refresh { one.contents = $0 })
    #expect(one.titles == ["one", "two", "three"])
  }

  @Test func modeOwnerLinksAndAttributesStay() throws {
    let folder = try Folder()
    let path = try file(folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.path + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "s.json")
    var session = try StoreSession(link)
    session.insert(2, title: "two")
    try session.save()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(path + ".journal") == 0o640)
    #expect(session.keeper.close(session.contents).isEmpty)
    #expect(try mode(path) == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "s.json")
    #expect(folder.names == ["link.json", "s.json"])
    #expect(try titles(link) == ["one", "two"])
  }

  @Test func aLockThatCannotBeHadIsSaidBySavesAndNotAtTheEnd() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    try FileManager.default.createDirectory(
      atPath: path + ".lock", withIntermediateDirectories: false)
    var next = session
    next.insert(3, title: "three")
    #expect(throws: StoreProblems.self) { try next.save() }
    #expect(session.keeper.close(session.contents).isEmpty)
    #expect(try titles(path) == ["one", "two"])
  }

  @Test func aFoldThatFailsAtTheEndSaysWhereTheSavesAre() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false)
    let warnings = session.keeper.close(session.contents)
    let sentence = try #require(warnings.first?.facts.sentence)
    #expect(sentence.hasPrefix("\"\(path).journal\" was not folded into the document: cannot "))
    #expect(sentence.hasSuffix("; the journal keeps the saves"))
    #expect(try titles(path) == ["one", "two"])
  }

  @Test func aFoldThatFailsSaysThatAllIsSaved() throws {
    for isLost in [false, true] {
      let folder = try Folder()
      let path = try file(folder)
      var session = try StoreSession(path)
      session.insert(2, title: "two")
      try session.save()
      try FileManager.default.createDirectory(
        atPath: path + ".new", withIntermediateDirectories: false)
      if isLost { try FileManager.default.removeItem(atPath: path + ".journal") }
      do {
        _ = try session.keeper.fold(session.contents)
        Issue.record("folded")
      } catch let problems as StoreProblems {
        let facts = try #require(problems.diagnostics.first?.facts)
        #expect(facts.sentence.hasSuffix("; the journal keeps the saves") == !isLost)
        #expect(facts.sentence.contains("could not be written again") == isLost)
        #expect(facts.help?.contains("unsaved") != true)
      }
    }
  }

  @Test func aJournalThatIsTakenAwayIsSaidAtTheEnd() throws {
    for isLocked in [false, true] {
      let folder = try Folder()
      let path = try file(folder)
      var session = try StoreSession(path)
      session.insert(2, title: "two")
      try session.save()
      try FileManager.default.removeItem(atPath: path + ".journal")
      if isLocked {
        try FileManager.default.createDirectory(
          atPath: path + ".lock", withIntermediateDirectories: false)
      }
      let said = session.keeper.close(session.contents).map(\.facts.sentence)
      #expect(said.count == 1)
      #expect(said.first?.contains("could not be written again") == isLocked)
      #expect(try titles(path) == (isLocked ? ["one"] : ["one", "two"]))
    }
  }

  @Test func aJournalThatIsTakenAwayIsWrittenAnewWhereNothingIsToBeSaved() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    #expect(try session.keeper.restoreJournal(session.contents)?.facts.sentence == nil)
    session.insert(2, title: "two")
    try session.save()
    #expect(try session.keeper.restoreJournal(session.contents)?.facts.sentence == nil)
    try FileManager.default.removeItem(atPath: path + ".journal")
    let said = try session.keeper.restoreJournal(session.contents)?.facts.sentence
    #expect(said?.hasSuffix("its saves were written again") == true)
    #expect(try titles(path) == ["one", "two"])
    #expect(try session.keeper.restoreJournal(session.contents)?.facts.sentence == nil)
  }

  @Test func aJournalThatCannotBeReadIsSaidWithAWayOn() throws {
    let folder = try Folder()
    let path = try file(folder)
    try FileManager.default.createDirectory(
      atPath: path + ".journal", withIntermediateDirectories: false)
    do throws(StoreProblems) {
      _ = try StoreKeeper.open(path: path)
      Issue.record("opened")
    } catch {
      let facts = try #require(error.diagnostics.first?.facts)
      #expect(facts.sentence == "cannot read \"\(path).journal\": is a directory")
      #expect(facts.help == "Kura's journal must be a regular file: rename the existing file")
    }
    let denied = KeepingMessage(.notOpened(FileError(.open, EACCES), .journal), path: "s.json")
    #expect(denied.sentence == "cannot open \"s.json.journal\": permission denied")
    #expect(denied.help == "it may contain saves: ask its owner for access")
  }

  /// Returns the messages when opening a journal of three saves with a changed bit in a line; 0 is the first.
  private func notes(damaged line: Int, _ options: KeepingOptions) throws -> [String] {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    for number in 2...4 {
      session.insert(Int64(number), title: "x")
      try session.save()
    }
    var bytes = Array(try Data(contentsOf: URL(filePath: path + ".journal")))
    let starts = [0] + (try Journal(reading: bytes)).records.map(\.start)
    bytes[starts[line] + 20] ^= 1
    _ = try folder.file("s.json.journal", bytes)
    return try StoreSession(path, options).notes.map {
      $0.replacingOccurrences(of: path, with: "s.json")
    }
  }

  @Test func damageInTheMiddleIsNotDroppedAndThatIsSaid() throws {
    var options = KeepingOptions()
    let warning =
      #"save 2 of "s.json.journal" is damaged, and later saves follow; "#
      + "only the saves before it were read, and the store is read-only"
    #expect(try notes(damaged: 2, options) == [warning])
    options.dropsDamagedSave = true
    let said = try notes(damaged: 2, options)
    #expect(said.first == warning && said.count == 2)
    #expect(said.last?.hasPrefix("--drop-damaged-save discards only the last save") == true)
    #expect(
      try notes(damaged: 3, options) == [
        #"the last save in "s.json.journal" is damaged and was skipped"#
      ])
  }

  @Test func damageOfTheFirstLineIsSaidAsWhatItIs() throws {
    #expect(
      try notes(damaged: 0, KeepingOptions()) == [
        #"the first line of "s.json.journal" is damaged; "s.json" was opened read-only, "#
          + "without its saves"
      ])
    #expect(
      try notes(damaged: 1, KeepingOptions()).first?.contains("only the document was read, and")
        == true)
  }

  @Test func aWaitForTheLockIsSaidAtOnceAndAgainWhenItIsLong() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    let place = try StorePlace(path: path, .live)
    var lock: StoreLock? = try StoreLock(place, like: nil) { _ in }
    var said: [String] = []
    var seconds = 0
    session.keeper.waits.now = {
      seconds += 4
      return .seconds(seconds)
    }
    session.keeper.waits.report = {
      said.append($0.rendered())
      if said.count == 2 { lock = nil }
    }
    session.insert(2, title: "two")
    try session.save()
    #expect(lock == nil && said.count == 2)
    #expect(said.last?.contains("Control-C stops waiting") == true)
    #expect(try titles(path) == ["one", "two"])
  }

  @Test func aDocumentWithSeveralNamesIsReadOnly() throws {
    let folder = try Folder()
    let path = try file(folder)
    try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/other.json")
    var session = try StoreSession(path)
    #expect(session.keeper.readOnly == .hardLinks(2))
    #expect(session.notes.first?.hasSuffix("has 2 hard links, so it is read-only") == true)
    session.insert(2, title: "two")
    #expect(throws: StoreProblems.self) { try session.save() }
    #expect(folder.names == ["other.json", "s.json"])
  }

  @Test func aDocumentChangedByHandIsNoticed() throws {
    let folder = try Folder()
    let path = try file(folder)
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    _ = try folder.file("s.json", Array(text.replacingOccurrences(of: "one", with: "eins").utf8))
    let again = try StoreSession(path)
    #expect(again.keeper.readOnly == .journalOfOtherDocument)
    #expect(again.titles == ["eins"])
    #expect(again.notes.count == 1)
  }

  @Test func plainJSONAndPipesHaveNoKeeper() throws {
    let folder = try Folder()
    let plain = try folder.file("p.json", Array("[{\"a\": 1}]".utf8))
    #expect(try StoreKeeper.open(path: plain).keeper == nil)
    #expect(throws: StoreProblems.self) { try StoreKeeper.open(path: folder.path + "/none.json") }
  }

  @Test func aNewStoreIsKeptFromTheBeginning() throws {
    let folder = try Folder()
    let path = folder.path + "/new.json"
    let sample = try #require(try Reading(text).store)
    let keeper = try #require(try StoreKeeper.make(sample, path: path, replaces: false))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    do throws(StoreProblems) {
      _ = try StoreKeeper.make(sample, path: path, replaces: false)
      Issue.record("made twice")
    } catch {
      #expect(error.isFileThere)
    }
    #expect(try keeper.refresh { _ in })
    _ = try StoreKeeper.make(sample, path: path, replaces: true)
    #expect(folder.names == ["new.json"])
    #expect(try titles(path) == ["one"])
  }
}
