import Foundation
import KuraDiagnostics
import TestSupport
import Testing

@testable import KuraPredicates
@testable import KuraValues

@Suite("Evaluation")
struct EvaluatorTests {
  @Test("reads like Swift")
  func readable() throws {
    let tree = try PredicateTree(parsing: "age >= $least AND name LIKE 'Ste*en'")
    #expect(try tree.evaluate(["age": 42, "name": "Stephen"], variables: ["least": 21]))
    #expect(try !tree.evaluate(["age": 4, "name": nil], variables: ["least": 21]))
    let expression = try ExpressionTree(parsing: "price * 2")
    #expect(try expression.evaluate(["price": 1.5]) == 3)
  }

  static let places: [(String, String)] = [
    ("age == 3 AND 1 / z == 2", "1 / z"), ("title < 3", "title < 3"), ("$nobody == 1", "$nobody"),
    ("ANY age == 3", "age"), ("SELF.age.foo == 1", "foo"), ("age == list[7]", "list[7]"),
    ("1 + (2 + title) == 3", "(2 + title)"), ("age BETWEEN {1}", "age BETWEEN {1}"),
    ("a.d[0] == 1", "a.d[0]"), ("sum(title) == 1", "sum(title)"),
  ]
  @Test("names the place of a failure", arguments: places)
  func place(text: String, expected: String) throws {
    let tree = try PredicateTree(parsing: text)
    let object: [String: Value] = ["age": 3, "title": "x", "z": 0, "list": [1]]
    let diagnostic = #expect(throws: Diagnostic.self) { try tree.evaluate(object) }
    let span = try #require(diagnostic?.span)
    #expect(SourceText(text).text(span) == expected)
  }

  @Test("suggests brackets if an index follows a dot")
  func indexAfterDot() throws {
    let tree = try PredicateTree(parsing: "a.d[0] == 1")
    let diagnostic = #expect(throws: Diagnostic.self) { try tree.evaluate(["a": nil]) }
    #expect(diagnostic?.facts.help == "write (a.d)[0]")
    #expect(diagnostic?.fixIt?.edits.first?.replacement == "(a.d)[0]")
  }

  @Test("of an aggregate of nil is nil in a fetch, and json is not ordered against another class")
  func fetch() throws {
    let context = EvaluationContext(nilArithmeticIsNil: true, lenientOrdering: true)
    let object = Value.object(ObjectReference(["json": "x"] as [String: Value]))
    for text in ["a + 1 == nil", "-a == nil", "abs(a) == nil", "(a & 1) == nil", "NOT json < 3"] {
      #expect(try PredicateTree(parsing: text).evaluate(on: object, in: context), "\(text)")
    }
    #expect(throws: Diagnostic.self) {
      try PredicateTree(parsing: "json < 3").evaluate(["json": "x"])
    }
  }

  @Test("of paths follows any number of relationships, with one value per object")
  func relationships() throws {
    let items: [Value] = [1, 2, 2].map {
      .object(ObjectReference(["estimate": $0] as [String: Value]))
    }
    func category(_ items: [Value]) -> Value {
      .object(ObjectReference(["items": .set(ValueSet(items))] as [String: Value]))
    }
    let root: [String: Value] = [
      "categories": .set(ValueSet([category([items[0], items[1]]), category([items[2]])]))
    ]
    for text in [
      "categories.items.@count == 3", "categories.items.estimate == {1, 2, 2}",
      "categories.@sum.items.estimate == 5", "ANY categories.items.estimate == 2",
      "ALL categories.items.estimate > 0", "categories.items.@max.estimate == 2",
    ] {
      #expect(try PredicateTree(parsing: text).evaluate(root), "\(text)")
    }
  }

  @Test("compares an unordered relationship with a list as sets, but never a union")
  func sets() throws {
    let object: [String: Value] = ["tags": .set([1, 2])]
    #expect(try PredicateTree(parsing: "tags == {2, 1}").evaluate(object))
    #expect(try PredicateTree(parsing: "{2, 1, 1} == tags").evaluate(object))
    #expect(try PredicateTree(parsing: "tags UNION {} != {1, 2}").evaluate(object))
  }

  @Test("of a tree as deep as the parser allows does not exhaust the stack")
  func deep() throws {
    for (open, inner, close) in [("NOT ", "1 == 1", ""), ("(", "1 == 1", ")")] {
      let text =
        String(repeating: open, count: 1000) + inner + String(repeating: close, count: 1000)
      #expect(try PredicateTree(parsing: text).evaluate(value: .null))
    }
    let sum = String(repeating: "1 + (", count: 400) + "1" + String(repeating: ")", count: 400)
    #expect(try PredicateTree(parsing: "\(sum) == 401").evaluate(value: .null))
  }

  @Test("is the same for any key reader, and rethrows its diagnostics")
  func readers() throws {
    struct Strict: KeyReadable {
      func value(forKey key: String) throws -> Value {
        guard key == "known" else { throw CocoaError(.keyValueValidation) }
        return 1
      }
    }
    #expect(try PredicateTree(parsing: "known == 1").evaluate(Strict()))
    #expect(throws: Diagnostic.self) { try PredicateTree(parsing: "other == 1").evaluate(Strict()) }
  }
}

@Suite("Dates across a change of clocks")
struct ClockChangeTests {
  /// In New York clocks change from 2:00 to 3:00 on 8 March 2026, and back from 2:00 on 1 November.
  private static let context = EvaluationContext(
    zone: ZoneRules(TimeZone(identifier: "America/New_York")))

  static let texts = [
    "dateByAdding('2026-03-07 12:00', 1, 'day') == date('2026-03-08 12:00')",
    "dateByAdding('2026-03-07 12:00', 24, 'hour') == date('2026-03-08 13:00')",
    "dateByAdding('2026-10-31 12:00', 24, 'hour') == date('2026-11-01 11:00')",
    "daysBetween('2026-03-07 23:30', '2026-03-09 00:30') == 2",
    "daysBetween('2026-10-31 23:30', '2026-11-02 00:30') == 2",
    "hour(date('2026-03-08T07:30:00Z')) == 3", "hour(date('2026-11-01T06:30:00Z')) == 1",
    "day(date('2026-03-08T04:30:00Z')) == 7", "weekday('2026-03-08') == 1",
    "startOfDay('2026-03-08 12:00') == date('2026-03-08T05:00:00Z')",
    "startOfDay('2026-11-01 12:00') == date('2026-11-01T04:00:00Z')",
    "FUNCTION(date('2026-11-02'), 'timeIntervalSinceDate:', date('2026-11-01')) == 90000",
    "dateByAdding('2026-01-31', 1, 'month') == date('2026-02-28')",
    "dateByAdding('2026-03-07 02:30', 1, 'day') > date('2026-03-08 01:59')",
  ]

  @Test("count days by the calendar and hours by the clock", arguments: texts)
  func holds(text: String) throws {
    #expect(try PredicateTree(parsing: text).evaluate(on: .null, in: Self.context))
  }
}

@Suite("Functions")
struct FunctionTests {
  static let paths: [(path: String, last: String, parent: String, ending: String, stem: String)] = [
    ("", "", "", "", ""), ("/", "/", "/", "", "/"), ("a", "a", "", "", "a"),
    ("/a", "a", "/", "", "/a"),
    ("a/", "a", "", "", "a"), ("/tmp/scratch.tiff", "scratch.tiff", "/tmp", "tiff", "/tmp/scratch"),
    ("/tmp/b/", "b", "/tmp", "", "/tmp/b"), ("a.b/c", "c", "a.b", "", "a.b/c"),
    (".hidden", ".hidden", "", "", ".hidden"), ("x.tar.gz", "x.tar.gz", "", "gz", "x.tar"),
    ("日本/語.txt", "語.txt", "日本", "txt", "日本/語"),
  ]
  @Test("decompose paths", arguments: paths)
  func path(path: String, last: String, parent: String, ending: String, stem: String) {
    #expect(path.lastPathComponent == last)
    #expect(path.deletingLastPathComponent == parent)
    #expect(path.pathExtension == ending)
    #expect(path.deletingPathExtension == stem)
  }

  @Test("never crash with any arguments", arguments: [1, 2] as [UInt64])
  func anything(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var (answers, errors) = (0, 0)
    let values: [Value] = [
      nil, true, 0, 1, -1, .integer(.min), .integer(.max), 0.5, -1e308,
      .double(.leastNonzeroMagnitude), "", "a", "12x",
      "1e9",
      "2024-02-29", "day", "year", .decimal(Decimal(string: "9e127") ?? 0),
      .decimal(Decimal(string: "1e-127") ?? 0), .date(.earliest), .date(.latest), [],
      [1, "a", nil],
      .set([1, 2]), ["k": 1], .binary([1]), .uri("x:y"), .uuid(UUID()), "👨‍👩‍👧か\u{3099}", "NSNumber",
      "NSDate",
    ]
    let context = EvaluationContext()
    func count(_ call: () throws(EvaluationError) -> Value) {
      do throws(EvaluationError) {
        _ = try call()
        answers += 1
      } catch {
        errors += 1
        #expect(!error.sentence.isEmpty)
      }
    }
    for function in PredicateFunction.all {
      for _ in 0..<400 {
        let arguments = (0..<numbers.below(4)).map { _ in numbers.pick(values) }
        count { () throws(EvaluationError) in try function.value(of: arguments, in: context) }
      }
    }
    for message in Message.all {
      for _ in 0..<200 {
        let arguments = (0..<message.argumentCount).map { _ in numbers.pick(values) }
        let target = numbers.pick(values)
        count { () throws(EvaluationError) in try message.send(target, arguments, context) }
      }
    }
    #expect(answers > 2_000 && errors > 2_000, "\(answers) answers, \(errors) errors")
  }
}
