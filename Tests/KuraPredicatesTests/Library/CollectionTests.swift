import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite("A collection")
struct CollectionTests {
  struct Person: KeyTableReadable {
    var name: String
    var age: Int?
    var children: [Person] = []
    static let readableKeys: KeyTable<Person> = [
      "name": \.name, "age": \.age, "children": \.children, "initial": { $0.name.prefix(1) },
    ]
  }

  struct Book: Codable, Equatable {
    enum Form: String, Codable { case paper, ebook }
    var title: String
    var published: Date?
    var form = Form.paper
    var parts: [Book] = []
  }

  let people = [
    Person(name: "Ann", age: 42, children: [Person(name: "Bo", age: 7), Person(name: "Cy")]),
    Person(name: "dan", age: 17), Person(name: "Eve"),
  ]

  @Test("of readable objects is filtered, searched and counted")
  func readable() throws {
    #expect(try people.filter(by: "ANY children.age < 18").map(\.name) == ["Ann"])
    #expect(try people.first(by: "age < $limit", variables: ["limit": 18])?.name == "dan")
    #expect(try people.count(by: Key("age") != nil) == 2)
    #expect(try people.contains(by: "initial == 'E' AND children.@count == 0"))
    #expect(try people.count(by: "SUBQUERY(children, $c, $c.age == nil).@count == 1") == 1)
    #expect(try !people.contains(by: "SELF.name == 'Zoe'"))
  }

  @Test("reports a missing key with its place and similar names")
  func missingKey() throws {
    let error = #expect(throws: Diagnostic.self) { try people.filter(by: "ANY children.agee < 18") }
    #expect(error?.facts.sentence == "Person has no key \"agee\"")
    #expect(error?.facts.help == "did you mean \"age\"?")
    #expect(error?.span == SourceSpan(13, 17))
  }

  @Test("of encodable elements is filtered and sorted")
  func encodable() throws {
    let old = Book(title: "古い本", published: Date(timeIntervalSinceReferenceDate: 0))
    let new = Book(title: "New", published: .now, form: .ebook, parts: [old])
    let books = [old, new, Book(title: "None")]
    let day = Value.date(Timestamp(microseconds: 1_000_000_000_000_000))
    #expect(try books.filter(by: "published < $day", variables: ["day": day]) == [old])
    #expect(try books.filter(by: "form == 'ebook'") == [new])
    #expect(try books.filter(by: "ANY parts.title LIKE '古*'") == [new])
    #expect(try books.sorted(by: "published desc, title").map(\.title) == ["New", "古い本", "None"])
    let isOld = try PredicateTree(parsing: "title BEGINSWITH '古'")
    #expect(try isOld.evaluate(encoding: old))
    #expect(try ExpressionTree(parsing: "parts.@count").evaluate(encoding: new) == 1)
  }

  @Test("of dictionaries and of plain values, too")
  func plain() throws {
    let rows: [[String: Value]] = [["a": 1, "t": "x"], ["a": 2, "t": nil]]
    #expect(try rows.filter(by: "a > 1").count == 1)
    #expect(try ["apple", "Bean"].filter(by: "SELF BEGINSWITH[c] 'b'") == ["Bean"])
    #expect(try [3, 1, 2].sorted(by: "SELF desc") == [3, 2, 1])
    #expect(try [["a": 1], ["a": 5]].filter(by: "a == 5") == [["a": 5]])
    let untyped: [[String: Any]] = [
      ["a": 1, "t": ["x", NSNull()] as [Any]], ["a": 2.5, "b": true],
    ]
    #expect(try untyped.count(by: "a > 2 AND b == YES") == 1)
    #expect(try untyped.contains(by: "t CONTAINS 'x'"))
    let unknown: [[String: Any]] = [["a": self]]
    #expect(throws: UnknownValueType.self) { try unknown.count(by: "a == 1") }
  }

  @Test("is sorted according to the keys, stably, null first when ascending")
  func sorted() throws {
    #expect(try people.sorted(by: "age").map(\.name) == ["Eve", "dan", "Ann"])
    #expect(try people.sorted(by: "age nulls last").map(\.name) == ["dan", "Ann", "Eve"])
    #expect(try people.sorted(by: [Key("name").descending]).map(\.name) == ["dan", "Eve", "Ann"])
    #expect(try people.sorted(by: "name[c] desc").map(\.name) == ["Eve", "dan", "Ann"])
    #expect(try people.sorted(by: "children.@count desc").map(\.name) == ["Ann", "dan", "Eve"])
    #expect(try ["a10", "a9", "A1"].sorted(by: "SELF natural") == ["A1", "a9", "a10"])
    #expect(throws: Diagnostic.self) { try people.sorted(by: "age desc foo") }
  }

  @Test("that is lazy evaluates no more than necessary, and reports failures")
  func lazily() throws {
    var asked = 0
    let adults = try people.lazy.map { person in
      asked += 1
      return person
    }.filter(by: "age > 10") { _ in false }
    var iterator = adults.makeIterator()
    #expect(iterator.next()?.name == "Ann" && asked == 1)
    #expect(adults.map(\.name) == ["Ann", "dan"])
    var told: [String] = []
    let strict = try people.lazy.filter(by: "name > 3") { problem in
      told.append(problem.facts.sentence)
      return true
    }
    var stayed = strict.makeIterator()
    while stayed.next() != nil {}
    #expect(told.count == 3)
    #expect(throws: Diagnostic.self) { try people.lazy.filter(by: "age >") { _ in true } }
  }
}
