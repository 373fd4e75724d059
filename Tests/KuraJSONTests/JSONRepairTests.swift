import KuraJSON
import TestSupport
import Testing

/// Repairs a text in pieces, as a file that is read.
private func repaired(_ bytes: [UInt8], pieces: () -> Int = { .max }) -> String? {
  var repair = JSONRepair(.file)
  var rest = bytes[...]
  var output: [UInt8] = []
  while true {
    let piece = rest.prefix(pieces())
    rest = rest.dropFirst(piece.count)
    repair.add(piece)
    switch repair.run(isLast: rest.isEmpty) {
    case .failed: return nil
    case .done where rest.isEmpty:
      return String(decoding: output + repair.takeAll().output, as: UTF8.self)
    case .needsMore where rest.isEmpty: return nil
    case .done, .needsMore: output += repair.take().output
    }
  }
}

@Suite("Repairs of almost valid JSON")
struct JSONRepairTests {
  @Test(
    "change nothing in valid JSON, and each damage in its own way",
    arguments: [
      (
        #"[1, {"a": "x\n\u8a95 \"誕\""}, null, true, -1.5e3]"#,
        #"[1, {"a": "x\n\u8a95 \"誕\""}, null, true, -1.5e3]"#
      ),
      ("[1, 2, ]", "[1, 2 ]"), (#"{"a": [1,],}"#, #"{"a": [1]}"#),
      ("[1 // one\n, 2 /* two\n */]", "[1 \n, 2 \n]"),
      ("# head\n[1]\n  # end", "\n[1]\n  "), ("[NaN, -Infinity, inf]", "[null, null, null]"),
      ("{'it': 'is \\'\"x\"'}", #"{"it": "is '\"x\""}"#),
      ("{a-b: 1, $c: 2, 誕: 3}", #"{"a-b": 1, "$c": 2, "誕": 3}"#),
      ("[True, False, None, undefined]", "[true, false, null, null]"),
      (#"["\ud83d", "\udE00x", "\ud83d\ude00"]"#, #"["\ufffd", "\ufffdx", "\ud83d\ude00"]"#),
      ("[\"a\tb\nc\"]", #"["a\u0009b\u000ac"]"#),
      ("{\"a\":1},\n{\"a\":2},\n", "{\"a\":1}\n{\"a\":2}\n"),
      ("[1]\u{FEFF}[2]", "[1][2]"), ("[1, /* x */]", "[1 ]"), ("", ""), ("[,]", nil),
      ("[1 2]", nil), ("{\"a\" 1}", nil),
      ("[01]", nil), ("[x]", nil), ("[\"\\q\"]", nil), ("[1}", nil), ("[\"x", nil), ("[1", nil),
      ("[1]]", nil),
      ("{,}", nil), ("[#1]", nil), ("[1;2]", nil), ("[/1]", nil), (",[1]", nil), ("[1,,2]", nil),
      ("[1,,]", nil),
    ] as [(String, String?)])
  func eachDamage(_ text: String, _ meaning: String?) {
    #expect(repaired(Array(text.utf8)) == meaning)
    #expect(repaired(Array(text.utf8), pieces: { 1 }) == meaning)
  }

  @Test("replace what is not UTF-8 as the standard library of Swift does")
  func invalidUTF8() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededNumbers(seed: seed)
    let bytes: [UInt8] = [
      0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xA0, 0xED, 0x9F, 0xE3, 0x81, 0xF0, 0x90, 0xF4,
      0x8F, 0xF5, 0xFF,
    ]
    for _ in 0..<TestLength.count(2000, long: 100_000) {
      let inner = (0..<random.below(12)).map { _ in random.pick(bytes) }
      let text = [0x5B, 0x22] + inner + [0x22, 0x5D]
      let found = repaired(text, pieces: { 1 + random.below(4) })
      #expect(found == String(decoding: text, as: UTF8.self), "seed \(seed)")
    }
  }

  @Test("give the values that were there before the damage")
  func generated() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var damage = Damage(random: SeededNumbers(seed: seed))
    for _ in 0..<TestLength.count(500, long: 50_000) {
      let node = damage.value(depth: 0)
      let text = damage.written(node)
      var random = damage.random
      let whole = try #require(repaired(Array(text.utf8)), "seed \(seed): \(text)")
      #expect(try JSONNode(reading: Array(whole.utf8)).text == node.text, "seed \(seed): \(text)")
      #expect(
        repaired(Array(text.utf8), pieces: { 1 + random.below(7) }) == whole,
        "seed \(seed): \(text)")
    }
  }

  @Test("of a statement guess more")
  func statements() {
    let text = "{title= 誕生; \"a\": [1 2], b: yes,}"
    var bytes = Array(text.utf8)
    for edit in JSONRepair.edits(of: text).reversed() {
      bytes.replaceSubrange(edit.place, with: edit.text)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"title": "誕生", "a": [1, 2], "b": true}"#)
  }
}

/// Writes JSON with damage whose meaning is known.
private struct Damage {
  var random: SeededNumbers

  mutating func value(depth: Int) -> JSONNode {
    let kind: JSONNode.Kind =
      switch random.below(depth < 4 ? 7 : 5) {
      case 0: .null
      case 1: .boolean(random.flip())
      case 2: .number(random.pick(["0", "-1", "12.50", "1e9", "1234567890123456789"]))
      case 3, 4: .string(text())
      case 5: .array((0..<random.below(4)).map { _ in value(depth: depth + 1) })
      default:
        .object(
          (0..<random.below(4)).map {
            JSONMember("k\($0)", keySpan: 0..<0, value(depth: depth + 1))
          })
      }
    return JSONNode(kind, span: 0..<0)
  }

  private mutating func text() -> String {
    (0..<random.below(6)).map { _ in
      random.pick(["a", "誕", "'", "\"", "\\", "//", "#", ",", "😀", "\u{FFFD}", "}"])
    }
    .joined()
  }

  mutating func written(_ node: JSONNode) -> String {
    switch node.kind {
    case .null: random.pick(["null", "NaN", "-Infinity", "None", "undefined"])
    case .boolean(let value):
      value ? random.pick(["true", "True"]) : random.pick(["false", "False"])
    case .number(let digits): digits
    case .string(let text): string(text)
    case .array(let elements): list(elements.map { written($0) }, "[", "]")
    case .object(let members):
      list(members.map { key($0.key) + gap() + ":" + gap() + written($0.value) }, "{", "}")
    }
  }

  private mutating func key(_ key: String) -> String { random.flip() ? key : string(key) }

  private mutating func string(_ text: String) -> String {
    let quote = random.pick(["\"", "'"])
    let inner = text.map { character in
      switch character {
      case "\\": "\\\\"
      case Character(quote): "\\" + quote
      case "\u{FFFD}": random.pick(["\\ud83d", "\\udc00", "\u{FFFD}"])
      default: String(character)
      }
    }
    // Halves that follow each other would be a pair; replacing one can make another.
    var joined = inner.joined()
    while joined.contains("\\ud83d\\udc00") {
      joined = joined.replacing("\\ud83d\\udc00", with: "\\udc00\\udc00")
    }
    return quote + joined + quote
  }

  private mutating func list(_ parts: [String], _ open: String, _ close: String) -> String {
    let inner = parts.map { gap() + $0 + gap() }.joined(separator: ",")
    return open + inner + (parts.isEmpty || random.flip() ? "" : ",") + gap() + close
  }

  private mutating func gap() -> String {
    random.pick(["", "", " ", "\n", "/* ]\" */", "// }'\n", "\n# [\n", "/**/ "])
  }
}
