import KuraDiagnostics
import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// Changes that a graph refuses, regardless of their source.
@Suite struct ChangeGateTests {
  /// Returns a graph in which A/1 links to B/1, and B/2 to nothing. C is another entity, and D inherits from B.
  private func graph() throws -> Graph {
    var graph = Graph(
      model: Model(entities: [
        Entity(
          name: "A",
          attributes: AttributeType.allCases.map {
            Attribute(name: $0.rawValue, type: $0, isOptional: true)
          },
          relationships: [
            Relationship(name: "one", destination: "B"),
            Relationship(name: "many", destination: "B", isToMany: true),
          ]),
        Entity(name: "B", isAbstract: true), Entity(name: "D", parent: "B"),
        Entity(name: "E", parent: "B"),
        Entity(name: "C", relationships: [Relationship(name: "d", destination: "D")]),
      ]))
    try graph.admit(
      ChangeSet(inserted: [
        ObjectBatch(entity: "D", numbers: [1, 2]), ObjectBatch(entity: "E", numbers: [3]),
        ObjectBatch(
          entity: "A", numbers: [1],
          columns: [ChangeColumn(key: "one", new: [.object(1)])]),
        ObjectBatch(entity: "C", numbers: [1]),
      ]))
    return graph
  }

  private func refusal(
    _ change: ChangeSet, checkingOld: Bool = true
  ) throws -> ChangeRefusal.Reason? {
    var graph = try graph()
    do throws(Diagnostic) { try graph.admit(change, checkingOld: checkingOld) } catch {
      guard case .refused(let refusal)? = error.facts as? ChangeProblem else { return nil }
      #expect(graph.difference(to: try self.graph()).isEmpty, "a refused change leaves nothing")
      #expect(!error.facts.sentence.isEmpty)
      return refusal.reason
    }
    return nil
  }

  private func inserts(
    _ entity: String, _ numbers: [Int64], _ columns: [(String, [StoredCell])] = []
  ) -> ChangeSet {
    ChangeSet(inserted: [batch(entity, numbers, columns)])
  }

  private func batch(
    _ entity: String, _ numbers: [Int64], _ columns: [(String, [StoredCell])] = [],
    old: [(String, [StoredCell])] = []
  ) -> ObjectBatch {
    ObjectBatch(
      entity: entity, numbers: numbers,
      columns: columns.map { ChangeColumn(key: $0.0, new: ChangeValues($0.1)) }
        + old.map { ChangeColumn(key: $0.0, old: ChangeValues($0.1)) })
  }

  private func updates(
    _ entity: String, _ number: Int64, _ key: String, from old: StoredCell = .null,
    to new: StoredCell
  ) -> ChangeSet {
    ChangeSet(updated: [
      ObjectBatch(
        entity: entity, numbers: [number],
        columns: [ChangeColumn(key: key, old: [old], new: [new])])
    ])
  }

  @Test func objectsAndEntitiesMustExist() throws {
    #expect(try refusal(inserts("X", [1])) == .entity)
    #expect(try refusal(inserts("B", [9])) == .entity)
    #expect(try refusal(inserts("A", [1])) == .taken)
    #expect(try refusal(inserts("A", [2, 2])) == .taken)
    #expect(try refusal(inserts("E", [1])) == .taken)
    for number: Int64 in [0, -1, .min, .max, ObjectID.greatestNumber + 1] {
      #expect(try refusal(inserts("A", [number])) == .number, "\(number)")
    }
    #expect(try refusal(ChangeSet(deleted: [batch("A", [2])])) == .missing)
    #expect(try refusal(ChangeSet(deleted: [batch("E", [1])])) == .missing)
    #expect(try refusal(ChangeSet(deleted: [batch("D", [2, 2])])) == .taken)
    #expect(try refusal(updates("A", 2, "string", to: .text("x"))) == .missing)
    var gone = updates("D", 2, "x", to: .null)
    gone.deleted = [batch("D", [2])]
    #expect(try refusal(gone) == .missing)
  }

  @Test func anObjectMayComeBackAsAnother() throws {
    #expect(
      try refusal(ChangeSet(inserted: [batch("E", [2])], deleted: [batch("D", [2])])) == nil)
    #expect(
      try refusal(ChangeSet(inserted: [batch("E", [5, 4]), batch("D", [7, 6])])) == nil)
    #expect(try refusal(ChangeSet(inserted: [batch("E", [5, 4]), batch("D", [4])])) == .taken)
  }

  @Test func keysAreThoseOfTheEntity() throws {
    #expect(try refusal(inserts("A", [2], [("x", [.null])])) == .key)
    #expect(try refusal(inserts("D", [9], [("string", [.null])])) == .key)
    #expect(try refusal(inserts("A", [2], [("string", [.null]), ("string", [.null])])) == .key)
    #expect(try refusal(inserts("A", [2], [("string", [.null, .null])])) == .count)
    #expect(try refusal(inserts("A", [2, 3], [("string", [.null])])) == .count)
  }

  @Test("a value has the type of its key, new or old", arguments: AttributeType.allCases)
  func values(type: AttributeType) throws {
    let samples: [(StoredCell, Set<AttributeType>)] = [
      (.integer(70_000), [.integer, .integer32, .date]), (.integer(.max), [.integer]),
      (.integer(-40_000), [.integer, .integer32, .date]), (.double(1e300), [.double]),
      (.double(.infinity), []), (.double(.nan), []), (.double(0.1), [.double]),
      (.double(0.5), [.double, .float]), (.boolean(true), [.boolean]),
      (.text(""), [.string, .binary]), (.text("NaN"), [.string, .uri]),
      (.text("1e400"), [.string, .uri]), (.text("1e-129"), [.string, .uri, .json]),
      (.text("[1e400]"), [.string, .uri]), (.text("[null]"), [.string, .uri, .json]),
      (.text("null"), [.string, .uri, .binary]), (.text("AB=="), [.string, .uri]),
      (.text("abc"), [.string, .uri]), (.text("1e5"), [.string, .uri, .decimal, .json]),
      (.text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), [.string, .uri, .uuid]),
      (.object(1), []), (.objects([]), []),
    ]
    for (value, allowed) in samples {
      let wanted: ChangeRefusal.Reason? = allowed.contains(type) ? nil : .value(value, type)
      let key = type.rawValue
      #expect(try refusal(inserts("A", [2], [(key, [value])])) == wanted, "\(value)")
      #expect(try refusal(updates("A", 1, key, to: value)) == wanted, "\(value)")
      #expect(try refusal(updates("A", 1, key, from: value, to: .null)) == wanted, "\(value)")
      let deleted = ChangeSet(deleted: [batch("A", [1], old: [(key, [value])])])
      #expect(try refusal(deleted) == wanted, "\(value)")
      #expect(try refusal(deleted, checkingOld: false) == nil)
    }
  }

  @Test func aLinkLeadsToAnObjectOfItsDestination() throws {
    for (key, number) in [("one", 9), ("many", 9)] as [(String, Int64)] {
      #expect(try refusal(updates("A", 1, key, to: .object(number))) == .destination(number))
      #expect(try refusal(inserts("A", [2], [(key, [.object(number)])])) == .destination(number))
      #expect(try refusal(updates("A", 1, key, to: .object(3))) == nil)
      #expect(try refusal(updates("A", 1, key, to: .text("1"))) == .notLinks)
    }
    #expect(try refusal(updates("A", 1, "one", to: .objects([1, 2]))) == .notLinks)
    // E/3 is a B, but not a D.
    #expect(try refusal(updates("C", 1, "d", to: .object(3))) == .destination(3))
    #expect(try refusal(updates("C", 1, "d", to: .object(2))) == nil)
    var change = updates("C", 1, "d", to: .object(8))
    change.inserted = [batch("D", [8])]
    #expect(try refusal(change) == nil)
    change.inserted = [batch("E", [8])]
    #expect(try refusal(change) == .destination(8))
  }

  @Test func aLinkMayLeadToADeletedObject() throws {
    func link(to number: Int64, inserting: [ObjectBatch] = [], deleting: [ObjectBatch] = [])
      -> ChangeSet
    {
      var change = updates("C", 1, "d", to: .object(number))
      (change.inserted, change.deleted) = (inserting, deleting)
      return change
    }
    #expect(try refusal(link(to: 2, deleting: [batch("D", [2])])) == nil)
    // It may have been of another entity before it was deleted.
    #expect(try refusal(link(to: 3, deleting: [batch("E", [3])])) == nil)
    // But no link leads to an object of another entity with the number.
    #expect(
      try refusal(link(to: 2, inserting: [batch("E", [2])], deleting: [batch("D", [2])]))
        == .destination(2))
  }

  /// D/1 is deleted, but remains in `many`. E/1 has its number for a while.
  @Test func aRemainingLinkStaysValid() throws {
    var small = SmallGraph([
      Entity(name: "B", isAbstract: true), Entity(name: "E", parent: "B"),
      Entity(
        name: "D", parent: "B",
        relationships: [
          Relationship(name: "a", destination: "A", inverse: "many", deleteRule: .none)
        ]),
      Entity(
        name: "A",
        relationships: [
          Relationship(
            name: "many", destination: "D", isToMany: true, isOrdered: true, inverse: "a")
        ]),
    ])
    try small.perform { editor in
      _ = try editor.insert([
        NewObject(entity: "D", number: 1), NewObject(entity: "D", number: 2),
        NewObject(entity: "A", number: 1, values: [NewValue("many", objects("B/1"))]),
      ])
    }
    try small.perform { try $0.delete([named("B/1")]) }
    let change = try small.perform { editor in
      _ = try editor.insert([NewObject(entity: "E", number: 1)])
    }
    #expect(small.links("A/1", "many") == [])
    // A change that restores the link passes the gate.
    var graph = small.context.graph
    try graph.admit(change.inverted, checkingOld: true)
    _ = try small.context.undo()
    try small.perform { editor in
      try editor.set(NewValue("many", objects("B/2"), operation: .add), of: named("A/1"))
    }
    #expect(small.links("A/1", "many") == [2])
    #expect(small.failures == ["A/1.many dangling"])
  }

  @Test func aSetOfNumbersIsASet() {
    for seed: UInt64 in 1...50 {
      var numbers = SeededNumbers(seed: seed)
      var (set, plain) = (NumberSet(), Set<Int64>())
      for _ in 0..<60 {
        let number = Int64(numbers.below(40))
        #expect(set.insert(number) == plain.insert(number).inserted, "seed \(seed)")
        let other = Int64(numbers.below(45)) - 2
        #expect(set.contains(other) == plain.contains(other), "seed \(seed)")
      }
    }
  }

  @Test func typesTellAnotherModel() throws {
    let model = try graph().model
    let change = ChangeSet(
      inserted: [batch("A", [2], [("string", [.text("x")]), ("one", [.object(1)])])],
      deleted: [batch("C", [1], old: [("d", [.object(1)])])])
    let types = KeyTypes(change, in: model)
    #expect(types.firstDifference(from: model) == nil)
    #expect(types.entities["A"] == ["string": .attribute(.string), "one": .object("B")])
    var other = types
    other.entities["A"]?["one"] = .objects("B")
    #expect(try #require(other.firstDifference(from: model)) == ("A", "one"))
    other.entities["A"]?["one"] = .object("D")
    #expect(try #require(other.firstDifference(from: model)) == ("A", "one"))
    other.entities = ["A": ["string": .attribute(.uri)]]
    #expect(try #require(other.firstDifference(from: model)) == ("A", "string"))
    #expect(try #require(types.firstDifference(from: Model())) == ("A", "one"))
  }
}
