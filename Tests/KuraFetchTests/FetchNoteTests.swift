import KuraDiagnostics
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Notes are compared with results: a predicate that is never true finds nothing, and one that is
/// always true everything.
@Suite("A note about a query")
struct FetchNoteTests {
  private static let sides: [(left: String, values: [String])] = [
    ("count", ["-2", "0", "1", "3", "7", "nil"]),
    ("title", ["\"誕生\"", "\"a\"", "\"A\"", "\"b\"", "nil"]),
    ("price", ["-1", "0", "1.5", "2", "2.0", "nil"]), ("exact", ["0.1", "0.3", "0.30", "1"]),
    ("day", ["\"1971-02-05\"", "\"1980-01-01\"", "\"2001-01-01\""]), ("done", ["YES", "NO"]),
    ("length(title)", ["-1", "0", "3", "5"]), ("month(day)", ["0", "1", "6", "12", "13"]),
    ("home.name", ["\"分類 1\"", "\"分類 2\"", "nil"]), ("tags.@count", ["-1", "0", "2", "9"]),
    ("kind", ["\"が\"", "\"か\u{3099}\"", "\"café\"", "\"CAFE\""]), ("abs(count)", ["-1", "0", "2"]),
  ]

  private static func comparison(_ random: inout SeededNumbers) -> String {
    let (left, values) = sides[random.below(4) < 2 ? random.below(3) : random.below(sides.count)]
    let value = { (random: inout SeededNumbers) in values[random.below(values.count)] }
    let options =
      ["\"分類 1\"", "\"が\"", "\"a\""].contains(values[0]) || left == "title"
      ? ["", "[c]", "[cd]"] : [""]
    let option = options[random.below(options.count)]
    switch random.below(9) {
    case 0, 1, 2: return "\(left) ==\(option) \(value(&random))"
    case 3: return "\(left) !=\(option) \(value(&random))"
    case 4: return "\(left) \(["<", "<=", ">", ">="][random.below(4)]) \(value(&random))"
    case 5: return "\(value(&random)) \(["<", ">="][random.below(2)]) \(left)"
    case 6: return "\(left) IN {\(value(&random)), \(value(&random))}"
    case 7:
      let bounds = [value(&random), value(&random)].map { $0 == "nil" ? values[0] : $0 }
      return left == "done" ? "done == YES" : "\(left) BETWEEN {\(bounds[0]), \(bounds[1])}"
    default: return "NOT \(left) == \(value(&random))"
    }
  }

  private static func predicate(_ random: inout SeededNumbers, _ levels: Int) -> String {
    if levels == 0 || random.below(5) == 0 { return comparison(&random) }
    let joint = random.below(2) == 0 ? " AND " : " OR "
    let parts = (0..<(2 + random.below(3))).map { _ in predicate(&random, levels - 1) }
    let joined = "(\(parts.joined(separator: joint)))"
    return random.below(5) == 0 ? "NOT \(joined)" : joined
  }

  private static func request(_ text: String, in world: World) throws -> BoundRequest {
    var world = world
    world.environment.source = SourceText(text)
    return try world.request("Item", where: text)
  }

  @Test("is true of the comparisons that it names", arguments: 1...6 as ClosedRange<UInt64>)
  func truth(seed: UInt64) throws {
    let world = try World(seed: seed, items: 120)
    let all = try world.fetch("Item", where: "TRUEPREDICATE").count
    var random = SeededNumbers(seed: seed)
    var (told, asked) = (0, 0)
    while asked < 400 {
      let text = Self.predicate(&random, 2)
      guard let request = try? Self.request(text, in: world) else { continue }
      asked += 1
      guard let note = request.note(isEmpty: { false }),
        let facts = note.facts as? FetchNote
      else { continue }
      told += 1
      let comment = Comment(rawValue: "\(text): \(facts.sentence), seed \(seed)")
      switch facts {
      case .neverBoth(let one, let other):
        #expect(try world.fetch("Item", where: "(\(one)) AND (\(other))").isEmpty, comment)
      case .alwaysOne(let one, let other):
        #expect(try world.fetch("Item", where: "(\(one)) OR (\(other))").count == all, comment)
      case .outOfRange(_, _, _, let comparison), .reversedBounds(let comparison):
        #expect(try world.fetch("Item", where: comparison).isEmpty, comment)
      case .firstMoment: break
      default: Issue.record(comment)
      }
    }
    #expect(told > 20)
  }

  @Test(
    "offers a query that has a result",
    arguments: [
      "title CONTAINS[c] \"*誕生*\"", "title LIKE \"誕\"", "kind == \"CAFE\"",
      "kind == \"ｃａｆé\"", "kind CONTAINS \"%riv%\"", "kind MATCHES \"riv\"", "home.name == \"分類1\"",
    ])
  func fix(question: String) throws {
    let world = try World(items: 200)
    let text = question
    let request = try Self.request(text, in: world)
    #expect(try request.count() == 0)
    let note = try #require(request.note(isEmpty: { true }), "\(text)")
    guard let fix = note.fixIts.first else { return }
    #expect(try world.fetch("Item", where: fix.applied(to: text)).isEmpty == false, "\(text)")
  }
}
