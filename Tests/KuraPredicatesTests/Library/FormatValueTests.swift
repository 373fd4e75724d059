import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A format with Swift's values")
struct FormatValueTests {
  @Test("accepts them as they are")
  func values() throws {
    let moment = Date(timeIntervalSinceReferenceDate: 0)
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let sum = try ExpressionTree(format: "a + %d", 1)
    let inner = try PredicateTree(format: "%K == %@", "b", nil)
    let tree = try PredicateTree(
      format: "t == %@ AND d == %@ AND u == %@ AND n IN %@ AND %@ == 2 AND %@ AND f == %f", "x",
      moment, uuid, [1, 2], sum, inner, 2.5)
    #expect(
      tree.predicateFormat == "t == \"x\" AND d == CAST(0.000000, \"NSDate\")"
        + " AND u == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\") AND n IN {1, 2} AND a + 1 == 2"
        + " AND b == nil AND f == 2.5")
    #expect(
      try tree.evaluate([
        "t": "x", "d": .date(Timestamp(moment) ?? .now), "u": .uuid(uuid), "n": 2, "a": 1,
        "f": 2.5,
      ]))
  }

  @Test("reports the place of an argument that does not fit")
  func wrong() {
    let error = #expect(throws: Diagnostic.self) {
      try PredicateTree(format: "a == %@ AND b == %d", 1, "x")
    }
    #expect(error?.span == SourceSpan(17, 19))
    #expect(error?.facts.sentence == "\"%d\" requires an integer")
  }

  @Test("with Date's extremes stays within the possible years")
  func ends() throws {
    let tree = try PredicateTree(format: "d > %@ AND d < %@", Date.distantPast, Date.distantFuture)
    #expect(try tree.evaluate(["d": .date(.now)]))
  }
}
