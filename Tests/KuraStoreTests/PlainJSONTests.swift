import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import TestSupport
import Testing

@Suite struct PlainJSONTests {
  @Test(arguments: [
    ("[]", 0), ("{}", 1), ("3", 1), ("[3, \"x\", null]", 3), ("{\"a\": 1}\n{\"a\": 2}", 2),
    ("{\"a\": 1}", 1), ("[{}, {}]", 2), ("1 2\n3", 3),
    (#"[{"a": 1}][{"a": 2}]"#, 2), ("[{\"a\": 1}]\n[]\n[{\"a\": 2}, {\"b\": 3}]\n", 3),
    ("[]\n[{\"a\": 1}]", 1), ("[1, \"x\"]\n[2, \"y\"]", 2), ("[1] 2", 2),
  ]) func rowsOfOneEntity(_ text: String, _ count: Int) throws {
    for step in [1, 2, 3, 64, 1 << 20] {
      let store = try #require(try Reading(text, step: step).store, "step \(step)")
      #expect(store.graph.tables.map(\.count) == [count], "step \(step)")
      #expect(!store.isStore)
    }
  }

  @Test func eachArrayOfObjectsIsAnEntity() throws {
    let text = #"{"a": [{"x": 1}], "limit": [{"y": "z"}], "empty": [], "n": 3, "t\u0069": [1]}"#
    let store = try #require(try Reading(text).store)
    #expect(store.graph.model.entities.map(\.name) == ["a", "limit", "empty", "in"])
    #expect(store.graph.tables.map(\.count) == [1, 1, 0, 1])
    #expect(store.values("n") == [3] && store.values("ti") == [.list([1])])
  }

  @Test func theOtherKeysOfADocumentHaveAFreeName() throws {
    let text = #"{"in": [{"x": 1}], "in2": [{"y": 2}], "page": {"next": null}}"#
    for step in [1, 7, 1 << 20] {
      let store = try #require(try Reading(text, step: step).store)
      #expect(store.graph.model.entities.map(\.name) == ["in", "in2", "in3"])
    }
  }

  @Test func aKeyWithAnEscapeIsTheKeyItStandsFor() throws {
    let store = try #require(
      try Reading(#"[{"t\u0069tle": 1, "a\\b": 2}, {"title": 3, "a\\b": 4, "a\b": 5}]"#).store)
    #expect(store.values("title") == [1, 3])
    #expect(store.values("a\\b") == [2, 4])
    #expect(store.values("a\u{8}") == [.null, 5])
  }

  @Test("Elements that are not objects are not in the key value of objects", arguments: [0, 300])
  func otherElements(before: Int) throws {
    let keys = (0..<before).map { #""k\#($0)": 0, "# }.joined()
    let text = #"[{\#(keys)"value": 7}, 8, null, {"value": 9}]"#
    for step in [7, 1 << 20] {
      let store = try #require(try Reading(text, step: step).store)
      #expect(store.values("value") == [7, .null, .null, 9])
      #expect(store.values("value2") == [.null, 8, .null, .null])
    }
    let alone = try #require(try Reading("[8, {\"n\": 1}]").store)
    #expect(alone.values("value") == [8, .null])
  }

  @Test("Canonically equal texts are one key", arguments: [0, 300])
  func equivalentKeys(before: Int) throws {
    let keys = (0..<before).map { #""k\#($0)": 0, "# }.joined()
    let (composed, decomposed) = ("\u{30AC}", "\u{30AB}\u{3099}")
    for (first, second) in [(composed, decomposed), (decomposed, composed)] {
      let rows = #"[{\#(keys)"\#(first)": 1}, {"\#(second)": 2}, {"\#(first)": 3}]"#
      let store = try #require(try Reading(rows).store)
      #expect(store.graph.model.entities[0].attributes.count == before + 1)
      #expect(store.values(composed) == [1, 2, 3])
      let twice = try #require(try Reading(#"[{\#(keys)"\#(first)": 1, "\#(second)": 2}]"#).store)
      #expect(twice.values(composed) == [2] && twice.warnings.count == 1)
    }
  }

  @Test func keysInAValueAreKeptAsTheyAre() throws {
    let text = #"[{"n": {"\u30ac": 1, "\u30ab\u3099": 2}}]"#
    let store = try #require(try Reading(text).store)
    let expected = ValueDictionary([("\u{30AC}", 1), ("\u{30AB}\u{3099}", 2)])
    #expect(expected.keys.count == 2 && store.values("n") == [.dictionary(expected)])
    let again = try #require(try Reading(try store.document).store)
    #expect(again.values("n") == [.dictionary(expected)])
  }

  /// Whether texts repeat is decided after a megabyte of them, not after a thousand rows.
  @Test(arguments: [(4, true), (200, false)])
  func longTextsHaveADictionaryWhereTheyRepeat(_ distinct: Int, _ repeats: Bool) throws {
    let texts = (0..<500).map { "\($0 % distinct) " + String(repeating: "日本", count: 1_500) }
    let rows = texts.map { #"{"text": "\#($0)"}"# }.joined(separator: ",")
    let store = try #require(try Reading("[\(rows)]").store)
    #expect(store.values("text") == texts.map { .string($0) })
    let chunks = store.graph.tables[0].columns.flatMap(\.chunks)
    #expect(chunks.contains { $0.packedTexts != nil } == !repeats)
  }

  /// Chunks of a wide table store only these values, which must be read like the values of a narrow one.
  @Test func aWideTableOfFewValuesHasThemAll() throws {
    let count = 36_000
    func value(_ key: Int, _ row: Int) -> String? {
      guard (row * 31 + key * 977) % 401 == 0 else { return nil }
      switch key % 6 {
      case 0: return "\(row)"
      case 1: return row > 25_000 ? "\(row).5" : "\(row)"
      case 2: return #""x\#(row)""#
      case 3: return row > 30_000 ? "[\(row)]" : #""x\#(row % 7)""#
      case 4: return row % 2 == 0 ? "true" : "false"
      default: return row > 20_000 ? "12345678901234567890123" : "\(row)"
      }
    }
    let rows = (0..<count).map { row in
      "{"
        + (0..<36).compactMap { key in value(key, row).map { #""k\#(key)": \#($0)"# } }
        .joined(separator: ",") + "}"
    }
    let reading = try Reading("[\(rows.joined(separator: ","))]")
    let wide = try #require(reading.store, "\(reading.headlines)")
    for key in 0..<6 {
      let narrow = (0..<count).map { row in
        value(key, row).map { #"{"k": \#($0)}"# } ?? "{}"
      }
      let expected = try #require(try Reading("[\(narrow.joined(separator: ","))]").store)
      #expect(wide.values("k\(key)") == expected.values("k"), "k\(key)")
    }
  }

  @Test func keysThatFewRowsHaveAreKeptByTheirValues() throws {
    let rows = (0..<3_000).map { row in
      let value = [#""x\#(row)""#, "\(row)", "[\(row)]", "null", "1.5", "true"][row % 6]
      return #"{"every": \#(row), "k\#(row)": \#(value), "late": 1}"#
    }
    for step in [64, 1 << 20] {
      let store = try #require(try Reading("[\(rows.joined(separator: ","))]", step: step).store)
      let model = store.graph.model.entities[0]
      #expect(model.attributes.count == 3_002)
      #expect(model.attributes.prefix(4).map(\.name) == ["every", "k0", "late", "k1"])
      #expect(model.attributes[2_000].name == "k1998")
      #expect(store.values("every") == (0..<3_000).map { .integer(Int64($0)) })
      for row in [0, 5, 300, 1_500, 1_501, 1_502, 1_503, 1_504, 2_999] {
        let values = store.values("k\(row)")
        let expected: Value =
          [
            .string("x\(row)"), .integer(Int64(row)), .list([.integer(Int64(row))]), .null, 1.5,
            true,
          ][
            row % 6]
        #expect(values[row] == expected)
        #expect(values.indices.allSatisfy { $0 == row || values[$0] == .null })
      }
    }
  }

  @Test func aRareKeyThatManyRowsHaveLaterIsAColumnLikeOthers() throws {
    let first = "{" + (0..<300).map { #""k\#($0)": 0"# }.joined(separator: ",") + "}"
    let later = (0..<20_000).map { #"{"k299": \#($0), "k298": "t\#($0 % 3)"}"# }
    let text = "[\(first),\(later.joined(separator: ","))]"
    let store = try #require(try Reading(text).store)
    #expect(store.values("k299") == [0] + (0..<20_000).map { .integer(Int64($0)) })
    #expect(store.values("k298").count == 20_001)
    #expect(store.graph.model.entities[0].attributes[299].name == "k299")
    #expect(store.graph.model.entities[0].attributes[298].type == .json)
    #expect(store.values("k1").prefix(2) == [0, .null])
  }

  @Test func aKeyTwiceInARowIsFoundAmongRareOnesToo() throws {
    let keys = (0..<300).map { #""k\#($0)": 0"# }.joined(separator: ",")
    let store = try #require(try Reading(#"[{\#(keys), "k299": 1}, {"k299": 2}]"#).store)
    #expect(store.values("k299") == [1, 2] && store.warnings.count == 1)
  }

  @Test func manyKeysInAnyOrderFindTheirColumns() throws {
    let seed: UInt64 = 23
    var random = SeededNumbers(seed: seed)
    let keys = [""] + (0..<700).map { ["k\($0)", "鍵\($0)", "a\"\($0)"][$0 % 3] }
    var expected: [String: [Int: Value]] = [:]
    let rows = (0..<200).map { row in
      let picked = Set((0..<30).map { _ in keys[random.below(keys.count)] })
      let members = picked.map { key in
        expected[key, default: [:]][row] = .integer(Int64(row))
        return "\"\(key.replacing("\"", with: "\\\""))\": \(row)"
      }
      return "{\(members.joined(separator: ", "))}"
    }
    for step in [64, 1 << 20] {
      let store = try #require(try Reading("[\(rows.joined(separator: ",\n"))]", step: step).store)
      #expect(store.graph.model.entities[0].attributes.count == expected.count)
      for (key, values) in expected {
        #expect(
          store.values(key) == (0..<200).map { values[$0] ?? .null }, "\(key), seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    ("1, 2", AttributeType.integer), ("1, 2.5", .double), ("1, null", .integer), ("null", .string),
    ("1, 123456789012345678901234567890", .decimal), ("1.5, 9007199254740993", .decimal),
    ("9007199254740993, 1.5", .decimal), ("1e300, 123456789012345678901234567890", .json),
    ("123456789012345678901234567890, 1e300", .json), ("true, false", .boolean), ("true, 1", .json),
    ("\"a\", 1", .json), ("\"a\", \"b\"", .string), ("[1]", .json), ("3, [{\"b\": 1}]", .json),
    ("1e51, 1.5", .double), ("99999999999999999999999999999999999999", .decimal),
    ("1000000000000000000000000000000000000000000000000000", .decimal),
  ]) func theTypeHoldsEveryValue(_ values: String, _ type: AttributeType) throws {
    let store = try #require(try Reading("[\(values)]").store)
    #expect(store.type("value") == type)
    #expect(store.values("value").allSatisfy { !$0.isNull } == !values.contains("null"))
  }

  /// Two numbers that are equal as doubles would be one in a distinct fetch.
  @Test(arguments: [
    "NUMBER", "1, NUMBER", "1.5, NUMBER", "-NUMBER", "[1, NUMBER]", #"{"a": {"b": [NUMBER]}}"#,
    #""x", NUMBER"#, "1e300, NUMBER",
  ]) func anIntegerKeepsAllDigitsOrIsAnError(_ values: String) throws {
    let most = "12345678901234567890123456789012345678"
    for step in [1, 64, 1 << 20] {
      let kept = try Reading("[\(values.replacing("NUMBER", with: most))]", step: step)
      let store = try #require(kept.store)
      #expect("\(store.values("value") + store.values("a"))".contains(most))
      let text = "[\(values.replacing("NUMBER", with: most + "9"))]"
      #expect(
        try Reading(text, step: step).first.hasSuffix("error: an integer has at most 38 digits"))
    }
  }

  @Test func typesAreWidenedAcrossChunks() throws {
    let rows = (1...16_385).map { "{\"a\": \($0), \"t\": \"same\"}" }
    let late = [
      #"{"a": 2.5, "t": "x"}"#, #"{"a": 123456789012345678901, "late": true}"#, #"{"a": "x"}"#,
    ]
    let types: [AttributeType] = [.integer, .double, .decimal, .json]
    for count in 0...late.count {
      let text = "[" + (rows + late[..<count]).joined(separator: ",\n") + "]"
      let store = try #require(try Reading(text).store)
      #expect(store.type("a") == types[count])
      let values = store.values("a")
      #expect(values.count == 16_385 + count)
      #expect(values[0] == 1 && values[16_384] == 16_385)
      if count > 0 { #expect(values[16_385] == 2.5) }
      if count > 2 { #expect(values.last == "x") }
      if count > 1 {
        #expect(store.values("late")[16_386] == true && store.values("late")[0].isNull)
      }
    }
  }

  @Test func textsThatDoNotRepeatLeaveTheDictionary() throws {
    let texts = (0..<40_000).map { $0 < 20_000 ? "誕\($0 % 7)" : "\($0)" }
    let text = "[" + texts.map { "{\"t\": \"\($0)\"}" }.joined(separator: ",") + "]"
    let store = try #require(try Reading(text, step: 4096).store)
    #expect(store.values("t") == texts.map { .string($0) })
  }

  @Test func aTinyWindowGivesTheSameRows() throws {
    let text = #"""
      [{"a": null, "b": "x", "c": [1, {"d": "\u8a95"}]}, {"b": "誕生", "a": 3}, {"a": 2.5, "c": -1e3},
       {"late": 123456789012345678901}, 7, {"a": "mixed", "b": "\"\\"}]
      """#
    let whole = try #require(try Reading(text).store)
    for step in 1...64 {
      let pieces = try #require(try Reading(text, step: step).store, "step \(step)")
      #expect(try pieces.document == whole.document, "step \(step)")
    }
  }
}
