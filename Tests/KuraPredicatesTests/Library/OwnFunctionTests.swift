import Foundation
import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraPredicates

@Suite("Functions and closures of a program", .serialized)
struct OwnFunctionTests {
  @Test func functions() throws {
    try PredicateFunction.register("apart", arguments: 2...2) { values in
      .double(abs((values[0].doubleValue ?? 0) - (values[1].doubleValue ?? 0)))
    }
    defer { PredicateFunction.unregister("apart") }
    #expect(try [["x": 3], ["x": 30]].count(by: "apart(x, 1) < 10") == 1)
    #expect(try PredicateTree(parsing: "APART(x, 1) < 10").predicateFormat == "apart(x, 1) < 10")
    #expect(throws: Diagnostic.self) { try PredicateTree(parsing: "apart(x) < 10") }
  }

  @Test func errors() throws {
    struct Far: Error, CustomStringConvertible { let description = "too far" }
    try PredicateFunction.register("fails", arguments: 0...1) { _ in throw Far() }
    defer { PredicateFunction.unregister("fails") }
    #expect { try "fails() == 1".predicate().evaluate([:]) } throws: {
      "\($0)".contains("fails failed: too far")
    }
    #expect(throws: FunctionNameError.self) {
      try PredicateFunction.register("sum", arguments: 1...1) { $0[0] }
    }
    #expect(throws: FunctionNameError.self) {
      try PredicateFunction.register("a b", arguments: 1...1) { $0[0] }
    }
    #expect(throws: FunctionNameError.self) {
      try PredicateFunction.register("and", arguments: 1...1) { $0[0] }
    }
  }

  @Test func blocks() throws {
    let even = PredicateTree { value, variables in
      (value.intValue ?? 1) % 2 == 0 && variables["on"] == true
    }
    #expect(
      try [1, 2, 3, 4].filter(
        by: even && PredicateTree(parsing: "SELF > 2"), variables: ["on": true]) == [4])
    #expect(try !even.evaluate(value: 2, variables: ["on": false]))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(even) }
  }
}

@Suite("Limits for untrusted predicates")
struct LimitTests {
  private static let limits = PredicateLimits(
    keyPaths: ["title", "items", "items.price", "author.name"], functions: ["sum", "length"],
    length: 200, depth: 8,
    size: 30, allowsMatches: false)

  @Test(
    "allow these",
    arguments: [
      "title == 'x' AND author.name LIKE '*y*'", "items.@count > 2", "ANY items.price > 3 + 4 * 2",
      "SUBQUERY(items, $i, $i.price > 3).@count > 0", "items.@sum.price > 2", "length(title) > 2",
      "SELF.title == nil",
      "(items)[0] != nil",
    ])
  func allowed(text: String) throws { _ = try PredicateTree(parsing: text, within: Self.limits) }

  @Test(
    "refuse these, with a reason",
    arguments: [
      ("password == 'x'", "key path"), ("author == nil", "key path"),
      ("title.length == 3", "key path"),
      ("SELF.secret == 1", "key path"),
      ("SUBQUERY(items, $i, $i.secret == 1).@count > 0", "key path"),
      ("uppercase(title) == 'X'", "function"),
      ("FUNCTION(title, 'description') == 'x'", "function"),
      ("title MATCHES '(a+)+'", "MATCHES"), ("SELF.$key == 1", "any"),
      ("SELF['secret'] == 1", "any"),
      (
        "title IN {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30}",
        "parts"
      ),
      ("NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT title == 'x'))))))))", "levels"),
      ("title == '" + String(repeating: "x", count: 300) + "'", "bytes"),
      ("CAST(title, 'NSNumber') == 3", "function"), ("SELF == 3", "key path"),
      ("SUBQUERY(items, $i, $i.name == 'x').@count > 0", "items.name"),
      ("$user.name == 'x'", "$user.name"),
      ("(items)[0].name == 'x'", "items.name"), ("items.@allValues == nil", "@allValues"),
      ("SUBQUERY(items, $i, $i == 3)[0].name == 'x'", "items.name"),
      ("ANY author.name.length == 3", "author.name.length"),
    ])
  func refused(text: String, word: String) {
    #expect { try PredicateTree(parsing: text, within: Self.limits) } throws: { error in
      (error as? Diagnostic)?.facts.sentence.contains(word) == true
    }
  }

  @Test(
    "apply to key paths in functions",
    arguments: [
      "FUNCTION(SELF, 'valueForKey:', 'secret') == 1", "objectFrom:withIndex:(SELF, 'secret') == 1",
      "CAST(SELF, 'NSString') LIKE '*x*'", "FUNCTION(SELF, 'allValues') == nil",
      "TERNARY(SELF == nil, 1, 2) == 1",
      "(SELF UNION {1}).secret == 1", "{SELF}.secret == 1", "coalesce(SELF, 1).secret == 1",
      "SUBQUERY({SELF}, $i, $i.secret == 1).@count > 0",
      "FUNCTION(author.name, 'objectForKey:', 'secret') == 1",
      "ANYKEY == 1", "count(SELF) == 1", "$a.$b == 1", "@allValues == nil",
    ])
  func noWayAround(text: String) {
    let limits = PredicateLimits(keyPaths: ["title", "author.name"])
    #expect(throws: Diagnostic.self) { try PredicateTree(parsing: text, within: limits) }
  }

  private struct Author: KeyReadable {
    func value(forKey key: String) -> Value { key == "secret" ? "x7" : .null }
  }

  @Test(
    "apply to functions that read an object's keys",
    arguments: FunctionCatalogue.all.map(\.selector) + Message.all.map(\.selector))
  func noWayDeeper(selector: String) {
    let limits = PredicateLimits(keyPaths: ["author"])
    for arguments in [", 'secret'", ", author", ""] {
      let text = "FUNCTION(author, '\(selector)'\(arguments)) == 'x7'"
      guard let tree = try? PredicateTree(parsing: text, within: limits) else { continue }
      let author = Value.object(ObjectReference(Author()))
      let found = try? tree.evaluate(["author": author])
      #expect(found != true, "\(text)")
    }
  }

  @Test("allow variables that are named") func variables() throws {
    let limits = PredicateLimits(keyPaths: ["title", "$word", "$user.name", "items"])
    for text in [
      "title == $word", "title == $user.name", "SUBQUERY(items, $i, $i == $word).@count > 0",
    ] {
      _ = try PredicateTree(parsing: text, within: limits)
    }
    for text in ["title == $user", "title == $secret", "title == $user.password"] {
      #expect(throws: Diagnostic.self) { try PredicateTree(parsing: text, within: limits) }
    }
  }

  @Test("apply to sort keys") func sortKeys() throws {
    #expect(try [SortTree](parsing: "title desc, length(title)", within: Self.limits).count == 2)
    for text in [
      "password", "title, author", "uppercase(title)",
      "title, " + String(repeating: "-", count: 300) + "title",
      // Together they reach the limit of nodes: each is a column of the sort.
      Array(repeating: "title", count: 31).joined(separator: ","),
    ] {
      #expect(throws: Diagnostic.self) { try [SortTree](parsing: text, within: Self.limits) }
    }
  }

  @Test func nothingIsLimitedUnlessSaid() throws {
    let tree = try PredicateTree(parsing: "a MATCHES 'x' AND uppercase(b.c) == 'X'")
    try tree.check(within: PredicateLimits())
  }
}

@Suite("Predicates over Swift key paths")
struct TypedKeyTests {
  private struct Book {
    var title: String; var year: Int?; var author: Person; var age: Int { 2026 - (year ?? 0) }
  }
  private struct Person { var name: String }

  @Test func typed() throws {
    let books = [
      Book(title: "坊っちゃん", year: 1906, author: Person(name: "夏目漱石")),
      Book(title: "雪国", year: 1937, author: Person(name: "川端康成")),
      Book(title: "?", author: Person(name: "")),
    ]
    let (title, year) = (TypedKey(\Book.title), TypedKey(\Book.year))
    #expect(try books.filter(by: year < 1910 || title == "雪国").map(\.title) == ["坊っちゃん", "雪国"])
    #expect(
      (year < 1910 && !title.contains("x", options: .cd)).tree.predicateFormat
        == "year < 1910 AND (NOT title CONTAINS[cd] \"x\")")
    let name = TypedKey(\Book.author.name)
    #expect(name.name == "author.name")
    #expect(try books.filter(by: name.beginsWith("川")).count == 1)
    #expect(try books.filter(by: year == nil).count == 1)
    #expect(try books.filter(by: TypedKey(\Book.age, "age") < 100).map(\.title) == ["雪国"])
    #expect(try (TypedKey(\Book.age) < 100).evaluate(books[1]))
  }

  @Test("a computed property has the name that is given, or a number")
  func computed() throws {
    struct Point { var x: Int; var double: Int { x * 2 }; var triple: Int { x * 3 } }
    #expect((TypedKey(\Point.double) > 1).tree.predicateFormat == "computed1 > 1")
    #expect(
      TypedKey(\Point.triple).name == "computed2" && TypedKey(\Point.double).name == "computed1")
    #expect(
      try (TypedKey(\Point.double) == 4 && TypedKey(\Point.triple) == 6).evaluate(Point(x: 2)))
    #expect(TypedKey(\Point.x.description.count).name == "computed3")
  }

  @Test("one name for two key paths is an error")
  func ambiguous() throws {
    struct Pair { var a: Int; var b: Int }
    let same = TypedKey(\Pair.a, "x") == 1 && TypedKey(\Pair.a, "x") < 2
    #expect(try same.evaluate(Pair(a: 1, b: 2)))
    let both = TypedKey(\Pair.a, "x") == 1 && TypedKey(\Pair.b, "x") == 2
    for result in [
      Result { try both.evaluate(Pair(a: 1, b: 2)) },
      Result { try [Pair(a: 1, b: 2)].contains(by: both) },
    ] {
      let error = #expect(throws: Diagnostic.self) { try result.get() }
      #expect(error?.facts.sentence == "two key paths have the name \"x\"")
    }
  }

  @Test("work with Foundation's sort descriptors")
  func sortDescriptors() {
    struct Writer { var name: String }
    struct Work {
      var title: String; var writer: Writer?; var note: String?; var length: Int { title.count }
    }
    #expect(SortTree(SortDescriptor(\Work.writer?.name))?.description == "writer.name")
    #expect(
      SortTree(SortDescriptor(\Work.writer!.name, order: .reverse))?.description
        == "writer.name desc")
    #expect(SortTree(SortDescriptor(\Work.title, comparator: .lexical))?.description == "title")
    #expect(
      SortTree(SortDescriptor(\Work.note, comparator: .lexical, order: .reverse))?.description
        == "note desc")
    #expect(SortTree(SortDescriptor(\Work.length)) == nil)
  }
}
