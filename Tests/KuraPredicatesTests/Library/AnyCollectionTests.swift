import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

private struct Item: Codable, Hashable { var n: Int; var tag: String? = nil }
private struct Card: Hashable { var n: Int }
private struct Place: KeyTableReadable, Hashable {
  var n: Int
  static let readableKeys: KeyTable<Place> = ["n": \.n]
}
private struct Plain { var n: Int }
private enum Level: Int { case low = 1, high }

@Suite("A collection of elements of any type")
struct AnyCollectionTests {
  private let items = [Item(n: 1), Item(n: 2, tag: "x")]
  private let rows: [[String: Any]] = [["n": 1], ["n": 2]]
  private let anything: [Any] = [["n": 1], Item(n: 2)]

  @Test("is filtered, whatever its elements are")
  func elements() throws {
    #expect(try items.filter(by: "n == 1") == [Item(n: 1)])
    #expect(try anything.filter(by: "n == 1").count == 1)
    #expect(try [AnyHashable(1), AnyHashable("x")].filter(by: "SELF == 'x'") == ["x"])
    let hashable: [any Hashable] = [1, "x"]
    #expect(try hashable.count(by: "SELF == 1") == 1)
    let readable: [any KeyReadable] = [Place(n: 1), ["n": 2] as [String: Value]]
    #expect(try readable.count(by: "n == 2") == 1 && readable.count(by: "n > 0") == 2)
    #expect(try [NSString("ab"), NSString("c")].filter(by: "SELF.length == 2") == ["ab"])
    #expect(try [NSNumber(value: 1), NSNumber(value: 2)].first(by: "SELF > 1") == 2)
    let keyed: [[AnyHashable: Any]] = [["n": 1], ["n": 2]]
    #expect(try keyed.count(by: "n == 2") == 1)
    let optional: [[String: Any?]] = [["n": nil], ["n": 2]]
    #expect(try optional.count(by: "n == nil") == 1 && optional.count(by: "n == 2") == 1)
    #expect(
      try [Card(n: 1), Card(n: 2)].filter(by: PredicateTree(format: "SELF == %@", Card(n: 2))).count
        == 1)
    #expect(try rows.allSatisfy(by: "n > 0") && rows.contains(by: "n == 2"))
    #expect(throws: UnknownValueType.self) { try [Plain(n: 1)].filter(by: "n == 1") }
    #expect(throws: Diagnostic.self) { try items.filter(by: "m == 1") }
  }

  @Test("is sorted, whatever its elements are")
  func sorted() throws {
    #expect(try rows.sorted(by: "n desc").map { $0["n"] as? Int } == [2, 1])
    #expect(try anything.sorted(by: "n desc")[0] is Item)
    #expect(try items.sorted(by: "tag, n desc").map(\.n) == [1, 2])
    #expect(try Set(items).sorted(by: "n").map(\.n) == [1, 2])
    #expect(try [NSNumber(value: 2), NSNumber(value: 1)].sorted(by: "SELF") == [1, 2])
    let least = 1
    #expect(try items.sorted(by: "n * $n desc", variables: ["n": least]).count == 2)
  }

  @Test("of a type that only the caller knows is read with the type's own calls")
  func generic() throws {
    func readable<T: KeyReadable>(_ all: [T]) throws(Diagnostic) -> Int {
      try all.count(by: "n > 1")
    }
    func convertible(_ all: some Sequence<some ValueConvertible>) throws(Diagnostic) -> Bool {
      try all.contains(by: "SELF > 1")
    }
    func encodable<T: Encodable>(_ all: [T]) throws -> [T] { try all.filter(by: "n > 1") }
    func both<T: Codable & ValueConvertible>(_ all: [T]) throws -> [T] {
      try all.sorted(by: "SELF desc")
    }
    func unknown<T>(_ all: some Collection<T>) throws -> T? { try all.first(by: "SELF == 2") }
    #expect(try readable([Place(n: 2)]) == 1 && convertible([1, 2]))
    #expect(try encodable(items).count == 1 && both([1, 2]) == [2, 1] && unknown([1, 2]) == 2)
    let keys = [Key("n").descending]
    #expect(try items.sorted(by: keys).map(\.n) == [2, 1] && rows.sorted(by: keys).count == 2)
    #expect(try items.lazy.filter(by: "n == 1").count == 1)
    let plain: [[String: Int]] = [["n": 1]]
    #expect(try plain.filter(by: "n == 1") == plain && items[...].count(by: "n > 0") == 2)
    #expect(try NSArray(array: [1, 2]).map(\.self).count(by: "SELF > 1") == 1)
  }

  @Test("a set stays one, and elements are removed")
  func sets() throws {
    let left: Set<Item> = try Set(items).filter(by: "n == 1")
    #expect(left == [Item(n: 1)])
    let cards: Set<Card> = try Set([Card(n: 1)]).filter(by: "SELF == nil")
    #expect(cards.isEmpty)
    var (numbers, some, list, dictionaries) = (Set([1, 2, 3]), Set(items), anything, rows)
    try numbers.removeAll(by: "SELF > 1")
    try some.removeAll(by: "n > 1")
    try list.removeAll(by: "n > 1")
    try dictionaries.removeAll(by: "n > $n", variables: ["n": 1])
    #expect(numbers == [1] && some == [Item(n: 1)] && list.count == 1 && dictionaries.count == 1)
    #expect(throws: (any Error).self) { try some.removeAll(by: "m == 1") }
    #expect(some == [Item(n: 1)])
  }

  @Test("a lazy one stays lazy")
  func lazily() throws {
    var asked = 0
    func counted<T>(_ elements: [T]) -> LazyMapSequence<[T], T> {
      elements.lazy.map { element in
        asked += 1
        return element
      }
    }
    var first = try counted(items).filter(by: "n == 1") { _ in false }.makeIterator()
    #expect(first.next()?.n == 1 && asked == 1)
    var second = try counted(rows).filter(by: "n == 1") { _ in false }.makeIterator()
    #expect(second.next() != nil && asked == 2)
    let least = 1
    var third = try counted(anything).filter(by: "n == $n", variables: ["n": least]) { _ in false }
      .makeIterator()
    #expect(third.next() != nil && asked == 3)
    var told = 0
    let strict = try [Plain(n: 1)].lazy.filter(by: "n == 1") { _ in
      told += 1
      return false
    }
    #expect(Array(strict).isEmpty && told == 1)
    let key = TypedKey(\Plain.n)
    #expect([Plain(n: 1), Plain(n: 2)].lazy.filter(by: key > 1) { _ in false }.first?.n == 2)
  }

  @Test("that arrives over time")
  func asynchronous() async throws {
    func stream<T: Sendable>(_ elements: [T]) -> AsyncStream<T> {
      AsyncStream { source in
        for element in elements { source.yield(element) }
        source.finish()
      }
    }
    let least = 2
    #expect(try await stream([1, 2, 3]).first(by: "SELF >= $n", variables: ["n": least]) == 2)
    #expect(try await stream(items).contains(by: "tag == 'x'"))
    #expect(try await !stream(items).allSatisfy(by: "tag == 'x'"))
    #expect(try await stream([Place(n: 1)]).allSatisfy(by: "n == 1"))
    let strings: [any Sendable] = ["a", 3]
    #expect(try await stream(strings).contains(by: "SELF == 3"))
    var found: [Int] = []
    for try await item in try stream(items).filter(by: "n < 2") { found.append(item.n) }
    #expect(found == [1])
    await #expect(throws: Diagnostic.self) { try await stream(items).first(by: "m == 1") }
  }

  @Test("with Swift key paths")
  func typed() throws {
    let (n, plain) = (TypedKey(\Item.n), [Plain(n: 1), Plain(n: 2)])
    #expect(try items.first(by: n > 1)?.n == 2 && items.count(by: n > 0) == 2)
    #expect(try items.contains(by: n == 2) && !items.allSatisfy(by: n == 2))
    #expect(try plain.filter(by: TypedKey(\Plain.n) < 2).count == 1)
    let set: Set<Item> = try Set(items).filter(by: n == 1)
    var (list, rest) = (items, Set(items))
    try list.removeAll(by: n == 1)
    try rest.removeAll(by: n == 1)
    #expect(set == [Item(n: 1)] && list == [items[1]] && rest == [items[1]])
  }
}

@Suite("Variables")
struct VariableTests {
  @Test("accept everything that predicates can read, and Values with their literals")
  func kinds() throws {
    let (n, day, level, place) = (2, Date(timeIntervalSince1970: 0), Level.high, Place(n: 2))
    let items = [Item(n: 1), Item(n: 2)]
    #expect(try items.count(by: "n == $x", variables: ["x": n]) == 1)
    #expect(try items.count(by: "n == $x", variables: ["x": level]) == 1)
    #expect(try items.count(by: "n == $x", variables: ["x": 2]) == 1)
    #expect(try items.count(by: "n IN $x", variables: ["x": [2, "a"]]) == 1)
    #expect(try items.count(by: "$d == $e", variables: ["d": .date(.now), "e": nil]) == 0)
    let values: [String: Value] = ["x": 2]
    #expect(try items.count(by: "n == $x", variables: values) == 1)
    #expect(try [1, 2].filter(by: "SELF == $x", variables: ["x": n]) == [2])
    #expect(try [1, 2].filter(by: "SELF == $x", variables: values) == [2])
    #expect(
      try [place].filter(by: "SELF == $x AND n == $n", variables: ["x": place, "n": n]).count == 1)
    let tree = try PredicateTree(parsing: "d == $x")
    #expect(try tree.evaluate(["d": .date(Timestamp(microseconds: 0))], variables: ["x": day]))
    #expect(try "n == $x".predicate().evaluate(place, variables: ["x": n]))
    #expect(try "SELF == $x".predicate().evaluate(value: 2, variables: ["x": n]))
    #expect(try "n == $x".predicate().evaluate(encoding: items[1], variables: ["x": n]))
    #expect(try "n == $x".predicate().prepared(variables: ["x": n]).evaluate(place))
    #expect(try ExpressionTree(parsing: "n + $x").evaluate(["n": 1], variables: ["x": n]) == 3)
    #expect(try ExpressionTree(parsing: "n + $x").evaluate(place, variables: ["x": n]) == 4)
    #expect(try "$x == nil".predicate().evaluate([:], variables: ["x": Int?.none, "y": n]))
    #expect(throws: UnknownValueType.self) {
      try items.count(by: "n == $x", variables: ["x": Plain(n: 1)])
    }
  }
}
