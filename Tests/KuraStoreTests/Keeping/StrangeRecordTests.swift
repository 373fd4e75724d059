import KuraGraph
import Testing

@testable import KuraStore

/// Records that are whole and that no Kura has written for this store.
@Suite struct StrangeRecordTests {
  private static let types = [
    "integer", "integer16", "integer32", "double", "float", "decimal", "string", "boolean", "date",
    "uuid", "uri", "binary", "json",
  ]
  /// A value, and the types of attributes that may have it.
  private static let values: [(ChangeValue, Set<String>)] = [
    (.null, Set(types)), (.integer(7), ["integer", "integer16", "integer32", "date"]),
    (.integer(40_000), ["integer", "integer32", "date"]), (.integer(1 << 40), ["integer", "date"]),
    (.integer(.max), ["integer"]), (.double(0.5), ["double", "float"]),
    (.boolean(true), ["boolean"]), (.text("x y"), ["string", "uri"]),
    (.text("7.50"), ["string", "uri", "decimal", "json"]),
    (.text("{}"), ["string", "uri", "json"]), (.text("AAAA"), ["string", "uri", "binary"]),
    (.text("NaN"), ["string", "uri", "decimal"]),
    (.text("null"), ["string", "uri", "json", "binary"]),
    (.object(1), []), (.objects([1]), []),
  ]

  private func graph(_ type: String) throws -> Graph {
    let text = store(
      #""k": {"type": "\#(type)", "optional": true}"#, #"{"objectID": 1}"#,
      relationships: #""one": {"destination": "Item"}, "#
        + #""many": {"destination": "Item", "toMany": true}"#)
    return try #require(try Reading(text).store).graph
  }

  private func inserts(_ value: ChangeValue, _ key: String, number: Int64 = 2) -> ChangeSet {
    let column = ChangeColumn(key: key, values: [value])
    return ChangeSet(
      inserted: [ObjectBatch(entity: "Item", numbers: [number], columns: [column])])
  }

  private func updates(_ value: ChangeValue, _ key: String) -> ChangeSet {
    let column = UpdatedColumn(key: key, old: [.null], new: [value])
    return ChangeSet(updated: [
      UpdatedObjects(entity: "Item", numbers: [1], columns: [column])
    ])
  }

  private func isTaken(_ change: ChangeSet, _ graph: Graph) throws -> Bool {
    var graph = graph
    do {
      let kept = try KeptChange(reading: KeptChange(change: change, nextNumbers: [:]).bytes)
      try graph.admit(kept)
      return true
    } catch is StrangeRecord {
      return false
    }
  }

  @Test("are refused for a value of another kind", arguments: types)
  func otherKind(type: String) throws {
    let graph = try graph(type)
    for (value, allowed) in Self.values {
      for change in [inserts(value, "k"), updates(value, "k")] {
        #expect(try isTaken(change, graph) == allowed.contains(type), "\(value) as \(type)")
      }
    }
  }

  @Test func areRefusedForALinkThatIsNone() throws {
    let graph = try graph("string")
    for key in ["one", "many"] {
      for value: ChangeValue in [.integer(1), .text("1"), .boolean(true), .double(1)] {
        #expect(try !isTaken(updates(value, key), graph) && !isTaken(inserts(value, key), graph))
      }
      #expect(try isTaken(updates(.object(1), key), graph))
      #expect(try isTaken(updates(.null, key), graph))
    }
    #expect(try isTaken(updates(.objects([1]), "many"), graph))
    #expect(try !isTaken(updates(.objects([1, 1]), "one"), graph))
    #expect(try !isTaken(updates(.null, "other"), graph))
  }

  @Test func areRefusedForANumberThatCannotBeGiven() throws {
    let graph = try graph("string")
    for number: Int64 in [0, -1, .min, .max] {
      #expect(try !isTaken(inserts(.null, "k", number: number), graph), "\(number)")
    }
  }

  @Test func leaveTheStoreReadOnly() throws {
    let folder = try Folder()
    let text = store(#""k": {"type": "integer", "optional": true}"#, #"{"objectID": 1}"#)
    let path = try folder.file("s.json", Array(text.utf8))
    var hash = ContentHash()
    hash.add(Array(text.utf8))
    let first = JournalLine.first(DocumentName(hash))
    let change = KeptChange(change: updates(.text("x"), "k"), nextNumbers: [:])
    let line = JournalLine.record(1, change.bytes, previous: first.check)
    _ = try folder.file("s.json.journal", first.bytes + line.bytes)
    let session = try KeptSession(path)
    #expect(session.keeper.readOnly == .damagedJournal(record: 1, isLast: false))
  }
}
