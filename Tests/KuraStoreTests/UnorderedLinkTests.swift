import KuraGraph
import KuraStore
import TestSupport
import Testing

@Suite("The order of to-many relationships in a document")
struct UnorderedLinkTests {
  private static let document = """
    {"format": "kura/1", "model": {"entities": {
      "A": {"relationships": {
        "set": {"destination": "A", "toMany": true},
        "list": {"destination": "A", "toMany": true, "ordered": true},
        "friends": {"destination": "A", "toMany": true, "inverse": "friends"}}}}},
    "objects": {"A": [
      {"objectID": 1, "set": [3, 1, 2], "list": [3, 1, 2], "friends": [3]},
      {"objectID": 2, "friends": [3, 2]},
      {"objectID": 3, "friends": [3]}]}}
    """

  @Test("is that of the objectIDs unless they are ordered")
  func order() throws {
    let graph = try #require(try Reading(Self.document).store).graph
    let table = graph.tables[0]
    func rows(_ key: String, _ row: Int) throws -> [Int] {
      graph.rows(try #require(table.layout.slots[0][key]), 0, row)
    }
    #expect(try rows("set", 0) == [0, 1, 2])
    #expect(try rows("list", 0) == [2, 0, 1])
    #expect(try rows("friends", 1) == [1, 2])
    #expect(try rows("friends", 2) == [0, 1, 2])
  }
}
