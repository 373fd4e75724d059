import Foundation
import KuraBytes
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

/// Generates graphs of a model from seeds: objects with values that occur in a sample or a
/// predicate, with neighboring values, and with nil.
///
/// An answer that is right on one store only by coincidence is wrong on one of these.
package struct GeneratedGraphs {
  let model: Model
  private let pools: [String: [Value]]
  private let evaluation: EvaluationContext

  /// Creates a generator; `constants` are the values that predicates compare with.
  package init(like sample: Graph, constants: [Constant], in evaluation: EvaluationContext) {
    model = sample.model
    self.evaluation = evaluation
    pools = ValuePools(sample, constants, evaluation.zone).all
  }

  /// Returns a graph that satisfies all rules of its model; nil if none was found.
  package func graph(seed: UInt64) -> Graph? {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<4 {
      if let graph = attempt(&random) { return graph }
    }
    return nil
  }

  private func attempt(_ random: inout SeededNumbers) -> Graph? {
    var context = GraphContext(Graph(model: model))
    let objects = newObjects(&random)
    guard (try? context.perform("make up", in: evaluation, { try $0.insert(objects) })) != nil
    else { return nil }
    // Objects that break a rule are deleted, and others may break one afterwards.
    for _ in 0..<4 {
      let failures = context.allValidationFailures(in: evaluation)
      if failures.isEmpty { return context.graph }
      let broken = Set(failures.map(\.object)).filter { context.graph.find($0) != nil }
      let edit = { (editor: inout GraphEditor) in try editor.delete(Array(broken)) }
      if (try? context.perform("leave out", in: evaluation, edit)) == nil { return nil }
    }
    return nil
  }
}

// Objects
extension GeneratedGraphs {
  /// Returns new objects; their numbers are known in advance, so that they can link to each other.
  private func newObjects(_ random: inout SeededNumbers) -> [NewObject] {
    var ids: [ObjectID] = []
    var last: [String: Int64] = [:]
    for entity in model.entities where !entity.isAbstract {
      let root = model.root(of: entity.name)
      for _ in 0..<Int.random(in: 4...12, using: &random) {
        let number = last[root, default: 0] + Int64.random(in: 1...3, using: &random)
        last[root] = number
        ids.append(ObjectID(entity: entity.name, root: root, number: number))
      }
    }
    var done: Set<String> = []
    let written = model.entities.flatMap { entity in
      entity.relationships.filter { relationship in
        done.insert("\(entity.name).\(relationship.name)")
        let other = relationship.inverse.map { "\(relationship.destination).\($0)" }
        return other.map { !done.contains($0) || $0 == "\(entity.name).\(relationship.name)" }
          ?? true
      }.map { "\(entity.name).\($0.name)" }
    }
    return ids.map { object($0, among: ids, Set(written), &random) }
  }

  private func object(
    _ id: ObjectID, among ids: [ObjectID], _ written: Set<String>, _ random: inout SeededNumbers
  ) -> NewObject {
    var object = NewObject(entity: id.entity, number: id.number)
    for attribute in model.allAttributes(of: id.entity) where attribute.derivation == nil {
      guard let value = value(of: attribute, id.entity, &random) else { continue }
      object.values.append(NewValue(attribute.name, value))
    }
    for relationship in model.allRelationships(of: id.entity) {
      let owner = model.ownedProperty(named: relationship.name, of: id.entity)?.owner ?? id.entity
      guard written.contains("\(owner).\(relationship.name)") else { continue }
      let targets = ids.filter { model.entity($0.entity, isKindOf: relationship.destination) }
      object.values.append(NewValue(relationship.name, link(relationship, targets, &random)))
    }
    return object
  }

  /// Returns a value; nil for the default of the model.
  private func value(
    of attribute: Attribute, _ entity: String, _ random: inout SeededNumbers
  ) -> Value? {
    if attribute.isOptional, random.chance(25) { return Value.null }
    if attribute.type == .boolean { return Value.boolean(random.chance(50)) }
    let owner = model.ownedProperty(named: attribute.name, of: entity)?.owner ?? entity
    return random.pick(pools["\(owner).\(attribute.name)"] ?? [])
  }

  private func link(
    _ relationship: Relationship, _ targets: [ObjectID], _ random: inout SeededNumbers
  ) -> Value {
    guard relationship.isToMany else {
      if relationship.isOptional, random.chance(20) { return .null }
      return random.pick(targets).map(Self.value) ?? .null
    }
    let share = random.pick([0, 20, 40, 70]) ?? 40
    return .list(targets.filter { _ in random.chance(share) }.map(Self.value))
  }

  private static func value(_ id: ObjectID) -> Value {
    .object(ObjectReference(NamedObject(objectID: id)))
  }
}

/// Pseudorandom numbers, which are the same for the same seed and differ for neighboring seeds.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var numbers: SplitMix64

  package init(seed: UInt64) {
    numbers = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x2545_F491_4F6C_DD1D)
  }

  package mutating func next() -> UInt64 { numbers.next() }
}

extension SeededNumbers {
  /// Returns true with a probability in percent.
  package mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}

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
