import Foundation
import KuraPredicates
import KuraValues
import Testing

/// A typical class of a program: mutable, in a reference cycle, not Sendable.
private final class Node: KeyReadable {
  var name: String
  var parent: Node?
  var kids: [Node] = []

  init(_ name: String, in parent: Node? = nil) {
    self.name = name
    self.parent = parent
    parent?.kids.append(self)
  }

  func value(forKey key: String) -> Value {
    switch key {
    case "name": .string(name)
    case "parent": parent.predicateValue
    case "kids": kids.predicateValue
    default: .null
    }
  }
}

@MainActor private final class Screen: @MainActor KeyReadable {
  var title = "home"
  func value(forKey key: String) -> Value { key == "title" ? .string(title) : .null }
}

private struct Point: KeyReadable, Hashable {
  var x: Int
  func value(forKey key: String) -> Value { key == "x" ? .integer(Int64(x)) : .null }
}

private struct Edition: KeyReadable {
  var isbn: Int
  var year: Int
  var identity: AnyHashable? { isbn }
  func value(forKey key: String) -> Value { key == "year" ? .integer(Int64(year)) : .null }
}

@Suite("Objects of a program keep their identity")
struct IdentityTests {
  @Test(
    "classes by their instance",
    arguments: [
      "SELF == %@", "parent == %@", "SELF IN {%@}", "ANY kids == %@", "kids CONTAINS %@",
      "SUBQUERY(parent.kids, $x, $x == SELF AND SELF == %@).@count == 1", "%@ IN kids",
      "kids == {%@}", "NOT SELF != %@",
    ])
  func instances(text: String) throws {
    let root = Node("root")
    let kid = Node("kid", in: root)
    let other = Node("kid", in: Node("root"))
    let subject = text.contains("kids") && !text.contains("parent.kids") ? root : kid
    let wanted = text.hasPrefix("parent ==") ? root : kid
    #expect(try PredicateTree(format: text, wanted).evaluate(subject))
    #expect(try !PredicateTree(format: text, other.predicateValue).evaluate(subject))
  }

  @Test("in collections and sets")
  func collections() throws {
    let root = Node("root")
    let nodes = [Node("a", in: root), Node("b", in: root), Node("a")]
    #expect(try nodes.filter(by: "parent == $p", variables: ["p": root.predicateValue]).count == 2)
    #expect(
      try nodes.count(
        by: "SELF IN $some", variables: ["some": [nodes[0], nodes[2]].predicateValue]) == 2)
    let twice = ValueSet([nodes[0], nodes[0], nodes[1]].map(\.predicateValue))
    #expect(twice.elements.count == 2)
    #expect(
      try "(parent.kids.@distinctUnionOfObjects.self).@count == 2".predicate().evaluate(nodes[0]))
  }

  @Test("Hashable values by ==, others by their declared identity")
  func values() throws {
    let predicate = try PredicateTree(format: "SELF == %@", Point(x: 3).predicateValue)
    #expect(try predicate.evaluate(Point(x: 3)))
    #expect(try !predicate.evaluate(Point(x: 4)))
    let edition = try PredicateTree(
      format: "SELF == %@", Edition(isbn: 7, year: 1906).predicateValue)
    #expect(try edition.evaluate(Edition(isbn: 7, year: 1907)))
    #expect(try !edition.evaluate(Edition(isbn: 8, year: 1906)))
  }

  @Test("dictionaries by their content")
  func dictionaries() throws {
    let predicate = try PredicateTree(
      format: "SELF == %@ AND ANY list == %@", ["a": 1] as Value, ["b": 2] as Value)
    #expect(try !predicate.evaluate(["a": 1]))
    #expect(try PredicateTree(format: "SELF == %@", ["a": 1] as Value).evaluate(["a": 1]))
    #expect(Set([Value.object(ObjectReference(["a": 1] as [String: Value])), ["a": 1]]).count == 1)
  }

  @Test("classes of the main actor are read there") @MainActor
  func mainActor() throws {
    let screen = Screen()
    #expect(try "title == 'home'".predicate().evaluate(screen))
    screen.title = "x"
    #expect(try [screen].count(by: "title == 'x'") == 1)
  }
}
