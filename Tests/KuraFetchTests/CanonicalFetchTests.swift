import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Groups of objects with canonically equal texts: a fetch finds a complete group or none of it.
@Suite("Canonically equal texts are found alike") struct CanonicalFetchTests {
  private static let operators = [
    "==", "!=", "<", "<=", ">", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN",
    "BETWEEN",
  ]
  private static let options = ["", "[c]", "[d]", "[cd]", "[l]", "[cdl]"]

  /// Returns whether an operator compares texts by scalars, so that the forms of a text differ.
  private func comparesScalars(_ operation: String, _ options: String) -> Bool {
    switch operation {
    case "BEGINSWITH", "ENDSWITH", "CONTAINS": false
    case "LIKE", "MATCHES": options.isEmpty || options == "[l]"
    default: options.isEmpty
    }
  }

  /// Returns five objects for each text, with its forms as titles.
  private func world(
    _ texts: inout CanonicalTexts
  ) throws -> (world: World, groups: [[String]], titles: [String]) {
    var world = try World(items: 0)
    var context = GraphContext(world.snapshot.graph)
    let groups = (0..<60).map { _ in texts.letters(upTo: 4) }
    let titles = groups.flatMap { texts.forms($0) }
    for (number, title) in titles.enumerated() {
      let kind = texts.mixed(Array(groups[number / 5].prefix(2)))
      let values = [
        NewValue("title", .string(title)), NewValue("kind", .string(kind)),
        NewValue("done", .boolean(true)),
      ]
      _ = try context.insert([NewObject(entity: "Item", values: values)])
    }
    world.snapshot = context.snapshot
    return (world, groups, titles)
  }

  private func predicate(_ operation: String, _ options: String, _ needles: [String]) -> String {
    let (x, y) = (needles[0], needles[1])
    return switch operation {
    case "LIKE": "title LIKE\(options) \"\(x)*\" OR title LIKE\(options) \"*\(y)*\""
    case "MATCHES": "title MATCHES\(options) \".*\(x).*\""
    case "IN": "title IN\(options) {\"\(x)\", \"\(y)\"}"
    case "BETWEEN": "title BETWEEN\(options) {\"\(x)\", \"\(y)\"}"
    default: "title \(operation)\(options) \"\(x)\""
    }
  }

  @Test(
    "by the kernels and by the reference evaluator, in any form of the literal",
    arguments: [71, 72, 73] as [UInt64])
  func generated(seed: UInt64) throws {
    var texts = CanonicalTexts(seed: seed)
    let (plain, groups, _) = try world(&texts)
    let world = seed == 72 ? plain.coded : seed == 73 ? plain.sparsified : plain
    var found = 0
    for operation in Self.operators {
      for options in Self.options {
        let needles = (0..<2).map { _ in texts.needle(in: texts.random.pick(groups)) }
        var first: [Int64]?
        for _ in 0..<TestLength.count(2, long: 3) {
          let text = predicate(operation, options, needles.map { texts.mixed($0) })
          #expect(try world.check("Item", text, seed))
          guard !comparesScalars(operation, options) else { continue }
          let rows = try world.fetch("Item", where: text)
          #expect(first == nil || first == rows, "\(text), seed \(seed)")
          first = rows
          found += rows.count
          for group in Dictionary(grouping: rows, by: { ($0 - 1) / 5 }).values {
            #expect(group.count == 5, "\(text) finds a part of a group, seed \(seed)")
          }
        }
      }
    }
    #expect(found > 1000)
  }

  @Test("together with another key", arguments: [74, 75] as [UInt64])
  func columns(seed: UInt64) throws {
    var texts = CanonicalTexts(seed: seed)
    let world = try world(&texts).world
    for operation in ["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"] {
      for options in ["[c]", "[d]", "[cd]"] {
        let text = "title \(operation)\(options) kind"
        #expect(try world.check("Item", text, seed))
      }
    }
    for text in ["canonical(title) == canonical(kind)", "title IN[cd] {kind, \"x\"}"] {
      #expect(try world.check("Item", text, seed))
    }
    #expect(
      try world.fetch("Item", where: "canonical(title) == canonical(kind)")
        == world.fetch("Item", where: "title ==[cd] kind"))
  }

  @Test(
    "and sort next to each other", arguments: [76, 77] as [UInt64],
    [.caseInsensitive, .diacriticInsensitive, .cd, .localeSensitive] as [ComparisonOptions])
  func sorted(seed: UInt64, options: ComparisonOptions) throws {
    var texts = CanonicalTexts(seed: seed)
    let (world, _, titles) = try world(&texts)
    var key = SortTree(try World.parseExpression("title"))
    key.options = options
    let locale = world.environment.locale
    func title(_ number: Int64) -> Value { .string(titles[Int(number) - 1]) }
    func order(_ a: Int64, _ b: Int64) -> ValueOrder {
      key.order(title(a), title(b), locale: locale)
    }
    let rows = try world.fetch("Item", sort: [key])
    #expect(rows.count == titles.count)
    for (a, b) in zip(rows, rows.dropFirst()) {
      #expect(order(a, b) != .after, "\(title(a)), \(title(b)), seed \(seed)")
    }
    for first in stride(from: Int64(1), to: Int64(titles.count), by: 5) {
      for other in first..<first + 5 {
        #expect(order(first, other) == .same, "\(title(other)), seed \(seed)")
      }
    }
  }
}
