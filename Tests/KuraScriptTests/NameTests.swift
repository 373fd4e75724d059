import KuraPredicates
import KuraValues
import Testing

@testable import KuraScript

/// Names that a document may have: any name is written so that it can be read again.
@Suite("A name reads back as it is written") struct NameTests {
  static let names: [String] =
    (0..<0x21).map { "x\(Character(Unicode.Scalar(UInt8($0))))y" }
    + ["x\u{7F}y", "x\u{85}y", "x\u{A0}y", "x\u{2028}y", "x\u{2029}y", "\u{FEFF}x", "x\u{202E}y"]
    + [
      "", " ", "\"", "'", "\\", "\\\"", "\"\\", "x\\ny", "\\u0041", "a.b", "#a", "#\"a\"", "a/1",
      "$a", "@count",
    ]
    + [
      "👪", "👨‍👩‍👧", "e\u{301}", "題名", "題 名", "1", "1a", "-", "--", "a;b", "a // b", "/* x", "_", "__",
      "a_b",
    ]
    + Keyword.allCases.map(\.rawValue)
    + ["where", "select", "sort", "from", "all", "as", "by", "group", "having", "limit", "offset"]
    + ["section", "distinct", "without", "date", "string", "fetch", "count", "exists", "objectID"]

  private func read(_ text: String) -> FetchTree? {
    var reader = StatementReader()
    reader.feed((text + "\n").utf8)
    reader.finish()
    guard case .statement(let statement, _) = reader.next() else { return nil }
    guard case .end = reader.next() else { return nil }
    return statement.tree as? FetchTree
  }

  private func key(_ name: String) -> ExpressionTree {
    ExpressionTree(.keyPath(KeyPathTree([KeyComponent(name), KeyComponent(name)])))
  }

  @Test("in a fetch", arguments: names)
  func fetch(name: String) {
    var fetch = FetchTree(of: FetchSource(.entity(name)))
    #expect(read("\(fetch)") == fetch, "\(fetch)")
    fetch.predicate = PredicateTree(.comparison(Comparison(key(name), .equal, key(name))))
    fetch.sort = [SortTree(key(name))]
    #expect(read("\(fetch)") == fetch, "\(fetch)")
    fetch.selection = [SelectedColumn(key(name), name: name, isNamed: true)]
    #expect(read("\(fetch)") == fetch, "\(fetch)")
  }

  /// A word of predicates after `count` is not an entity there.
  @Test("in a fetch in brackets", arguments: names)
  func nested(name: String) {
    var fetch = FetchTree(of: FetchSource(.entity(name)))
    let inner = FetchTree(.count, of: FetchSource(.entity(name)))
    fetch.predicate = PredicateTree(
      .comparison(Comparison(key(name), .less, ExpressionTree(.fetch(inner)))))
    #expect(read("\(fetch)") == fetch, "\(fetch)")
  }

  @Test("in a predicate", arguments: names)
  func predicate(name: String) throws {
    let tree = PredicateTree(.comparison(Comparison(key(name), .equal, key(name))))
    #expect(try PredicateTree(parsing: tree.predicateFormat) == tree)
  }
}
