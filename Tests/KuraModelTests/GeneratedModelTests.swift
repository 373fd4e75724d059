import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

/// Generates models of all kinds from a seed.
struct ModelGenerator {
  var random: SeededNumbers

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  mutating func model() -> Model {
    let names = ["A", "メモ", "first name", "a\"b\\\n", "like", "string", "😀"]
    return Model(
      entities: names.map { entity($0, among: names) },
      requests: (0..<pick(3)).map {
        SavedRequest(name: "R\($0)", text: "() = fetch \($0)\n\t\"x\"")
      },
      userInfo: flip() ? #"{"a": [1, 2.50, "誕"]}"# : nil)
  }

  private mutating func entity(_ name: String, among names: [String]) -> Entity {
    let attributes = AttributeType.allCases.map { attribute($0) }
    return Entity(
      name: name, isAbstract: flip(), attributes: attributes,
      relationships: (0..<pick(4)).map { relationship("r \($0)", among: names) },
      uniquenessConstraints: flip()
        ? [[attributes[0].name], attributes.prefix(3).map(\.name)] : [],
      indexes: flip() ? [indexable(attributes, 1), indexable(attributes, 3)] : [])
  }

  private mutating func indexable(_ attributes: [Attribute], _ count: Int) -> FetchIndex {
    let keys = attributes.filter(\.type.isIndexable).prefix(count).map(\.name)
    return FetchIndex(keys.map { FetchIndex.Element($0, isAscending: flip()) })
  }

  private mutating func attribute(_ type: AttributeType) -> Attribute {
    let isComputed = type == .date && flip()
    return Attribute(
      name: "\(type.rawValue) \"値\"", type: type, isOptional: flip(),
      defaultValue: !isComputed && flip() ? value(type) : nil,
      defaultExpression: isComputed
        ? try? ExpressionTree(parsing: "dateByAdding(now(), 1, 'day')") : nil,
      minimum: type.hasBounds && flip() ? least(type) : nil, isTransient: flip(),
      userInfo: flip() ? "{}" : nil)
  }

  private func least(_ type: AttributeType) -> Value? {
    try? type.boundType.value(
      ofText: type == .date ? "0001-01-02" : type == .string ? "0" : "-9", in: .utc)
  }

  private mutating func value(_ type: AttributeType) -> Value? {
    switch type {
    case .integer, .integer16, .integer32: .integer(Int64(pick(30_000)))
    case .double: .double(Double(pick(1000)) / 7)
    case .float: .double(Double(Float(pick(1000)) / 7))
    case .decimal: .decimal(Decimal(pick(100_000)) / 1000)
    case .string: .string("\"\\\u{1}\n誕\(pick(9))")
    case .boolean: .boolean(flip())
    case .date: .date(Timestamp(microseconds: Int64(pick(1 << 50))))
    case .uuid: .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
    case .uri: .uri("https://例.jp/\(pick(9))")
    case .binary: .binary((0..<pick(9)).map { UInt8($0) })
    case .json:
      .list([.integer(1), .double(2.5), .null, .dictionary(ValueDictionary([("", .null)]))])
    }
  }

  private mutating func relationship(_ name: String, among names: [String]) -> Relationship {
    let isToMany = flip()
    return Relationship(
      name: name, destination: names[pick(names.count)], isToMany: isToMany, isOptional: flip(),
      isOrdered: isToMany && flip(), deleteRule: DeleteRule.allCases[pick(4)],
      minimumCount: isToMany && flip() ? pick(3) : nil,
      maximumCount: isToMany && flip() ? 3 + pick(3) : nil)
  }

  private mutating func flip() -> Bool { random.next() & 1 == 1 }

  private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
}

@Suite struct GeneratedModelTests {
  @Test func everyModelComesBackFromItsJSON() {
    for seed in UInt64(0)..<200 {
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let json = model.json(in: Sample.tokyo)
      let read = ModelDocument(json: json, zone: Sample.tokyo)
      #expect(read.problems.map(\.facts.sentence) == [], "seed \(seed)")
      #expect(read.model == model, "seed \(seed)")
      #expect(read.model.json(in: Sample.tokyo) == json, "seed \(seed)")
    }
  }

  @Test func everyPrintedModelHasALineForEachProperty() {
    for seed in UInt64(0)..<50 {
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let lines = model.statements(in: .utc).split(separator: "\n")
      let properties = model.entities.flatMap { model.keys(of: $0.name) }.count
      #expect(lines.filter { $0.hasPrefix("  ") && $0.contains(": ") }.count >= properties)
      #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" } })
    }
  }
}
