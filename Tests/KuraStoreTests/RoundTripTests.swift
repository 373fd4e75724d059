import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import TestSupport
import Testing

/// Generates documents of all kinds from a seed.
private struct DocumentGenerator {
  var random: SeededNumbers

  private static let attributes = AttributeType.allCases.map {
    "\"\($0.rawValue)\": {\"type\": \"\($0.rawValue)\", \"optional\": true}"
  }

  private static let relationships = """
    "one": {"destination": "B", "inverse": "many"}, "many2": {"destination": "B", "toMany": true, "inverse": "many2"},
    "list": {"destination": "B", "toMany": true, "ordered": true, "inverse": "list"},
    "spouse": {"destination": "A", "inverse": "spouse"}, "friends": {"destination": "A", "toMany": true, "inverse": "friends"},
    "alone": {"destination": "Sub", "toMany": true}
    """

  mutating func document() -> String {
    let a = (1...8).map { row($0 * 2, isSub: false) }
    let sub = (1...4).map { row($0 * 2 + 1, isSub: true) }
    return """
      {"format": "kura/1", "timezone": "Asia/Tokyo", "userInfo": {"x": [1]},
      "model": {"entities": {
      "A": {"attributes": {\(Self.attributes.joined(separator: ", "))}, "relationships": {\(Self.relationships)}},
      "Sub": {"parent": "A", "attributes": {"own": {"type": "string", "default": "誕"}}},
      "B": {"relationships": {"many": {"destination": "A", "toMany": true, "inverse": "one"},
      "many2": {"destination": "A", "toMany": true, "inverse": "many2"},
      "list": {"destination": "A", "toMany": true, "ordered": true, "inverse": "list"}}}}},
      "objects": {"Sub": [\(sub.joined(separator: ", "))], "A": [\(a.joined(separator: ",\n"))],
      "B": [{"objectID": 5}, {"objectID": 2}, {"objectID": 1}]}}
      """
  }

  private mutating func row(_ number: Int, isSub: Bool) -> String {
    var members = ["\"objectID\": \(number)"]
    for type in AttributeType.allCases where random.flip() {
      members.append("\"\(type.rawValue)\": \(random.flip() ? "null" : value(type))")
    }
    if random.flip() { members.append("\"one\": \([1, 2, 5][random.below(3)])") }
    for key in ["many2", "list"] where random.flip() { members.append("\"\(key)\": [5, 1]") }
    if random.flip() { members.append("\"friends\": [\(2 + random.below(8))]") }
    if random.flip() { members.append("\"alone\": [9, 3]") }
    if number == 2 { members.append("\"spouse\": 7") }
    if isSub, random.flip() { members.append("\"own\": \"x\"") }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private mutating func value(_ type: AttributeType) -> String {
    switch type {
    case .integer: ["-3", "3.0", "1e3", "9223372036854775807"][random.below(4)]
    case .integer16, .integer32: ["-32768", "32767", "0"][random.below(3)]
    case .double: ["0.1", "3", "1e300", "-0.5e-7", "9007199254740993"][random.below(5)]
    case .float: ["0.1", "3", "16777217", "1e38"][random.below(4)]
    case .decimal: ["\"0.10\"", "0.1", "12345678901234567890123"][random.below(3)]
    case .string: ["\"誕生\"", "\"\\\"\\\\\\n\"", "\"\"", "\"ß\\u0301\""][random.below(4)]
    case .boolean: random.flip() ? "true" : "false"
    case .date: ["\"1935-06-11\"", "\"2010-07-20T18:20:00.5Z\""][random.below(2)]
    case .uuid: "\"e621e1f8-c36c-495a-93fc-0c247a3e6e5f\""
    case .uri: "\"https://例.jp/\""
    case .binary: "\"5piv\""
    case .json: ["[1, {\"a\": null}]", "\"x\"", "2.50", "true", "{}"][random.below(5)]
    }
  }
}

@Suite struct RoundTripTests {
  @Test func whatIsWrittenIsReadAndWrittenTheSame() throws {
    for seed in UInt64(0)..<60 {
      var generator = DocumentGenerator(random: SeededNumbers(seed: seed))
      let reading = try Reading(generator.document())
      #expect(reading.headlines == [], "seed \(seed)")
      let store = try #require(reading.store)
      let written = try store.document
      let again = try Reading(written, step: 1 + Int(seed) * 7)
      #expect(again.headlines == [], "seed \(seed)")
      #expect(try again.store?.document == written, "seed \(seed)")
      let others = store.graph.difference(to: try #require(again.store?.graph))
      #expect(others.inserted.isEmpty && others.deleted.isEmpty, "seed \(seed)")
      // The order of links has no meaning in an unordered relationship.
      let keys = Set(AttributeType.allCases.map(\.rawValue) + ["own"])
      let changed = others.updated.flatMap(\.columns).map(\.key).filter(keys.contains)
      #expect(changed == [], "seed \(seed)")
    }
  }

  @Test func numbersAreReadByTheirType() throws {
    let attributes =
      #""i": {"type": "integer16"}, "f": {"type": "float"}, "d": {"type": "double"}, "x": {"type": "decimal"}, "j": {"type": "json", "optional": true}"#
    let store = try #require(
      try Reading(
        store(
          attributes,
          #"{"i": 1e3, "f": 0.1, "d": 9007199254740993, "x": 0.10, "j": "s"}, {"i": 3.0, "f": 16777217, "d": 1, "x": "2", "j": true}"#
        )
      ).store)
    #expect(store.values("i", of: "Item") == [1000, 3])
    #expect(store.values("f", of: "Item") == [.double(Double(Float(0.1))), 16_777_216])
    #expect(store.values("d", of: "Item") == [9_007_199_254_740_992, 1])
    #expect(store.values("x", of: "Item") == [.decimal(Decimal(string: "0.1") ?? 0), 2])
    #expect(store.values("j", of: "Item") == ["s", true])
    for wrong in [#""i": 32768"#, #""i": 3.5"#, #""f": 1e39"#, #""x": true"#, #""d": "1""#] {
      let all = #"{"i": 1, "f": 1, "d": 1, "x": 1}"#
      let key = wrong.prefix(3)
      let row = all.replacingOccurrences(of: "\(key): 1", with: wrong)
      #expect(try Reading(KuraStoreTests.store(attributes, row)).problems.count == 1, "\(wrong)")
    }
  }

  @Test func aMandatoryKeyThatIsLeftOutHasItsDefault() throws {
    let attributes =
      #""s": {"type": "string", "default": "誕"}, "n": {"type": "integer", "default": 3}, "o": {"type": "integer", "optional": true, "default": 3}"#
    let store = try #require(try Reading(store(attributes, #"{}, {"s": "x", "n": 4}, {}"#)).store)
    #expect(store.values("s", of: "Item") == ["誕", "x", "誕"])
    #expect(store.values("n", of: "Item") == [3, 4, 3])
    #expect(store.values("o", of: "Item").allSatisfy { $0.isNull })
  }

  @Test func theModelMayStandBehindTheObjects() throws {
    let text = """
      {"objects": {"A": [{"n": 3}]}, "model": {"entities": {"A": {"attributes": {"n": {"type": "integer"}}}}},
      "format": "kura/1"}
      """
    for step in [1, 64, 1 << 20] {
      let store = try #require(try Reading(text, step: step).store)
      #expect(store.isStore && store.values("n", of: "A") == [3])
    }
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    let read = try StoreReader(descriptor: pipe.fileHandleForReading.fileDescriptor).read()
    #expect(read.values("n", of: "A") == [3])
    let small = Pipe()
    small.fileHandleForWriting.write(Data(text.utf8))
    try small.fileHandleForWriting.close()
    #expect(throws: StoreProblems.self) {
      try StoreReader(descriptor: small.fileHandleForReading.fileDescriptor, step: 16).read()
    }
  }

  @Test func anOtherSideAloneIsEnough() throws {
    let relationships =
      #""a": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "b"}, "b": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "a"}"#
    let read = try #require(
      try Reading(
        store("", #"{"objectID": 1, "b": [2]}, {"objectID": 2}"#, relationships: relationships)
      ).store)
    #expect(try read.document.contains(#"{"objectID": 2, "a": [1], "b": []}"#))
  }

  @Test func aStoreWithoutObjectsIsReadAndWritten() throws {
    let read = try #require(
      try Reading(
        #"{"format": "kura/1", "model": {"entities": {"A": {}}}, "nextObjectID": {"A": 7}}"#
      )
      .store)
    let written = try read.document
    #expect(written.contains("\"objects\": {}") && written.contains("{\"A\": 7}"))
    #expect(try Reading(written).store?.document == written)
  }
}
