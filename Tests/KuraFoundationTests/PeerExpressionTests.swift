import Foundation
import KuraFoundation
import Testing

/// Expectations from the tests of GNUstep, Cappuccino, WinObjC, Realm and .NET's binding, about
/// expressions.
@Suite("The expectations of other NSExpressions")
struct PeerExpressionTests {
  private typealias Kind = KUExpression.ExpressionType

  private static func constant(_ value: Any?) throws -> KUExpression {
    try KUExpression(forConstantValue: value)
  }

  /// One expression of each kind, with few parts.
  private static var kinds: [(Kind, KUExpression)] {
    get throws {
      let (list, name) = (KUExpression(forKeyPath: "items"), KUExpression(forKeyPath: "name"))
      let (one, two) = (try constant(1), try constant("two"))
      let some = try KUPredicate(format: "$i.n > 1")
      return [
        (.constantValue, one), (.evaluatedObject, .expressionForEvaluatedObject()),
        (.variable, KUExpression(forVariable: "v")), (.keyPath, name),
        (.function, KUExpression(forFunction: "count:", arguments: [list])),
        (.function, KUExpression(forFunction: two, selectorName: "length", arguments: nil)),
        (.function, KUExpression(forFunction: "objectFrom:withIndex:", arguments: [list, one])),
        (.unionSet, KUExpression(forUnionSet: list, with: name)),
        (.intersectSet, KUExpression(forIntersectSet: list, with: name)),
        (.minusSet, KUExpression(forMinusSet: list, with: name)),
        (.aggregate, KUExpression(forAggregate: [one, two])),
        (
          .subquery,
          KUExpression(forSubquery: list, usingIteratorVariable: "i", predicate: some)
        ),
        (
          .conditional,
          KUExpression(forConditional: some, trueExpression: one, falseExpression: two)
        ), (.anyKey, try KUExpression(format: "ANYKEY")),
      ]
    }
  }

  @Test("about kinds, which survive parsing, encoding and copying")
  func kinds() throws {
    for (kind, expression) in try Self.kinds {
      #expect(expression.expressionType == kind)
      #expect(expression.copy() as? KUExpression == expression)
      let read = try KUExpression(format: expression.description)
      #expect(read == expression && read.hashValue == expression.hashValue, "\(expression)")
      let kept = try JSONEncoder().encode(expression)
      let again = try JSONDecoder().decode(KUExpression.self, from: kept)
      #expect(again == expression && again.expressionType == kind, "\(expression)")
    }
    let all = try Self.kinds.map(\.1)
    #expect(Set(all).count == all.count)
    #expect(all.firstIndex(of: KUExpression(forKeyPath: "name")) == 3)
    let kept = try JSONEncoder().encode(all)
    #expect(try JSONDecoder().decode([KUExpression].self, from: kept) == all)
  }

  @Test("about parts, and those that a kind does not have")
  func parts() throws {
    for (kind, expression) in try Self.kinds {
      #expect((expression.constantValue != nil) == (kind == .constantValue))
      #expect((expression.keyPath != nil) == (kind == .keyPath))
      #expect((expression.variable != nil) == [.variable, .subquery].contains(kind))
      #expect((expression.function != nil) == (kind == .function))
      #expect((expression.arguments != nil) == (kind == .function))
      #expect((expression.collection != nil) == [.aggregate, .subquery].contains(kind))
      #expect((expression.predicate != nil) == [.subquery, .conditional].contains(kind))
      let isSet = [.unionSet, .intersectSet, .minusSet].contains(kind)
      #expect((expression.left != nil, expression.right != nil) == (isSet, isSet))
      #expect((expression.true != nil) == (kind == .conditional))
      #expect((expression.false != nil) == (kind == .conditional))
    }
  }

  @Test("about the base of a path, and the receiver of a message")
  func operands() throws {
    let staff = try #require(
      KUComparisonPredicate(try KUPredicate(format: "ANY staff.name LIKE 'M*'")))
    #expect(staff.leftExpression.operand?.expressionType == .evaluatedObject)
    #expect(try KUExpression(format: "$x.name").operand == KUExpression(forVariable: "x"))
    #expect(try KUExpression(format: "FUNCTION('ab', 'length')").operand == Self.constant("ab"))
    #expect(try KUExpression(format: "2").operand == nil)
    #expect(KUExpression(forKeyPath: "a.b").keyPath == "a.b")
  }

  @Test("about a subquery that is built")
  func subquery() throws {
    let older = KUExpression(
      forSubquery: KUExpression(forKeyPath: "friends"), usingIteratorVariable: "f",
      predicate: try KUPredicate(format: "$f.age > %d", 40))
    #expect(older.variable == "f")
    #expect((older.collection as? KUExpression)?.keyPath == "friends")
    #expect(older.description == "SUBQUERY(friends, $f, $f.age > 40)")
    let ada: [String: Any] = ["friends": [["age": 41], ["age": 9], ["age": 45]]]
    #expect((try older.expressionValue(with: ada, context: nil) as? [Any])?.count == 2)
    let alone: [String: Any] = ["friends": [Any]()]
    #expect((try older.expressionValue(with: alone, context: nil) as? [Any])?.isEmpty == true)
    let counted = try KUPredicate(format: "%@.@count == 2", older)
    #expect(try counted.evaluate(with: ada) && !counted.evaluate(with: alone))
  }

  @Test("about variables for values, and for other expressions")
  func bindings() throws {
    let house: [String: Any] = ["One": ["Age": 34, "Kids": ["Kim", "Gil"]]]
    let variable = KUExpression(forVariable: "v")
    for bound: Any in [20, try Self.constant(20), try KUExpression(format: "One.Age - 14")] {
      #expect(try variable.expressionValue(with: house, context: ["v": bound]) as? Int == 20)
    }
    let variables: [String: Any] = ["age": "Age", "one": KUExpression(forKeyPath: "One")]
    for format in ["One.$age == 34", "$one.Age == 34", "$one.$age == 34"] {
      let predicate = try KUPredicate(format: format)
      #expect(try predicate.evaluate(with: house, substitutionVariables: variables), "\(format)")
      let placed = try predicate.withSubstitutionVariables(variables)
      #expect(try placed.evaluate(with: house), "\(format)")
      #expect(try KUPredicate(format: placed.predicateFormat).evaluate(with: house), "\(placed)")
    }
    let kids = try KUPredicate(format: "SUBQUERY(One.Kids, $v, $v BEGINSWITH $w)[SIZE] == 1")
    let ones: [String: Any] = ["v": try Self.constant("x"), "w": try Self.constant("K")]
    #expect(try kids.evaluate(with: house, substitutionVariables: ones))
    #expect(throws: (any Error).self) { try kids.evaluate(with: house) }
  }

  @Test("about values, functions and sets")
  func values() throws {
    #expect(try Self.constant(nil).expressionValue(with: nil, context: nil) == nil)
    #expect(try KUExpression(forKeyPath: "value").expressionValue(with: nil, context: nil) == nil)
    let product = try KUExpression(format: "%f*%f", argumentArray: [2.0, 2.0])
    #expect(try product.expressionValue(with: nil, context: nil) as? Double == 4)
    let sum = KUExpression(forFunction: "sum:", arguments: try [1, 2, 3].map(Self.constant))
    #expect(try sum.expressionValue(with: nil, context: nil) as? Int == 6)
    let now = KUExpression(forFunction: "now", arguments: [])
    #expect(try now.expressionValue(with: nil, context: nil) is Date)
    let part = KUExpression(
      forFunction: try Self.constant("text"), selectorName: "substringFromIndex:",
      arguments: [try Self.constant(2)])
    #expect(try part.expressionValue(with: nil, context: nil) as? String == "xt")
    let (a, b) = (try Self.constant(["a", "b", "c"]), try Self.constant(["a", "b", "d"]))
    for (sets, wanted) in [
      (KUExpression(forIntersectSet: a, with: b), ["a", "b"]),
      (KUExpression(forUnionSet: a, with: b), ["a", "b", "c", "d"]),
      (KUExpression(forMinusSet: a, with: b), ["c"]),
    ] {
      let found = try sets.expressionValue(with: nil, context: nil) as? [String]
      #expect(found?.sorted() == wanted, "\(sets)")
    }
    let when = KUExpression(
      forConditional: try KUPredicate(format: "SELF == $v"), trueExpression: a, falseExpression: b)
    let chosen = try when.expressionValue(with: "x", context: ["v": "x"]) as? [String]
    #expect(chosen == ["a", "b", "c"])
  }

  private static let selectors: [(String, String)] = [
    ("add:to:", "a + 42"), ("from:subtract:", "a - 42"), ("multiply:by:", "a * 42"),
    ("divide:by:", "a / 42"), ("raise:toPower:", "a ** 42"), ("bitwiseAnd:with:", "a & 42"),
    ("bitwiseOr:with:", "a | 42"), ("bitwiseXor:with:", "a ^ 42"), ("leftshift:by:", "a << 42"),
    ("rightshift:by:", "a >> 42"), ("modulus:by:", "modulus:by:(a, 42)"),
    ("objectFrom:withIndex:", "a[42]"),
  ]

  @Test("about operators, which are functions by their selectors", arguments: selectors)
  func operators(_ selector: String, _ format: String) throws {
    let sides = [KUExpression(forKeyPath: "a"), try Self.constant(42)]
    let built = KUExpression(forFunction: selector, arguments: sides)
    let read = try KUExpression(format: format)
    #expect(built == read && built.description == format)
    #expect(read.function == selector && read.arguments == sides)
    #expect(read.expressionType == .function)
  }

  @Test(
    "about functions of one argument, with and without a colon",
    arguments: [
      "sqrt", "log", "ln", "exp", "floor", "ceiling", "abs", "trunc", "sum", "count", "min", "max",
      "average", "median", "mode", "stddev", "uppercase", "lowercase", "length", "randomn",
      "onesComplement", "canonical", "noindex",
    ])
  func functions(_ name: String) throws {
    let built = KUExpression(forFunction: name + ":", arguments: [KUExpression(forKeyPath: "a")])
    for format in ["\(name)(a)", "\(name):(a)", "\(name.uppercased())(a)"] {
      let read = try KUExpression(format: format)
      #expect(read == built && read.function == name + ":", "\(format)")
    }
  }
}
