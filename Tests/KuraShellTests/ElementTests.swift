import Foundation
import TestSupport
import Testing

@testable import KuraShell

/// Elements of generated JSON, counted by Kura and by a walk over the generated values.
@Suite("The elements at a path")
struct ElementTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(
    "are those of a walk over the values", arguments: 0..<UInt64(TestLength.count(6, long: 300)))
  func agree(seed: UInt64) throws {
    var dice = SeededNumbers(seed: seed)
    // The first document has elements of both kinds at each path, so that all keys are known.
    let documents = [Node.first] + (0..<30).map { _ in Node.random(&dice, depth: 4) }
    let lines = documents.enumerated().map { "{\"n\": \($0), \"v\": \($1.json)}" }
    try lines.joined(separator: "\n").write(
      toFile: folder.path + "/doc.jsonl", atomically: true, encoding: .utf8)
    let session = try TestSession(folder)
    session(".open \"FOLDER/doc.jsonl\"")
    session(".mode jsonl")
    for path in [[], ["a"], ["b"], ["a", "b"], ["b", "a"]] {
      let name = (["doc", "v"] + path).joined(separator: ".")
      let expected = documents.enumerated().flatMap { number, node in
        node.elements(path[...]).map { "\(number) \($0.shown)" }
      }
      let rows = session("fetch \(name) select owner.n as n, coalesce(q, value) as v")
      let found = rows.split(separator: "\n").map { row -> String in
        let value = try? JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
        let shown = value?["v"].map { $0 is [Any] ? "list" : $0 is NSNull ? "null" : "\($0)" }
        return "\(value?["n"] ?? "?") \(shown ?? "?")"
      }
      #expect(found == expected, "seed \(seed), \(name)")
      #expect(session("count \(name)") == "\(expected.count)\n", "seed \(seed), \(name)")
    }
  }
}

/// A JSON value of the test.
private indirect enum Node {
  case number(Int)
  case null
  case list([Node])
  case object([(key: String, value: Node)])

  static let first = Node.object([
    (
      "a",
      .list([
        .object([("q", .number(1)), ("b", .list([.object([("q", .number(2))]), .number(3)]))]),
        .number(4),
      ])
    ),
    (
      "b",
      .list([
        .object([("q", .number(5)), ("a", .list([.object([("q", .number(6))]), .number(7)]))]),
        .number(8),
      ])
    ),
    ("q", .object([("q", .number(9))])),
  ])

  static func random(_ dice: inout SeededNumbers, depth: Int) -> Node {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &dice) {
    case 0, 1: return .number(.random(in: 0..<100, using: &dice))
    case 2: return .null
    case 3, 4:
      let count = Int.random(in: 0..<4, using: &dice)
      return .list((0..<count).map { _ in random(&dice, depth: depth - 1) })
    default:
      var members = [(key: "q", value: Node.number(.random(in: 0..<100, using: &dice)))]
      for key in ["a", "b"] where Bool.random(using: &dice) {
        members.append((key, random(&dice, depth: depth - 1)))
      }
      return .object(members.shuffled(using: &dice))
    }
  }

  var json: String {
    switch self {
    case .number(let number): "\(number)"
    case .null: "null"
    case .list(let nodes): "[" + nodes.map(\.json).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: " , ") + "}"
    }
  }

  /// The elements that the rest of a path leads to.
  func elements(_ rest: ArraySlice<String>) -> [Node] {
    switch self {
    case .number, .null: return []
    case .list(let nodes):
      return rest.isEmpty ? nodes : nodes.flatMap { $0.elements(rest) }
    case .object(let members):
      guard let key = rest.first else { return members.map(\.value) }
      return members.first { $0.key == key }?.value.elements(rest.dropFirst()) ?? []
    }
  }

  /// The text that `coalesce(q, value)` shows for the element.
  var shown: String {
    switch self {
    case .number(let number): "\(number)"
    case .null: "null"
    case .list: "list"
    case .object(let members): members.first { $0.key == "q" }?.value.shown ?? "null"
    }
  }
}
