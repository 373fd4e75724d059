import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import TestSupport
import Testing

@Suite struct BadInputTests {
  @Test func aFileThatIsNotThere() {
    let reading = Reading(path: "/nowhere/x.json")
    #expect(
      reading.first == "error: there is no folder \"/nowhere\" for \"/nowhere/x.json\"")
  }

  @Test func aFolder() throws {
    let folder = try Folder()
    #expect(Reading(path: folder.path).first.hasSuffix("is a folder, not a file"))
  }

  @Test func aPathBelowAFile() throws {
    let folder = try Folder()
    let file = try folder.file("a", [])
    #expect(Reading(path: file + "/b").first.hasSuffix(": not a directory"))
  }

  @Test(arguments: ["", " \n\t\r\n"]) func nothing(_ text: String) throws {
    #expect(
      try Reading(text).first == "error: the input is empty; expected a store or JSON")
  }

  @Test(arguments: [
    ("title,date", "1:1: error: this is not JSON"),
    ("[x]", "1:2: error: expected a value, found \"x\""),
    ("[1,]", "1:3: error: a comma before the end of a list or an object is not JSON"),
    ("[1 2]", "1:4: error: expected \",\" or \"]\", found \"2\""),
    ("[{\"a\" 1}]", "1:7: error: expected \":\", found \"1\""),
    ("[{\"a\": 1,}]", "1:9: error: a comma before the end of a list or an object is not JSON"),
    ("[{\"a\": 1}]\n2", "2:1: error: unexpected text after the end of the JSON"),
    ("[\n{\"a\": 01}]", "2:7: error: this is not a JSON number"),
    ("[\"a\\q\"]", "1:4: error: JSON does not have this escape"),
    ("[\"\\ud83d\"]", "1:3: error: half of a surrogate pair is not a character"),
    ("[\"誕\n\"]", "1:4: error: a line break must be escaped in a string"),
    ("[{\"a\": 1e999}]", "1:8: error: the number does not fit in 64 bits"),
    ("[{\"a\"b\": 1}]", "1:6: error: expected \":\", found \"b\""),
  ]) func wrongJSON(_ text: String, _ headline: String) throws {
    #expect(try Reading(text).headlines == [headline])
  }

  @Test func wrongUTF8() throws {
    #expect(
      try Reading(Array("[\"a".utf8) + [0xFF, 0x22, 0x5D]).first
        == "1:4: error: these bytes are not UTF-8")
  }

  @Test(arguments: [
    [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D],
  ]) func otherEncodings(_ bytes: [UInt8]) throws {
    #expect(try Reading(bytes).first == "error: this is UTF-16, not JSON in UTF-8")
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    for step in [1, 2, 1 << 20] {
      let reading = try Reading([0xEF, 0xBB, 0xBF] + Array("[{\"a\": 1}]".utf8), step: step)
      #expect(reading.store?.values("a") == [1])
    }
  }

  @Test(arguments: [
    store(#""title": {"type": "string"}"#, #"{"title": "誕生"}, {"objectID": 7, "title": "x"}"#),
    #"[{"a": [1, -2.5e3, null, true, "\u8a95\n"], "b": {"c": false}}, 3]"#,
    "{\"a\": [{\"b\": 1}],\n \"c\": \"誕\"}",
  ]) func aDocumentThatIsCutOffAnywhereIsAnError(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try Reading(bytes).problems.isEmpty)
    for length in 1..<bytes.count {
      let reading = try Reading(Array(bytes[..<length]))
      #expect(!reading.problems.isEmpty, "at \(length)")
      let cut = reading.first.hasSuffix("the JSON ends too early")
      #expect(
        cut || reading.first.hasSuffix("these bytes are not UTF-8"), "\(length): \(reading.first)")
    }
  }

  @Test func theEndIsShownBehindTheLastWord() throws {
    #expect(try Reading("[1,\n 22,\n\n").first == "2:5: error: the JSON ends too early")
    #expect(try Reading("[\n{\"a\": nul").first == "2:10: error: the JSON ends too early")
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":["]) func nestingAMillionDeep(_ unit: String) throws {
    let deep = String(repeating: unit, count: 1_000_000)
    #expect(try Reading(deep).first.hasSuffix("brackets are nested more than 512 deep"))
    #expect(
      try Reading("{\"format\": \"kura/1\", \"model\": \(deep)").first
        .hasSuffix("brackets are nested more than 512 deep"))
    #expect(
      try Reading(store("\"a\": {\"type\": \"json\"}", "{\"a\": \(deep)")).first
        .hasSuffix("brackets are nested more than 512 deep"))
  }

  @Test func wordsAndBytesAtRandomNeverCrash() throws {
    let seed: UInt64 = 20_260_711
    var random = SeededNumbers(seed: seed)
    let sample = Array(
      store(
        #""t\"i": {"type": "string"}, "n": {"type": "integer"}"#,
        #"{"t\"i": "a\u0062", "n": 3}, {"n": 4, "t\"i": "誕"}"#
      ).utf8)
    for _ in 0..<300 {
      var bytes = sample
      for _ in 0..<1 + random.below(3) {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      let whole = try Reading(bytes)
      let pieces = try Reading(bytes, step: 1 + random.below(9))
      #expect(whole.headlines == pieces.headlines, "seed \(seed)")
    }
  }
}
