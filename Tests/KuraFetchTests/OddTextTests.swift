import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Texts with marks, joiners, ligatures and other scalars that do not fold one by one, among texts without them.
@Suite("Odd texts") struct OddTextTests {
  private static let ordinary = [
    "a", "s", "S", "ss", "k", "i", "f", "e", "É", "é", " ", "か", "が", "カ", "ガ", "ｶ", "ー", "生", "👍",
    "각",
    "ナ", "0", "σ", "Σ",
  ]
  private static let odd = [
    "ß", "ẞ", "ﬁ", "İ", "ŉ", "\u{212A}", "\u{301}", "\u{323}", "\u{3099}", "ﾞ", "\u{200D}",
    "\u{FE0F}",
    "❤\u{FE0F}", "👍🏽", "👩\u{200D}👧", "\u{1112}", "\u{1161}", "\u{11A8}", "का", "ที่", "🇯🇵", "e\u{301}",
    "\u{200B}",
  ]

  private struct Texts {
    var random: SeededNumbers

    mutating func text() -> String {
      let length = 1 + Int(random.next() % 9)
      return (0..<length).reduce(into: "") { text, _ in
        text += random.next() % 4 == 0 ? random.pick(OddTextTests.odd) : random.pick(ordinary)
      }
    }

    /// Returns a part of a text, which can begin or end inside a character.
    mutating func part(of text: String) -> String {
      let scalars = Array(text.unicodeScalars)
      let start = Int(random.next() % UInt64(scalars.count))
      let end = min(scalars.count, start + 1 + Int(random.next() % 3))
      let part = String(String.UnicodeScalarView(scalars[start..<end]))
      return random.next() % 3 == 0 ? part.uppercased() : part
    }
  }

  private static func predicate(_ operation: String, _ needle: String) -> String {
    let literal = needle.unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return switch operation.prefix(4) {
    case "LIKE": "title \(operation) \"*\(literal)*\""
    case "MATC": "title \(operation) \".*\(literal).*\""
    case "IN", "IN[c", "IN[d": "title \(operation) {\"\(literal)\", \"x\"}"
    default: "title \(operation) \"\(literal)\""
    }
  }

  @Test("get the reference evaluator's answers", arguments: [81, 82, 83, 84] as [UInt64])
  func generated(seed: UInt64) throws {
    var texts = Texts(random: SeededNumbers(seed: seed))
    var world = try World(items: 0)
    var context = GraphContext(world.snapshot.graph)
    let titles = (0..<400).map { _ in texts.text() }
    for title in titles {
      let values = [
        NewValue("title", .string(title)), NewValue("kind", .string("x")),
        NewValue("done", .boolean(true)),
      ]
      _ = try context.insert([NewObject(entity: "Item", values: values)])
    }
    world.snapshot = context.snapshot
    if seed == 83 { world = world.sparsified }
    for _ in 0..<TestLength.count(20, long: 60) {
      let (from, count) = (texts.random.next() % 7, texts.random.next() % 6)
      let part = texts.random.pick(titles).part(from: Int64(from), count: Int64(count))
      let text = Self.predicate("==", part).replacing(
        "title", with: "substring(title, \(from), \(count))")
      #expect(try world.check("Item", text, seed))
    }
    for operation in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "IN", "LIKE", "MATCHES"] {
      for options in ["", "[c]", "[d]", "[cd]"] {
        for _ in 0..<TestLength.count(4, long: 12) {
          let needle = texts.part(of: texts.random.pick(titles))
          #expect(try world.check("Item", Self.predicate(operation + options, needle), seed))
        }
      }
    }
  }
}
