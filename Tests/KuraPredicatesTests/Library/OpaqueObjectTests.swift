import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

private struct Card: Hashable { var n: Int }
private enum Suit { case hearts, spades }
private final class Plain { var n = 1 }
private final class Named: NSObject {
  let name: String
  init(_ name: String) { self.name = name }
  override func isEqual(_ object: Any?) -> Bool { (object as? Named)?.name == name }
  override var hash: Int { name.hash }
}

@Suite("Values without keys keep their identity")
struct OpaqueObjectTests {
  private func holds(_ format: String, _ argument: Any, _ object: Any) throws -> Bool {
    try PredicateTree(format: format, argumentArray: [argument]).evaluate(with: object)
  }

  @Test("a Hashable value by ==")
  func values() throws {
    #expect(try holds("SELF == %@", Card(n: 1), Card(n: 1)))
    #expect(try !holds("SELF == %@", Card(n: 1), Card(n: 2)))
    #expect(try holds("SELF != %@", Card(n: 1), Card(n: 2)))
    #expect(try holds("SELF == %@", AnyHashable(Card(n: 1)), Card(n: 1)))
    #expect(try holds("SELF == %@", Card?.some(Card(n: 1)) as Any, Card(n: 1)))
    #expect(try holds("SELF == %@", Suit.hearts, Suit.hearts))
    #expect(try !holds("SELF == %@", Suit.hearts, Suit.spades))
    #expect(try !holds("SELF == %@", 3, Card(n: 3)))
  }

  @Test("an instance of a class by ===, of one of Foundation's classes by isEqual")
  func classes() throws {
    let plain = Plain()
    #expect(try holds("SELF == %@", plain, plain) && !holds("SELF == %@", plain, Plain()))
    #expect(try holds("SELF IN %@", [Plain(), plain], plain))
    #expect(try holds("SELF == %@", Named("a"), Named("a")))
    #expect(try !holds("SELF == %@", Named("a"), Named("b")))
    #expect(try "SELF == nil".predicate().evaluate(with: NSObject()) == false)
  }

  @Test("in lists, sets and dictionaries")
  func collections() throws {
    let cards: [String: Any] = ["cards": [Card(n: 1), Card(n: 2)], "top": Card(n: 2)]
    for text in [
      "%@ IN cards", "cards CONTAINS %@", "ANY cards == %@", "top == %@", "top IN {%@}",
      "SUBQUERY(cards, $x, $x == %@).@count == 1",
      "SUBQUERY(cards, $x, $x.self == SELF.top AND $x == %@).@count == 1",
    ] {
      #expect(try holds(text, Card(n: 2), cards) && !holds(text, Card(n: 3), cards), "\(text)")
    }
    #expect(try holds("SELF IN %@", Set([Card(n: 1)]), Card(n: 1)))
    #expect(try holds("SELF IN %@", [Card(n: 1)], Card(n: 1)))
    #expect(try holds("%@.@count == 1", Set([Card(n: 1)]), 0))
    let twice = try Value(untyped: [Card(n: 1), Card(n: 1)])
    #expect(ValueSet(twice.arrayValue ?? []).elements.count == 1)
    #expect(twice.arrayValue?[0].object(as: Card.self) == Card(n: 1))
  }

  @Test("but their keys cannot be read")
  func keys() {
    let error = #expect(throws: Diagnostic.self) {
      try "n == 1".predicate().evaluate(with: Card(n: 1))
    }
    #expect(error?.facts.sentence == "n cannot be read: a value of type Card cannot be read")
    #expect(throws: Diagnostic.self) { try holds("%@.n == 1", Card(n: 1), 1) }
    #expect(throws: UnknownValueType.self) { try holds("SELF == %@", CancellationError(), 1) }
  }

  @Test("a tree with one is printed, and cannot be encoded")
  func keeping() throws {
    let tree = try PredicateTree(format: "SELF == %@", argumentArray: [Card(n: 1)])
    #expect(tree.predicateFormat == "SELF == $object")
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(tree) }
  }

  @Test("a closure gets it unchanged")
  func block() throws {
    let block = PredicateTree { value, _ in value.object(as: Card.self)?.n == 1 }
    #expect(try block.evaluate(with: Card(n: 1)) && !block.evaluate(with: Card(n: 2)))
  }

  @Test("a counted set has its distinct members")
  func countedSet() throws {
    let counted = NSCountedSet(array: [1, 1, 2])
    #expect(try holds("1 IN %@", counted, 0) && !holds("3 IN %@", counted, 0))
    #expect(try holds("%@.@count == 2", counted, 0))
    #expect(try "1 IN SELF".predicate().evaluate(with: counted))
    #expect(try "1 IN set".predicate().evaluate(with: ["set": counted]))
  }
}

private class Employee: Encodable {
  var name: String
  var boss: Employee?
  init(_ name: String, under boss: Employee? = nil) { (self.name, self.boss) = (name, boss) }
}

private final class Numbered: Encodable, Hashable {
  let number: Int
  var note = ""
  init(_ number: Int) { self.number = number }
  static func == (a: Numbered, b: Numbered) -> Bool { a.number == b.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Suite("An Encodable class keeps its identity")
struct EncodedClassTests {
  @Test("by its instance, even if another has the same content")
  func instances() throws {
    let boss = Employee("Ann")
    let staff = [
      Employee("Bo", under: boss), Employee("Bo", under: boss),
      Employee("Bo", under: Employee("Ann")),
    ]
    let one = try PredicateTree(format: "SELF == %@", argumentArray: [staff[0]])
    #expect(try staff.filter(by: one).map { $0 === staff[0] } == [true])
    #expect(try one.evaluate(encoding: staff[0]) && !one.evaluate(with: staff[1]))
    let some = try PredicateTree(format: "SELF IN %@", argumentArray: [[staff[0], staff[2]]])
    #expect(try staff.count(by: some) == 2)
    let under = try PredicateTree(format: "boss == %@", argumentArray: [boss])
    #expect(try staff.count(by: under) == 2)
    boss.name = "Eve"
    #expect(try staff.count(by: under) == 2 && staff.count(by: "boss.name == 'Eve'") == 2)
  }

  @Test("by == if it is Hashable")
  func hashable() throws {
    let (one, other) = (Numbered(1), Numbered(1))
    other.note = "x"
    let tree = try PredicateTree(format: "SELF == %@", argumentArray: [one])
    #expect(try tree.evaluate(with: other) && !tree.evaluate(with: Numbered(2)))
    // Distinct values are found by hash.
    let distinct = try ExpressionTree(parsing: "people.@distinctUnionOfObjects.self")
      .value(with: ["people": [one, other, Numbered(2)]] as [String: Any])
    #expect(distinct.arrayValue?.count == 2)
  }

  @Test("until its value is changed")
  func changed() throws {
    let one = Employee("a")
    var value = try #require(try ValueEncoder().encode(one).dictionaryValue)
    #expect(try Value.dictionary(value) == ValueEncoder().encode(one))
    #expect(try Value.dictionary(value).decoded(as: [String: String].self) == ["name": "a"])
    #expect(try ["name": "a"] == ValueEncoder().encode(one))
    value["name"] = "b"
    #expect(try Value.dictionary(value) != ValueEncoder().encode(one))
  }
}
