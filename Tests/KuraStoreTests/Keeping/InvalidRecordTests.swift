import KuraGraph
import KuraValues
import Testing

@testable import KuraStore

/// Complete records that Kura has not written for this store.
@Suite struct InvalidRecordTests {
  private static let types = [
    "integer", "integer16", "integer32", "double", "float", "decimal", "string", "boolean", "date",
    "uuid", "uri", "binary", "json",
  ]
  /// A value, and the types of attributes that may have it.
  private static let values: [(StoredCell, Set<String>)] = [
    (.null, Set(types)), (.integer(7), ["integer", "integer16", "integer32", "date"]),
    (.integer(40_000), ["integer", "integer32", "date"]), (.integer(1 << 40), ["integer", "date"]),
    (.integer(.max), ["integer"]), (.double(0.5), ["double", "float"]),
    (.boolean(true), ["boolean"]), (.text("x y"), ["string", "uri"]),
    (.text("7.50"), ["string", "uri", "decimal", "json"]),
    (.text("{}"), ["string", "uri", "json"]), (.text("AAAA"), ["string", "uri", "binary"]),
    (.text("NaN"), ["string", "uri"]), (.double(0.1), ["double"]),
    (.double(.infinity), []), (.double(.nan), []), (.text(""), ["string", "binary"]),
    (.text("1e400"), ["string", "uri"]), (.text("null"), ["string", "uri", "binary"]),
    (.object(1), []), (.objects([1]), []),
  ]

  private func graph(_ type: String) throws -> Graph {
    let text = store(
      #""k": {"type": "\#(type)", "optional": true}"#, #"{"objectID": 1}"#,
      relationships: #""one": {"destination": "Item"}, "#
        + #""many": {"destination": "Item", "toMany": true}"#)
    return try #require(try Reading(text).store).graph
  }

  private func inserts(_ value: StoredCell, _ key: String, number: Int64 = 2) -> ChangeSet {
    let column = ChangeColumn(key: key, new: [value])
    return ChangeSet(
      inserted: [ObjectBatch(entity: "Item", numbers: [number], columns: [column])])
  }

  private func updates(_ value: StoredCell, _ key: String) -> ChangeSet {
    let column = ChangeColumn(key: key, old: [.null], new: [value])
    return ChangeSet(updated: [
      ObjectBatch(entity: "Item", numbers: [1], columns: [column])
    ])
  }

  private func isTaken(_ change: ChangeSet, _ graph: Graph) -> Bool {
    var graph = graph
    do {
      let kept = try JournaledChange(
        reading: JournaledChange(change: change, nextNumbers: [:]).bytes)
      _ = try graph.admit(kept)
      return true
    } catch {
      return false
    }
  }

  @Test("are refused for a value of another type", arguments: types)
  func otherKind(type: String) throws {
    let graph = try graph(type)
    for (value, allowed) in Self.values {
      for change in [inserts(value, "k"), updates(value, "k")] {
        #expect(isTaken(change, graph) == allowed.contains(type), "\(value) as \(type)")
      }
    }
  }

  @Test func areRefusedForALinkThatIsNone() throws {
    let graph = try graph("string")
    for key in ["one", "many"] {
      for value: StoredCell in [.integer(1), .text("1"), .boolean(true), .double(1)] {
        #expect(!isTaken(updates(value, key), graph) && !isTaken(inserts(value, key), graph))
      }
      #expect(isTaken(updates(.object(1), key), graph))
      #expect(isTaken(updates(.null, key), graph))
    }
    #expect(isTaken(updates(.objects([1]), "many"), graph))
    #expect(!isTaken(updates(.objects([1, 1]), "one"), graph))
    #expect(!isTaken(updates(.null, "other"), graph))
  }

  @Test func areRefusedForANumberThatCannotBeGiven() throws {
    let graph = try graph("string")
    for number: Int64 in [0, -1, .min, .max] {
      #expect(!isTaken(inserts(.null, "k", number: number), graph), "\(number)")
    }
  }

  /// Returns a store of one object with a null `k`, and with a journal of some records.
  private func journaled(in folder: Folder, _ contents: [[UInt8]]) throws -> String {
    let text = store(
      #""k": {"type": "integer", "optional": true}"#, #"{"objectID": 1}"#)
    let path = try folder.file("s.json", Array(text.utf8))
    var hash = ContentHash()
    hash.add(Array(text.utf8))
    let first = JournalLine.first(DocumentName(hash))
    var (bytes, last) = (first.bytes, first.check)
    for (i, content) in contents.enumerated() {
      let line = JournalLine.record(Int64(i + 1), content, previous: last)
      (bytes, last) = (bytes + line.bytes + line.content + line.end, line.check)
    }
    _ = try folder.file("s.json.journal", bytes)
    return path
  }

  private func record(_ value: StoredCell, from old: StoredCell = .null) -> [UInt8] {
    var change = updates(value, "k")
    change.updated[0].columns[0].old = [old]
    return JournaledChange(change: change, nextNumbers: [:]).bytes
  }

  @Test func leaveTheStoreReadOnlyAndAreNamedWithTheirReason() throws {
    let folder = try Folder()
    let strange = try journaled(in: folder, [record(.integer(5)), record(.text("x"))])
    let last = try StoreSession(strange)
    #expect(last.keeper.readOnly == .damagedJournal(record: 2, isLast: true))
    #expect(last.contents.values("k", of: "Item") == [.integer(5)])
    let reason = #"Item/1.k is of type integer, which cannot hold "x""#
    let said = "save 2 of \"\(strange).journal\" does not fit the store: \(reason)"
    #expect(last.notes.first == said)
    _ = try journaled(in: folder, [record(.text("x")), record(.integer(5))])
    #expect(try StoreSession(strange).keeper.readOnly == .damagedJournal(record: 1, isLast: false))
    _ = try journaled(in: folder, [Array(#"{"inserted": [], "updated": 7}"#.utf8)])
    let unread = try StoreSession(strange)
    #expect(unread.keeper.readOnly == .damagedJournal(record: 1, isLast: true))
    #expect(unread.notes.first?.hasSuffix("it cannot be read at byte 28") == true)
  }

  @Test("are dropped on request if nothing follows", arguments: [0, 1])
  func dropped(before: Int) throws {
    let folder = try Folder()
    let records = [record(.integer(5))].prefix(before) + [record(.text("x"))]
    let path = try journaled(in: folder, Array(records))
    var options = KeepingOptions()
    options.dropsDamagedSave = true
    var session = try StoreSession(path, options)
    #expect(session.keeper.readOnly == nil)
    let old: StoredCell = before == 0 ? .null : .integer(5)
    #expect(session.contents.values("k", of: "Item") == [before == 0 ? .null : .integer(5)])
    var change = updates(.integer(8), "k")
    change.updated[0].columns[0].old = [old]
    session.apply(change)
    try session.save()
    let again = try StoreSession(path)
    #expect(again.keeper.readOnly == nil && again.notes.isEmpty)
    #expect(again.contents.values("k", of: "Item") == [.integer(8)])
  }

  @Test func areDoneAndSaidIfTheyFoundAnotherValue() throws {
    let folder = try Folder()
    let path = try journaled(
      in: folder, [record(.integer(5)), record(.integer(9), from: .integer(4))])
    let session = try StoreSession(path)
    #expect(session.keeper.readOnly == nil)
    #expect(session.contents.values("k", of: "Item") == [.integer(9)])
    let journal = "\"\(path).journal\""
    #expect(
      session.notes == [
        "save 2 of \(journal) expected another value of Item/1.k; "
          + "its new value is used"
      ])
  }

  @Test("that fold include all records before them", arguments: [-1, 0, 1, 2, 5])
  func folds(includes: Int64) throws {
    let first = JournalLine.first(DocumentName(ContentHash()))
    let change = JournalLine.record(1, record(.integer(5)), previous: first.check)
    let content = JournalLine.fold(DocumentName(ContentHash()), includes: includes)
    let fold = JournalLine.record(2, content, previous: change.check)
    let lines = [change, fold].flatMap { $0.bytes + $0.content + $0.end }
    let journal = try Journal(reading: first.bytes + lines)
    #expect((journal.tail == .clean) == (includes == 1))
  }
}
