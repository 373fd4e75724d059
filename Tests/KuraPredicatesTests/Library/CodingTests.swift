import Foundation
import KuraDiagnostics
import KuraValues
import TestSupport
import Testing

@testable import KuraPredicates

@Suite("An encoded tree")
struct CodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<Tree: Decodable>(_ json: String, as type: Tree.Type = Tree.self) throws -> Tree
  {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  static let forms: [(String, String)] = [
    ("title CONTAINS[cd] '誕生'", #"{"kura":1,"predicate":"title CONTAINS[cd] \"誕生\""}"#),
    ("done == YES AND n > 2.0", #"{"kura":1,"predicate":"done == YES AND n > 2.0"}"#),
  ]
  @Test("is its text", arguments: forms)
  func form(text: String, expected: String) throws {
    let tree = try PredicateTree(parsing: text)
    #expect(try json(tree) == expected)
    #expect(try read(expected) == tree)
  }

  @Test("has additional data for what a text cannot express")
  func values() throws {
    let day = Value.date(Timestamp(microseconds: 1_500_000))
    let tree = try PredicateTree(format: "born > %@ OR $value1 == 1", day)
    let expected =
      #"{"kura":1,"predicate":"born > $value2 OR $value1 == 1","#
      + #""values":{"value2":{"date":"1970-01-01T00:00:01.5Z"}}}"#
    #expect(try json(tree) == expected)
    #expect(try read(expected) == tree)
  }

  @Test("decodes to an equal tree, for all generated trees")
  func roundTrip() throws {
    for seed in 1...500 as ClosedRange<UInt64> {
      var trees = RandomTrees(seed: seed)
      var numbers = SeededNumbers(seed: seed)
      let tree = trees.predicate(depth: 4).withOddNodes(&numbers)
      let text = try json(tree)
      let again = try read(text, as: PredicateTree.self)
      #expect(again == tree, "seed \(seed): \(text)")
      #expect(try json(again) == text, "seed \(seed)")
      let sort = SortTree(
        trees.expression(depth: 3), options: .cd, isNatural: seed % 2 == 0, isAscending: false,
        nullsFirst: seed % 3 == 0 ? nil : true)
      #expect(try read(json(sort)) == sort, "seed \(seed): \(sort)")
    }
  }

  static let bad = [
    #"{"kura":2,"predicate":"a == 1"}"#, #"{"predicate":"a == 1"}"#, #"{"kura":1}"#,
    #"{"kura":1,"predicate":"a =="}"#, #"{"kura":1,"expression":"a"}"#,
    #"{"kura":1,"predicate":"$a == 1 AND $a == 1","values":{"a":{"date":"soon"}}}"#,
    #"{"kura":1,"predicate":"a == $b","values":{"b":{"dictionary":{"keys":["x"],"values":[]}}}}"#,
    #"{"kura":1,"predicate":"a == $b","values":{"b":{}}}"#,
    #"{"kura":1,"predicate":"a == $b","values":{"b":{"list":[{"and":[]}]}}}"#,
  ]
  @Test("that is invalid is refused", arguments: bad)
  func refused(text: String) {
    #expect(throws: DecodingError.self) { try read(text, as: PredicateTree.self) }
  }

  @Test("of another version is reported as such")
  func version() {
    #expect {
      try read(#"{"kura":2,"predicate":"a == 1"}"#, as: PredicateTree.self)
    } throws: { "\($0)".contains("the predicate has version 2, but this Kura reads version 1") }
  }

  @Test("with parts that refer to each other in a cycle is refused")
  func circles() throws {
    let text =
      #"{"kura":1,"predicate":"$a == YES","values":{"a":{"and":["$b == YES","$b == YES"]},"#
      + #""b":{"or":["$a == YES"]}}}"#
    #expect(
      try read(text, as: PredicateTree.self).variables == ["a", "b"])
  }

  @Test("cannot contain an object that is only in memory, or an unknown function")
  func impossible() {
    let object = Value.object(ObjectReference(["a": 1] as [String: Value]))
    #expect(throws: EncodingError.self) { try json(Key("a") == object) }
    #expect(throws: EncodingError.self) { try json(Key.call("nothing", Key("a")) == 1) }
  }
}

extension PredicateTree {
  /// Returns the tree with some constants and chains that have no text.
  fileprivate func withOddNodes(_ numbers: inout SeededNumbers) -> PredicateTree {
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    let odd: [Value] = [
      .date(Timestamp(microseconds: 123_456_789)), .uuid(uuid), .uri("https://example.com/a"),
      .binary([1, 2, 255]), .decimal(Decimal(string: "0.1") ?? 0), .set([1, "x"]), .list([1, nil]),
      .dictionary(["b": 1, "a": .list([.uuid(uuid)])]), .double(.infinity),
      .object(
        ObjectReference(EncodedObject(objectID: ObjectID(entity: "A", root: "B", number: 3)))),
    ]
    var random = numbers
    let expressions = rewritingExpressions { tree, _ in
      guard case .constant = tree.kind, Bool.random(using: &random) else { return tree }
      switch Int.random(in: 0..<odd.count + 2, using: &random) {
      case odd.count: return ExpressionTree(.predicate(PredicateTree(.and([]))))
      case odd.count + 1: return ExpressionTree(.objectOrQuotient(entity: "Memo", number: 17))
      case let place: return ExpressionTree(.constant(Constant(odd[place])))
      }
    }
    return expressions.rewritingPredicates { tree, _ in
      switch Int.random(in: 0..<12, using: &random) {
      case 0: PredicateTree(.and([tree]))
      case 1: PredicateTree(.or([]))
      case 2: PredicateTree(.truth(ExpressionTree(.keyPath(KeyPathTree([KeyComponent("done")])))))
      default: tree
      }
    }
  }
}
