import KuraGraph
import Testing

@testable import KuraStore

/// Change sets in the form of a journal.
@Suite struct JournaledChangeTests {
  private let values: [StoredCell] = [
    .null, .integer(.min), .integer(0), .double(0.1), .double(-0.0), .double(1e300), .double(2),
    .double(.infinity), .double(-.infinity), .double(.nan), .boolean(true), .boolean(false),
    .text(""), .text("誕生 \"x\"\n\u{0}\\ 🎂"), .object(7), .objects([]), .objects([3, 1, 2]),
  ]

  private var sample: JournaledChange {
    let numbers = values.indices.map { Int64($0) + 1 }
    let inserted = ["a \"b\"", "c"].map { ChangeColumn(key: $0, new: ChangeValues(values)) }
    let deleted = inserted.map { ChangeColumn(key: $0.key, old: $0.new) }
    let update = ObjectBatch(
      entity: "Item", numbers: numbers,
      columns: [
        ChangeColumn(key: "k", old: ChangeValues(values), new: ChangeValues(values.reversed()))
      ])
    let change = ChangeSet(
      inserted: [
        ObjectBatch(entity: "Item", numbers: numbers, columns: inserted),
        ObjectBatch(entity: "Empty"),
      ], updated: [update],
      deleted: [ObjectBatch(entity: "Item", numbers: numbers, columns: deleted)])
    return JournaledChange(change: change, nextNumbers: ["Item": 18, "A": 2])
  }

  @Test func areReadAsTheyWereWritten() throws {
    #expect(try JournaledChange(reading: sample.bytes) == sample)
    let none = JournaledChange(change: ChangeSet(), nextNumbers: [:])
    #expect(try JournaledChange(reading: none.bytes) == none)
  }

  @Test func haveNoLineBreakAndNoZero() {
    #expect(!sample.bytes.contains(0x0A) && !sample.bytes.contains(0))
  }

  @Test func looksAsItIsDocumented() {
    let batch = ObjectBatch(
      entity: "Item", numbers: [3], columns: [ChangeColumn(key: "title", new: [.text("x")])])
    let change = JournaledChange(change: ChangeSet(inserted: [batch]), nextNumbers: ["Item": 4])
    #expect(
      String(decoding: change.bytes, as: UTF8.self)
        == #"{"inserted": [{"entity": "Item", "numbers": [3], "columns": {"title": ["x"]}}], "#
        + #""updated": [], "deleted": [], "nextObjectID": {"Item": 4}}"#)
  }

  @Test(
    "of another form are refused",
    arguments: [
      "", "[]", "{}", #"{"inserted": []}"#,
      #"{"inserted": [{"entity": "A", "numbers": [1, 2], "columns": {"k": [1]}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
      #"{"inserted": [], "updated": [], "deleted": [], "nextObjectID": {"A": "1"}}"#,
      #"{"inserted": [{"entity": "A", "numbers": [1], "columns": {"k": [{"x": 1}]}}], "updated": [], "deleted": [], "nextObjectID": {}}"#,
    ])
  func refused(text: String) {
    #expect(throws: (any Error).self) { try JournaledChange(reading: Array(text.utf8)) }
  }
}
