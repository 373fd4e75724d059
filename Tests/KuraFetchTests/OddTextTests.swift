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

    /// Returns a comparison with a part of one of the titles or, sometimes, with another key.
    mutating func predicate(_ operation: String, _ titles: [String]) -> String {
      let (needle, other) = (part(of: random.pick(titles)), part(of: random.pick(titles)))
      let literal = Self.escaped(needle)
      let left = random.pick(["title", "title", "title", "note", "replace(title, \"s\", \"É\")"])
      let right =
        switch operation.prefix(4) {
        case "LIKE": "\"\(random.pick(["*", "", "?"]))\(literal)\(random.pick(["*", "", "?*a"]))\""
        case "MATC": "\".*\(literal).*\""
        case "IN", "IN[c", "IN[d": "{\"\(literal)\", \"x\", \"\(Self.escaped(other))\"}"
        case "BETW": "{\"\(literal)\", \"\(Self.escaped(other))\"}"
        default: random.next() % 3 == 0 ? random.pick(["kind", "note"]) : "\"\(literal)\""
        }
      return "\(left) \(operation) \(right)"
    }

    static func escaped(_ text: String) -> String {
      text.unicodeScalars.reduce(into: "") { text, scalar in
        text += scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
      }
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
        NewValue("title", .string(title)), NewValue("done", .boolean(true)),
        NewValue("kind", .string(texts.part(of: title))), NewValue("note", .string(texts.text())),
      ]
      _ = try context.insert([NewObject(entity: "Item", values: values)])
    }
    world.snapshot = context.snapshot
    if seed == 83 { world = world.sparsified }
    for _ in 0..<TestLength.count(20, long: 60) {
      let (from, count) = (texts.random.next() % 7, texts.random.next() % 6)
      let part = texts.random.pick(titles).part(from: Int64(from), count: Int64(count))
      let text = "substring(title, \(from), \(count)) == \"\(Texts.escaped(part))\""
      #expect(try world.check("Item", text, seed))
    }
    let operations = [
      "CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "<", ">=", "IN", "BETWEEN", "LIKE", "MATCHES",
    ]
    for operation in operations {
      for options in ["", "[c]", "[d]", "[cd]"] {
        for _ in 0..<TestLength.count(4, long: 12) {
          let text = texts.predicate(operation + options, titles)
          #expect(try world.check("Item", text, seed))
        }
      }
    }
  }
}
