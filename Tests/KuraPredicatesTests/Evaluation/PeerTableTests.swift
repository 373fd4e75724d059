import Foundation
import KuraDiagnostics
import Testing

@testable import KuraPredicates
@testable import KuraValues

/// Expectations from the tests of other implementations and of libraries that build predicates: the
/// tables of `Tables/Peers`, found in their folder.
///
/// A line defines an object; or it has an object or its name, a predicate, and the result: as in
/// `kura check`, or the indices of the elements that pass, or `none`.
@Suite("The expectations of other implementations")
struct PeerTableTests {
  @Test("are met, table by table", arguments: try PeerTable.names)
  func holds(_ name: String) throws {
    let table = try PeerTable(name)
    #expect(table.cases.count > 40)
    for testCase in table.cases {
      let outcome = testCase.outcome
      #expect(outcome == testCase.expected, "\(name), \(testCase.description), but \(outcome)")
    }
  }
}

/// The objects and cases of a table.
private struct PeerTable {
  var cases: [EvaluationCase] = []

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Tables/Peers")

  static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".tsv") }.sorted()
    }
  }

  init(_ name: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    var objects: [String: String] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if columns.count == 2 { objects[columns[0]] = columns[1] }
    }
    cases = EvaluationCase.read(table: text).map { testCase in
      var testCase = testCase
      testCase.object = objects[testCase.object] ?? testCase.object
      return testCase
    }
  }
}

extension EvaluationCase {
  /// The result, in the words of the expected one.
  fileprivate var outcome: String {
    do {
      let tree = try PredicateTree(parsing: predicate)
      if expected == "parses" { return expected }
      if expected.hasPrefix("= ") { return "= \(tree.predicateFormat)" }
      let root = object == "-" ? Value.null : try value(json: object)
      guard expected == "none" || expected.first?.isNumber == true else {
        return "\(try tree.evaluate(on: root, in: EvaluationContext()))"
      }
      return try passing(tree, root)
    } catch {
      return "error"
    }
  }

  /// Returns the indices of the elements that pass: `0 2`
  private func passing(_ tree: PredicateTree, _ list: Value) throws -> String {
    let elements = try #require(list.elements)
    let places = try elements.indices.filter {
      try tree.evaluate(on: elements[$0], in: EvaluationContext())
    }
    return places.isEmpty ? "none" : places.map(String.init).joined(separator: " ")
  }
}
