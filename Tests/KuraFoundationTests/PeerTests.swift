import Foundation
import KuraFoundation
import Testing

/// Expectations from the tests of other implementations of NSPredicate: GNUstep's, and
/// swift-corelibs-foundation's, which only has blocks.
@Suite("The expectations of other NSPredicates")
struct PeerTests {
  private let people: [String: Any] = [
    "title": "A Title",
    "Record1": ["Name": "John", "Age": 34, "Children": ["Kid1", "Kid2"]] as [String: Any],
    "Record2": ["Name": "Mary", "Age": NSNumber(value: 30), "Children": ["Kid1", "Girl1"]]
      as [String: Any],
  ]

  private let records: [(String, [Any])] = [
    ("%@ CONTAINS %@", ["AABBBAA", "BBB"]), ("%@ IN %@", ["BBB", "AABBBAA"]),
    ("%K == %@", ["Record1.Name", "John"]), ("%K MATCHES[c] %@", ["Record1.Name", "john"]),
    ("%K BEGINSWITH %@", ["Record1.Name", "Jo"]),
    ("(%K == %@) AND (%K == %@)", ["Record1.Name", "John", "Record2.Name", "Mary"]),
    ("%K == %d", ["Record1.Age", 34]), ("%K = %@", ["Record1.Age", NSNumber(value: 34)]),
    ("%K < %d", ["Record1.Age", 40]), ("%K < %@", ["Record1.Age", 40]),
    ("%K <= %@", ["Record1.Age", 34]), ("%K > %@", ["Record1.Age", 20]),
    ("%K >= %@", ["Record1.Age", 34]), ("%K != %@", ["Record1.Age", 20]),
    ("%K <> %@", ["Record1.Age", 20]), ("%K BETWEEN %@", ["Record1.Age", [20, 40]]),
    ("(%K == %d) OR (%K == %d)", ["Record1.Age", 34, "Record2.Age", 34]),
    ("%K < %f", ["Record1.Age", 40.5]), ("%f > %K", [40.5, "Record1.Age"]),
    ("%@ IN %K", ["Kid1", "Record1.Children"]), ("Any %K == %@", ["Record2.Children", "Girl1"]),
    ("SUBQUERY(Record1.Children, $k, $k BEGINSWITH %@).@count > %d", ["Kid", 1]),
    ("Record1.Age > Record2.Age", []), ("title ==[c] %@", ["a title"]),
    ("NOT title !=[c] %@", ["A TITLE"]), ("Record1.Age ==[c] %d", [34]),
    ("title <[c] %@", ["b"]), ("title ENDSWITH 'le' AND NOT (title ENDSWITH 'xy')", []),
  ]

  @Test("about nested records")
  func formats() throws {
    for (format, arguments) in records {
      let predicate = try KUPredicate(format: format, argumentArray: arguments)
      #expect(try predicate.evaluate(with: people), "\(format)")
      let again = try KUPredicate(format: predicate.predicateFormat)
      #expect(try again.evaluate(with: people), "\(format)")
      #expect(again.predicateFormat == predicate.predicateFormat, "\(format)")
    }
  }

  private static let likes: [(String, String, Bool)] = [
    ("abc", "a*", true), ("a", "a*", true), ("a\nb", "a*", true), ("axb", "a?b", true),
    ("ab", "a?b", false), ("axxb", "a?b", false), ("a.b", "a.b", true), ("axb", "a.b", false),
    ("aab", "a+b", false), ("a(b", "a(b", true), ("[ab]", "[ab]", true), ("a", "[ab]", false),
    ("x", "a|x", false), ("a$^b", "a$^b", true), ("a*b", #"a\*b"#, true), ("axb", #"a\*b"#, false),
    ("a?", #"a\?"#, true), ("ab", #"a\?"#, false),
  ]

  @Test("about LIKE, in which only * and ? are special", arguments: likes)
  func like(_ text: String, _ pattern: String, _ isLike: Bool) throws {
    let predicate = try KUPredicate(format: "SELF LIKE %@", pattern)
    #expect(try predicate.evaluate(with: text) == isLike)
  }

  @Test("about functions by their names and selectors")
  func functions() throws {
    let numbers = [try KUExpression(forConstantValue: [1, 2, 3])]
    for (name, wanted) in [
      ("sum:", 6.0), ("sum", 6), ("average:", 2), ("count:", 3), ("max:", 3), ("min:", 1),
    ] {
      let value = try KUExpression(forFunction: name, arguments: numbers)
        .expressionValue(with: nil, context: nil)
      #expect((value as? Int).map(Double.init) ?? value as? Double == wanted, "\(name)")
    }
    #expect(throws: (any Error).self) {
      try KUExpression(forFunction: "nosuchfunction:", arguments: numbers)
        .expressionValue(with: nil, context: nil)
    }
    let sides = [KUExpression(forKeyPath: "a"), KUExpression(forKeyPath: "b")]
    for (name, text, wanted) in [
      ("add:to:", "a + b", 10.0), ("from:subtract:", "a - b", 6), ("multiply:by:", "a * b", 16),
      ("divide:by:", "a / b", 4), ("raise:toPower:", "a ** b", 64),
    ] {
      let call = KUExpression(forFunction: name, arguments: sides)
      let value = try call.expressionValue(with: ["a": 8, "b": 2], context: nil)
      #expect((value as? Int).map(Double.init) ?? value as? Double == wanted, "\(name)")
      #expect(call.function == name && call.description == text)
      #expect(try KUExpression(format: text).function == name)
    }
  }

  @Test("about comparisons that are built, and invalid parts")
  func built() throws {
    let built = KUComparisonPredicate(
      leftExpression: KUExpression(forKeyPath: "name"),
      rightExpression: try KUExpression(forConstantValue: "y"), modifier: .direct,
      type: .contains, options: [])
    #expect(try built.evaluate(with: ["name": "xyz"]))
    #expect(built.predicateFormat == "name CONTAINS \"y\"")
    let parsed = try KUPredicate(format: "name == 'x'")
    for other in ["name == 'y'", "name ==[c] 'x'", "name CONTAINS 'x'", "name == 'x' AND b == 2"] {
      #expect(try KUPredicate(format: other) != parsed)
    }
    #expect(KUPredicate(value: true) != KUPredicate(value: false))
    let both = [parsed, try KUPredicate(format: "size == 2")]
    let and = KUCompoundPredicate(type: .and, subpredicates: both)
    #expect(and == KUCompoundPredicate(andPredicateWithSubpredicates: both))
    #expect(try and.evaluate(with: ["name": "x", "size": 2] as [String: Any]))
    #expect(try KUCompoundPredicate(type: .and, subpredicates: []).evaluate(with: nil))
    #expect(try !KUCompoundPredicate(type: .or, subpredicates: []).evaluate(with: nil))
  }

  @Test("about empty lists, and texts that look like specifiers")
  func odd() throws {
    let list: [Any] = [["key": "value1"], ["key": "value2"], NSNull()]
    let second = try list.filtered(using: KUPredicate(format: "key == %@", "value2"))
    #expect(second.count == 1)
    #expect(try list.filtered(using: KUPredicate(format: "other == %@", "value1")).isEmpty)
    let names = ["Do", "Re", "Mi"]
    #expect(try names.filtered(using: KUPredicate(format: "SELF == 'Do'")) == ["Do"])
    let like = try KUPredicate(format: "%K like %@+$b+$c", "single", "b\"")
    #expect(like.predicateFormat == #"single LIKE ("b\"" + $b) + $c"#)
    let both = try like.withSubstitutionVariables(["b": "val_for_$b", "c": "$c"])
    #expect(both.predicateFormat == #"single LIKE ("b\"" + "val_for_$b") + "$c""#)
  }

  @Test("about blocks, in all of Foundation's collections")
  func blocks() throws {
    let named = KUPredicate { object, variables in
      let record = (object as? [String: Any])?[variables?["Key"] as? String ?? "Record1"]
      return (record as? [String: Any])?["Name"] as? String == "John"
    }
    #expect(try named.evaluate(with: people))
    #expect(try !named.evaluate(with: people, substitutionVariables: ["Key": "Record2"]))
    let short = KUPredicate { object, _ in (object as? String ?? "").count < 3 }
    let (texts, wanted) = (["1", "12", "123", "1234"], ["1", "12"])
    #expect(try NSArray(array: texts).filtered(using: short) as? [String] == wanted)
    #expect(try NSOrderedSet(array: texts).filtered(using: short) == NSOrderedSet(array: wanted))
    #expect(try NSSet(array: texts).filtered(using: short) == NSSet(array: wanted))
    let (array, set) = (NSMutableArray(array: texts), NSMutableSet(array: texts))
    let ordered = NSMutableOrderedSet(array: texts)
    try array.filter(using: short)
    try set.filter(using: short)
    try ordered.filter(using: short)
    #expect(array == NSArray(array: wanted) && set == NSSet(array: wanted))
    #expect(ordered == NSOrderedSet(array: wanted))
  }
}
