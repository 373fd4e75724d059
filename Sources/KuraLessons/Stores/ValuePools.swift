import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// The values for an attribute in a generated graph, by entity and key: `Task.dueDate`.
struct ValuePools {
  private(set) var all: [String: [Value]] = [:]

  init(_ sample: Graph, _ constants: [Constant], _ zone: ZoneRules) {
    let snapshot = GraphSnapshot(sample)
    for entity in sample.model.entities {
      let objects = sample.objectIDs(of: entity.name).prefix(200).compactMap { id in
        sample.find(id).map { snapshot.object(table: $0.table, row: $0.row) }
      }
      for attribute in entity.attributes {
        let occurring = objects.compactMap { try? $0.value(forKey: attribute.name) }
        let written = constants.compactMap { try? attribute.type.value(of: $0, in: zone) }
        let known = (occurring + written).filter { !$0.isNull }
        let values = Self.pool(known, of: attribute.type)
        all["\(entity.name).\(attribute.name)"] =
          values.isEmpty
          ? Self.plain(attribute.type)
          : values + Self.weighted(Self.pool(written, of: attribute.type), beside: values.count)
      }
    }
  }

  /// Returns the distinct values and their neighbors.
  private static func pool(_ values: [Value], of type: AttributeType) -> [Value] {
    ValueSet((values + values.flatMap(neighbors)).filter { !$0.isNull && type.holds($0) }).elements
  }

  /// Returns the values, repeated until they are half of the pool: the constants of predicates
  /// matter most.
  private static func weighted(_ values: [Value], beside count: Int) -> [Value] {
    if values.isEmpty { return [] }
    return (0..<max(1, count / values.count)).flatMap { _ in values }
  }

  /// Returns the neighbors of a value, at which the result of a comparison or a pattern changes.
  private static func neighbors(_ value: Value) -> [Value] {
    switch value {
    case .integer(let x): [.integer(x &- 1), .integer(x &+ 1)]
    case .double(let x): [.double(x - 0.5), .double(x + 0.5)]
    case .decimal(let x): [.decimal(x - 1), .decimal(x + 1)]
    case .date(let x):
      [-1_000_000, 1_000_000, 43_200_000_000, -86_400_000_000, 86_400_000_000].map {
        .date(Timestamp(microseconds: x.microseconds &+ $0))
      }
    case .string(let x): neighbors(x).map { .string($0) }
    default: []
    }
  }

  private static func neighbors(_ text: String) -> [String] {
    guard !text.isEmpty, text.count < 200 else { return [] }
    return [
      text + "x", "x" + text, text.uppercased(), text.lowercased(), String(text.dropFirst()),
      String(text.dropLast()), String(text.reversed()),
    ]
  }

  /// Fixed identifiers, so that a graph can be generated again from its seed.
  private static let identifiers = [
    UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (2, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)),
  ]

  /// Returns values for an attribute without a sample.
  private static func plain(_ type: AttributeType) -> [Value] {
    switch type {
    case .integer, .integer16, .integer32: (0...9).map { .integer($0) }
    case .double, .float: [0.0, 0.5, 1.0, 2.5].map { .double($0) }
    case .decimal: [0, 1, 2, 5].map { .decimal($0) }
    case .string: ["a", "b", "ab", "Ab", "c d", "家"].map { .string($0) }
    case .boolean: [.boolean(true), .boolean(false)]
    case .date:
      (0...5).map { .date(Timestamp(microseconds: 1_767_225_600_000_000 + $0 * 86_400_000_000)) }
    case .uuid: Self.identifiers.map { .uuid($0) }
    case .uri: [.uri("https://example.com/a"), .uri("https://example.com/b")]
    case .binary: [.binary([1]), .binary([1, 2])]
    case .json: [.string("a"), .integer(1)]
    }
  }
}
