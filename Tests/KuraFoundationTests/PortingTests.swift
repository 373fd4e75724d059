import Foundation
import KuraFoundation
import KuraPredicates
import Testing

@Suite("A file of Cocoa with another prefix")
struct PortingTests {
  private let people: [[String: Any]] = [
    ["name": "Ann", "age": 42, "tags": ["a", "b"]], ["name": "bo", "age": NSNumber(value: 7)],
    ["name": NSString(string: "Cy"), "age": 19, "tags": NSArray(array: ["b"])],
  ]

  private func names(_ found: [[String: Any]]) -> [String] { found.map { "\($0["name"] ?? "")" } }

  @Test func formats() throws {
    let adults = try KUPredicate(format: "age >= %@ AND %K != %@", 18, "name", "Ann")
    #expect(try names(people.filtered(using: adults)) == ["Cy"])
    #expect(adults.predicateFormat == "age >= 18 AND name != \"Ann\"")
    #expect(try KUPredicate(format: "ANY tags == 'b'").evaluate(with: people[0]))
    #expect(try KUPredicate(format: "x == %@", nil).evaluate(with: [:] as [String: Any]))
    #expect(try KUPredicate(format: "SELF IN %@", [1, 2] as [Any]).evaluate(with: 2))
    #expect(throws: (any Error).self) { try KUPredicate(format: "age >=") }
    #expect(KUPredicate(value: true).predicateFormat == "TRUEPREDICATE")
  }

  @Test func variables() throws {
    let template = try KUPredicate(format: "age > $least")
    #expect(
      try template.evaluate(with: people[0], substitutionVariables: ["least": NSNumber(value: 40)]))
    #expect(try template.withSubstitutionVariables(["least": 40]).predicateFormat == "age > 40")
    #expect(throws: (any Error).self) { try template.evaluate(with: people[0]) }
  }

  @Test func compounds() throws {
    let (young, named) = (
      try KUPredicate(format: "age < 18"), try KUPredicate(format: "name BEGINSWITH[c] 'B'")
    )
    let both = KUCompoundPredicate(andPredicateWithSubpredicates: [young, named])
    #expect(both.predicateFormat == "age < 18 AND name BEGINSWITH[c] \"B\"")
    #expect(try names(people.filtered(using: both)) == ["bo"])
    let none = KUCompoundPredicate(notPredicateWithSubpredicate: young)
    #expect(try people.filtered(using: none).count == 2)
    let read = try #require(KUCompoundPredicate(try KUPredicate(format: "a == 1 OR b == 2")))
    #expect(read.compoundPredicateType == .or && read.subpredicates.count == 2)
    #expect(KUCompoundPredicate(young) == nil)
    let nested = try KUPredicate(format: "%@ OR %@ == 3", young, KUExpression(forKeyPath: "n"))
    #expect(nested.predicateFormat == "age < 18 OR n == 3")
    #expect(KUCompoundPredicate(orPredicateWithSubpredicates: []) == KUPredicate(value: false))
  }

  @Test func comparisons() throws {
    let comparison = KUComparisonPredicate(
      leftExpression: KUExpression(forKeyPath: "tags"),
      rightExpression: try KUExpression(forConstantValue: "A"),
      modifier: .any, type: .equalTo, options: [.caseInsensitive])
    #expect(comparison.predicateFormat == "ANY tags ==[c] \"A\"")
    #expect(try comparison.evaluate(with: people[0]) && !comparison.evaluate(with: people[2]))
    let read = try #require(KUComparisonPredicate(try KUPredicate(format: "age BETWEEN {1, 9}")))
    #expect(read.predicateOperatorType == .between && read.leftExpression.keyPath == "age")
  }

  @Test func expressions() throws {
    #expect(
      try KUExpression(format: "price * %@", 2).expressionValue(with: ["price": 3], context: nil)
        as? Int == 6)
    let sum = KUExpression(
      forFunction: "sum:",
      arguments: [
        KUExpression(forAggregate: [
          try KUExpression(forConstantValue: 1), KUExpression(forVariable: "x"),
        ])
      ])
    #expect(try sum.expressionValue(with: nil, context: ["x": 4]) as? Int == 5)
    #expect(sum.function == "sum:" && sum.arguments?.count == 1)
    #expect(
      try KUExpression.expressionForEvaluatedObject().expressionValue(with: "x", context: nil)
        as? String == "x")
    let when = KUExpression(
      forConditional: try KUPredicate(format: "age > 18"),
      trueExpression: try KUExpression(forConstantValue: "old"),
      falseExpression: try KUExpression(forConstantValue: "young"))
    #expect(try when.expressionValue(with: people[1], context: nil) as? String == "young")
  }

  private final class Screen { var title = "home" }
  private struct Point: Hashable { var x: Int }

  @Test("evaluates a closure with any object")
  func blocksOfPlainObjects() throws {
    let isHome = KUPredicate { object, _ in (object as? Screen)?.title == "home" }
    let isFar = KUPredicate { object, _ in (object as? Point)?.x ?? 0 > 9 }
    #expect(try isHome.evaluate(with: Screen()) && !isHome.evaluate(with: 3))
    #expect(try [Point(x: 3), Point(x: 10)].filtered(using: isFar) == [Point(x: 10)])
    #expect(try [Screen()].filtered(using: isHome).count == 1)
  }

  @Test func blocks() throws {
    let even = KUPredicate { object, _ in ((object as? Int) ?? 1) % 2 == 0 }
    #expect(try [1, 2, 3, 4].filtered(using: even) == [2, 4])
    let both = KUCompoundPredicate(andPredicateWithSubpredicates: [
      even, try KUPredicate(format: "SELF > 2"),
    ])
    #expect(try [1, 2, 3, 4].filtered(using: both) == [4])
  }

  @Test func sorting() throws {
    let byAge = KUSortDescriptor(key: "age", ascending: false)
    #expect(try names(people.sorted(using: [byAge])) == ["Ann", "Cy", "bo"])
    #expect(try names(people.sorted(using: [byAge.reversedSortDescriptor])) == ["bo", "Cy", "Ann"])
    let byName = KUSortDescriptor(key: "name", ascending: true, comparison: .caseInsensitive)
    #expect(try names(people.sorted(using: [byName])) == ["Ann", "bo", "Cy"])
    struct Book { var title: String }
    #expect(SortTree(SortDescriptor(\Book.title, order: .reverse))?.description == "title desc")
    #expect(
      try ["b 10", "b 9"].sorted(using: [
        KUSortDescriptor(key: nil, ascending: true, comparison: .localizedStandard)
      ]) == ["b 9", "b 10"])
  }

  @Test func requests() throws {
    let request = KUFetchRequest<[String: Any]>(entityName: "Person")
    request.predicate = try KUPredicate(format: "age > 1")
    request.sortDescriptors = [KUSortDescriptor(key: "age", ascending: true)]
    request.fetchOffset = 1
    request.fetchLimit = 1
    #expect(try names(request.execute(in: people)) == ["Cy"])
  }

  @Test func collections() throws {
    let predicate = try KUPredicate(format: "SELF > 1")
    let list = NSMutableArray(array: [1, 2, 3])
    #expect(try list.filtered(using: predicate).count == 2)
    try list.filter(using: predicate)
    #expect(list.count == 2)
    #expect(try NSSet(array: [1, 2, 3]).filtered(using: predicate).count == 2)
  }
}
