import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Generated queries of UUIDs, URIs and binary data, which the engine compares as the texts that columns store.
@Suite("UUIDs, URIs and binary data")
struct StoredTextTests {
  private static let rounds = KernelTests.rounds

  @Test(
    "are compared as the reference evaluator compares them", arguments: 1...3 as ClosedRange<UInt64>
  )
  func comparisons(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let world = try Self.world(&numbers)
    for _ in 0..<Self.rounds {
      let text = numbers.comparison()
      #expect(try world.check("Sale", text, seed), "seed \(seed): \(text)")
      #expect(
        try !world.request("Sale", where: text).plan.filter.asksReference, "seed \(seed): \(text)")
    }
    for _ in 0..<Self.rounds / 4 {
      let (key, values) = numbers.pick(Self.keys)
      let inner = "$s.\(key) == \(numbers.pick(["$s.second\(key)", numbers.pick(values)]))"
      for text in [
        "ANY sales.\(key) == \(numbers.pick(values))", "SUBQUERY(sales, $s, \(inner)).@count > 2",
      ] {
        #expect(try world.check("Owner", text, seed), "seed \(seed): \(text)")
      }
    }
  }

  @Test("are shown, sorted and grouped by value", arguments: 4...5 as ClosedRange<UInt64>)
  func columns(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let world = try Self.world(&numbers)
    for (key, values) in Self.keys {
      for text in [
        key, "owner.\(key)", "coalesce(\(key), second\(key))", "coalesce(owner.\(key), \(key))",
        "TERNARY(quantity > 4, \(key), second\(key))", "coalesce(\(key), \(values[0]))",
      ] {
        let tree = try World.parseExpression(text)
        let found = try world.evaluated(tree, "Sale")
        try world.checkShown(tree, found, "seed \(seed): \(text)")
        try world.checkSorted(tree, found, "seed \(seed): \(text)")
        try world.checkGrouped(tree, found, "seed \(seed): \(text)")
      }
    }
  }

  /// The keys with values of their type as literals.
  fileprivate static let keys: [(key: String, values: [String])] = [
    ("uuid", (0..<5).map { "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5\($0)\"" }),
    ("uri", (0..<5).map { "\"https://example.com/\($0)?q=%E8%B5%A4\"" }),
    ("bytes", [#""AAEC""#, #""/+8=""#, #""eHk=""#, #""""#]),
  ]

  private static func attributes() -> [Attribute] {
    zip(keys, [.uuid, .uri, .binary] as [AttributeType]).map { key, type in
      Attribute(name: key.key, type: type, isOptional: true)
    }
  }

  private static let model = Model(entities: [
    Entity(
      name: "Sale",
      attributes: attributes()
        + attributes().map { Attribute(name: "second\($0.name)", type: $0.type, isOptional: true) }
        + [Attribute(name: "quantity", type: .integer, isOptional: true)],
      relationships: [Relationship(name: "owner", destination: "Owner", inverse: "sales")]),
    Entity(
      name: "Owner", attributes: attributes(),
      relationships: [
        Relationship(name: "sales", destination: "Sale", isToMany: true, inverse: "owner")
      ]),
  ])

  private static func world(_ numbers: inout SeededNumbers) throws -> World {
    var context = GraphContext(Graph(model: model))
    func values(_ prefix: String) -> [NewValue] {
      [
        (
          "uuid",
          Value.uuid(
            UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(numbers.below(6))") ?? UUID())
        ),
        ("uri", .uri("https://example.com/\(numbers.below(6))?q=%E8%B5%A4")),
        ("bytes", .binary(numbers.pick([[0, 1, 2], [255, 239], [120, 121], [], [7]]))),
      ].filter { _ in !numbers.oneIn(4) }.map { NewValue(prefix + $0.0, $0.1) }
    }
    let owners = try context.insert(
      (0..<9).map { _ in NewObject(entity: "Owner", values: values("")) })
    let objects = owners.compactMap { id in
      context.graph.find(id).map { context.snapshot.object(table: $0.table, row: $0.row) }
    }
    _ = try context.insert(
      (0..<300).map { _ in
        var all =
          values("") + values("second") + [NewValue("quantity", .integer(Int64(numbers.below(9))))]
        if !numbers.oneIn(5) {
          all.append(NewValue("owner", .object(ObjectReference(numbers.pick(objects)))))
        }
        return NewObject(entity: "Sale", values: all)
      })
    return World(context.snapshot)
  }
}

extension SeededNumbers {
  fileprivate mutating func comparison() -> String {
    let (key, values) = pick(StoredTextTests.keys)
    let (value, sign) = (pick(values), pick(["==", "!="]))
    let side = pick([
      key, "owner.\(key)", "coalesce(\(key), \(pick(values)))",
      "coalesce(owner.\(key), second\(key))",
      "TERNARY(quantity > \(below(9)), \(key), owner.\(key))",
    ])
    switch below(6) {
    case 0: return "\(side) IN {\(value), \(pick(values)), nil}"
    case 1: return "NOT \(side) IN {\(value), \(pick(values))}"
    case 2: return "\(side) \(sign) nil"
    case 3: return "\(side) \(sign) \(pick(["second\(key)", "owner.\(key)"]))"
    default: return "\(side) \(sign) \(value)"
    }
  }
}
