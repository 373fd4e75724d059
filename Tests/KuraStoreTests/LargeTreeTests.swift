import Foundation
import KuraGraph
import KuraStore
import KuraValues
import Testing

@Suite struct LargeTreeTests {
  @Test func anInheritanceTreeMayHaveManyEntities() throws {
    let children = (1...300).map { #""E\#($0)": {"parent": "Root"}"# }.joined(separator: ", ")
    let objects = (1...300).map { #""E\#($0)": [{"objectID": \#($0)}]"# }.joined(separator: ", ")
    let text =
      #"{"format": "kura/1", "model": {"entities": {"Root": {}, \#(children)}}, "#
      + #""objects": {\#(objects)}}"#
    let table = try #require(try Reading(text).store).graph.tables[0]
    #expect((0..<300).allSatisfy { table.objectID($0).entity == "E\($0 + 1)" })
  }
}
