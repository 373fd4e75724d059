import KuraGraph
import Testing

@testable import KuraStore

/// Change sets in the form of a journal.
@Suite struct JournaledChangeTests {
  private let values: [ChangeValue] = [
    .null, .integer(.min), .integer(0), .double(0.1), .double(-0.0), .double(1e300), .double(2),
    .double(.infinity), .double(-.infinity), .double(.nan), .boolean(true), .boolean(false),
    .text(""), .text("誕生 \"x\"\n\u{0}\\ 🎂"), .object(7), .objects([]), .objects([3, 1, 2]),
  ]

  private var sample: JournaledChange {
    let numbers = values.indices.map { Int64($0) + 1 }
    let columns = ["a \"b\"", "c"].map { ChangeColumn(key: $0, values: values) }
    let batch = ObjectBatch(entity: "Item", numbers: numbers, columns: columns)
    let update = UpdatedObjects(
      entity: "Item", numbers: numbers,
      columns: [UpdatedColumn(key: "k", old: values, new: values.reversed())])
    let change = ChangeSet(
      inserted: [batch, ObjectBatch(entity: "Empty")], updated: [update], deleted: [batch])
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
      entity: "Item", numbers: [3], columns: [ChangeColumn(key: "title", values: [.text("x")])])
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
