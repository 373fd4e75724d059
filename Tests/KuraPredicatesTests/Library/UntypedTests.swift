import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A value without a static type is read as it is")
struct UntypedTests {
  private enum Weekday: Int { case sunday = 1, monday }

  @Test("Foundation's classes, enumerations, Any")
  func values() throws {
    let uuid = UUID()
    let object: [String: Any] = [
      "number": NSNumber(value: 3), "decimal": NSDecimalNumber(string: "0.1"),
      "text": NSString(string: "x"),
      "date": NSDate(timeIntervalSinceReferenceDate: 5), "null": NSNull(),
      "uuid": NSUUID(uuidString: uuid.uuidString) as Any,
      "set": NSSet(array: [1, 2]), "list": NSArray(array: ["a", 2]),
      "dictionary": NSDictionary(dictionary: ["k": 1]),
      "day": Weekday.monday, "hidden": AnyHashable(4), "width": CGFloat(2.5),
      "url": URL(string: "https://e.com") as Any,
      "data": NSData(bytes: [1, 2, 3] as [UInt8], length: 3), "nothing": Int?.none as Any,
      "yes": NSNumber(value: true),
    ]
    let texts = [
      "number == 3", "decimal == 0.1", "text == 'x'", "date == $date", "null == nil",
      "uuid == $uuid",
      "1 IN set AND set.@count == 2", "list[1] == 2", "dictionary.k == 1", "day == 2",
      "hidden == 4",
      "width == 2.5", "url.host == 'e.com'", "data.length == 3", "nothing == nil", "yes == YES",
      "dictionary.@allKeys == {'k'}", "FUNCTION(dictionary, 'objectForKey:', 'k') == 1",
    ]
    let variables: [String: Any] = [
      "date": Date(timeIntervalSinceReferenceDate: 5),
      "uuid": NSUUID(uuidString: uuid.uuidString) as Any,
    ]
    for text in texts {
      #expect(
        try text.predicate().evaluate(with: object, substitutionVariables: variables), "\(text)")
    }
    #expect(try "SELF == 3".predicate().evaluate(with: NSNumber(value: 3)))
    #expect(try "SELF == nil".predicate().evaluate(with: nil))
    #expect(throws: UnknownValueType.self) {
      try "SELF == 3".predicate().evaluate(with: CancellationError())
    }
  }

  @Test("arguments of a format in a list")
  func arguments() throws {
    let tree = try PredicateTree(
      format: "%K == %@ AND n IN %@ AND day == %@",
      argumentArray: ["title", NSString(string: "x"), NSSet(array: [1]), Weekday.sunday])
    #expect(try tree.evaluate(["title": "x", "n": 1, "day": 1]))
    let mixed = try PredicateTree(
      format: "n == %@ AND day == %@ AND %@ AND x == %@", NSNumber(value: 3), Weekday.monday, tree,
      nil)
    #expect(mixed.predicateFormat.hasPrefix("n == 3 AND day == 2 AND (title == "))
    #expect(try ExpressionTree(format: "n * %@", NSNumber(value: 2)).evaluate(["n": 4]) == 8)
    #expect(throws: UnknownValueType.self) {
      try PredicateTree(format: "n == %@", CancellationError())
    }
    #expect(try PredicateTree(format: "TRUEPREDICATE", argumentArray: nil).evaluate([:]))
    #expect(
      try PredicateTree(format: "%@ AND a == %@", argumentArray: [tree, 1]).keyPaths.count == 4)
  }

  @Test("collections of any shape")
  func collections() throws {
    let mixed: [Any] = [1, "two", NSNumber(value: 3)]
    #expect(try mixed.filter(by: "SELF IN {1, 3}").count == 2)
    #expect(try Set(["家", "庭", "family"]).filter(by: "SELF.length == 1") == Set(["家", "庭"]))
    var numbers = [1, 2, 3, 4]
    try numbers.removeAll(by: "SELF > 2")
    #expect(numbers == [1, 2])
    #expect(try numbers.allSatisfy(by: "SELF < 3") && !numbers.allSatisfy(by: "SELF < 2"))
    #expect(throws: Diagnostic.self) { try numbers.removeAll(by: "SELF BEGINSWITH 'x'") }
    #expect(numbers == [1, 2])
    #expect(try numbers.lazy.contains(by: "SELF == 2"))
  }

  @Test func asynchronous() async throws {
    let stream = AsyncStream<Int> { source in
      for number in 1...5 { source.yield(number) }
      source.finish()
    }
    var found: [Int] = []
    for try await number in try stream.filter(by: "SELF >= $least", variables: ["least": 4]) {
      found.append(number)
    }
    #expect(found == [4, 5])
  }

  @Test(
    "keys of URLs, UUIDs, data",
    arguments: [
      "u.scheme == 'https'", "u.host == 'example.com'", "u.path == '/a/誕.txt'", "u.query == 'q=1'",
      "u.port == 8080", "u.lastPathComponent == '誕.txt?q=1#f' OR TRUEPREDICATE",
      "u.fragment == 'f'",
      "u.absoluteString BEGINSWITH 'https://example.com:8080/a/'", "id.UUIDString == id.uuidString",
      "d.length == 2", "u.user == nil",
    ])
  func keys(text: String) throws {
    let object: [String: Value] = [
      "u": .uri("https://example.com:8080/a/%E8%AA%95.txt?q=1#f"), "id": .uuid(UUID()),
      "d": .binary([1, 2]),
    ]
    #expect(try text.predicate().evaluate(object))
  }
}
