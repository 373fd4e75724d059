import Foundation
import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// The new values of an `update` of many objects, compared with the reference evaluator for each object.
@Suite("New values of many objects")
struct NewValuesTests {
  static let types: [(AttributeType, literal: String, texts: [String])] = [
    (.integer, "7", ["1", "-3", "9223372036854775807", "40000"]),
    (.integer16, "7", ["1", "-3", "32767"]), (.integer32, "7", ["1", "-3", "2147483647"]),
    (.double, "2.5", ["0.1", "-3", "1e300"]), (.float, "2.5", ["0.5", "-3", "1e30"]),
    (.decimal, "2.50", ["0.10", "-3", "12345678901.89"]),
    (.boolean, "YES", ["true", "false"]),
    (.string, "\"家\"", ["a", "家", ""]),
    (.date, "\"2001-01-01\"", ["2001-02-03", "1999-12-31T05:00:00Z"]),
    (.uuid, "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", ["0621E1F8-C36C-495A-93FC-0C247A3E6E5F"]),
    (.uri, "\"https://a.example/\"", ["https://b.example/x", "urn:x"]),
    (.binary, "\"AAEC\"", ["eHk=", ""]),
    (.json, "nil", ["{\"a\": 1}", "[1, 2]", "\"x\""]),
  ]

  @Test("equal the reference evaluator's", arguments: types.indices)
  func agree(place: Int) throws {
    let (type, literal, texts) = Self.types[place]
    var numbers = SeededNumbers(seed: UInt64(place))
    let world = try Self.world(type, texts, &numbers)
    var expressions = [literal, "nil", "b", "coalesce(b, a)", "TERNARY(n > 4, a, b)"]
    if type.isNumeric { expressions += ["b + 1", "coalesce(b, 0)", "n", "n * 2.5", "a - b"] }
    if type == .integer16 { expressions.append("n * 100000") }
    let request = try world.request("Item")
    let found = try request.run()
    var columns = 0
    for text in expressions {
      guard let tree = try? World.parseExpression(text) else { continue }
      let resolver = Resolver(world.snapshot, request.environment)
      let resolved = try resolver.resolved(tree, of: "Item", as: type).tree
      let slow = Result {
        try request.values(of: resolved, found.rows).map {
          try type.taking($0, in: request.environment)
        }
      }
      guard case .success(let expected) = slow,
        case .column(let column) = try request.newValues(of: tree, for: found, as: type)
      else { continue }
      columns += 1
      let values = found.rows.map { column.value(Int($0)) }
      #expect(values.map(\.exact) == expected.map(\.exact), "\(type): \(text)")
    }
    #expect(columns >= (type == .json ? 2 : 4), "\(type): \(columns) columns")
  }

  private static func world(
    _ type: AttributeType, _ texts: [String], _ numbers: inout SeededNumbers
  ) throws -> World {
    let model = Model(entities: [
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "a", type: type, isOptional: true),
          Attribute(name: "b", type: type, isOptional: true),
          Attribute(name: "n", type: .integer, isOptional: true),
        ])
    ])
    let values = try texts.map { try type.value(ofText: $0, in: .utc, from: .document) }
    var context = GraphContext(Graph(model: model))
    _ = try context.insert(
      (0..<1100).map { _ in
        let given: [(String, Value)] = [
          ("a", numbers.pick(values)), ("b", numbers.pick(values)),
          ("n", .integer(Int64(numbers.below(9)))),
        ]
        return NewObject(
          entity: "Item",
          values: given.filter { _ in !numbers.oneIn(5) }.map { NewValue($0.0, $0.1) })
      })
    return World(context.snapshot)
  }
}
