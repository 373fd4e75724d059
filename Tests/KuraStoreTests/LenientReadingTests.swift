import Foundation
import KuraBytes
import KuraDiagnostics
import KuraStore
import KuraValues
import TestSupport
import Testing

/// The result of a lenient reading: the values of a key, and the messages.
private struct Lenient {
  var store: StoreContents?
  var messages: [String] = []

  init(_ bytes: [UInt8], name: String = "in.jsonl", step: Int = 1 << 20) throws {
    let folder = try Folder()
    let path = try folder.file(name, bytes)
    do throws(StoreProblems) {
      let store = try StoreReader(path: path, step: step, isLenient: true).read()
      messages = store.warnings.map(\.facts.sentence)
      self.store = store
    } catch {
      messages = error.diagnostics.map { $0.rendered() }
    }
    messages = messages.map { $0.replacing(folder.path + "/", with: "") }
  }

  init(_ text: String, name: String = "in.jsonl", step: Int = 1 << 20) throws {
    try self.init(Array(text.utf8), name: name, step: step)
  }
}

@Suite("Lenient reading")
struct LenientReadingTests {
  @Test("skips lines that are not JSON, and lists the first", arguments: [1, 7, 1 << 20])
  func lines(step: Int) throws {
    let text = """
      {"a": 1}
      INFO starting
      {"a": 2, "b": }
      {"a": 3},
      {'a': NaN}
      // end
      {"a": 4
      {"a": 5}
      {"a": 6, "b": "x
      """
    let read = try Lenient(text, step: step)
    #expect(read.store?.values("a") == [1, 3, .null, 5])
    #expect(
      read.messages == [
        "\"in.jsonl\" is not valid JSON: 3 skipped lines (lines 2, 3, 7); the cut-off end, skipped (line 9); 1 comment (line 6); 1 extra comma (line 4); 1 number that is not finite, read as null (line 5); 1 text in single quotes (line 5)"
      ])
  }

  @Test(
    "keeps the complete rows before a cut end",
    arguments: [
      "[{\"a\": 1}, {\"a\": 2}, {\"a\": 3, \"b", "[\n{\"a\": 1},\n{\"a\": 2},",
      "{\"in\": [{\"a\": 1}, {\"a\": 2}, {\"a",
      "{\"in\": [{\"a\": 1}, {\"a\": 2}", "{\n\"a\": 1\n}\n{\n\"a\": 2\n}\n{\n\"a\":",
      "[{\"a\": 1}, {\"a\": 2}, {\"a\": nul", "[{\"a\": 1}, {\"a\": 2}, {\"a\": -",
      "[{\"a\": 1}, {\"a\": 2}, Tru",
      "[{\"a\": 1}, {\"a\": 2}, {\"a\": 1.5e", "[{\"a\": 1}, {\"a\": 2}, {\"a\": -I",
      "[{\"a\": 1}, {\"a\": 2}, /",
    ])
  func cutOff(_ text: String) throws {
    for step in [1, 1 << 20] {
      let read = try Lenient(text, name: "in.json", step: step)
      #expect(read.store?.values("a") == [1, 2])
      #expect(read.messages.first?.contains("the cut-off end, skipped (line") == true)
    }
  }

  @Test(
    "says nothing about valid JSON",
    arguments: ["[]", "[1]\n[2]", "{\"a\": 1}\n{\"a\": 2}", "{\"a\": [{\"b\": 1}]}"])
  func valid(_ text: String) throws {
    #expect(try Lenient(text).messages == [])
  }

  @Test(
    "gives an error at the place that it cannot repair",
    arguments: [
      ("[1,\n2 3]", "in.jsonl:2:3: error: expected \",\" or \"]\", found \"3\""),
      ("hello\nworld\n", "in.jsonl: error: no line of the input is JSON"),
      ("", "in.jsonl: error: the input is empty; expected a store or JSON"),
      (
        "{\"format\": \"kura/1\", \"model\": {}}",
        "error: \"in.jsonl\" is a store, and --lenient reads only plain JSON"
      ),
      (
        "{\"model\": {}, \"format\": \"kura/1\"}",
        "error: \"in.jsonl\" is a store, and --lenient reads only plain JSON"
      ),
      (
        "[\n// \u{8a95}\n{\"a\": 1 1}]", "in.jsonl:3:9: error: expected \",\" or \"}\", found \"1\""
      ),
    ])
  func errors(_ text: String, _ headline: String) throws {
    let read = try Lenient(text)
    let first = try #require(read.messages.first)
    #expect(first.split(separator: "\n").first.map(String.init) == headline)
  }

  @Test("reads the same rows as a strict reading of the valid lines")
  func generated() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededNumbers(seed: seed)
    for _ in 0..<TestLength.count(40, long: 4000) {
      var (good, all): ([String], [String]) = (["{\"a\": 0}"], ["{\"a\": 0}"])
      for number in 1...(1 + random.below(30)) {
        let line = "{\"a\": \(number), \"t\": \"誕\\n{\(number)\"}"
        if random.oneIn(3) {
          let cut = String(
            decoding: Array(line.utf8).prefix(1 + random.below(line.utf8.count - 1)), as: UTF8.self)
          all.append(random.flip() ? cut : "# \(line)")
        } else {
          good.append(line)
          all.append(line)
        }
      }
      let strict = try #require(try Reading(good.joined(separator: "\n")).store)
      let lenient = try #require(
        try Lenient(all.joined(separator: "\n"), step: 1 + random.below(100)).store, "seed \(seed)")
      #expect(lenient.values("a") == strict.values("a"), "seed \(seed)")
      #expect(lenient.values("t") == strict.values("t"), "seed \(seed)")
    }
  }

  @Test(
    "reads what needs no repair as a strict reading does",
    arguments: [
      "{\"a\": 1}\n{\"a\": 2}\n{\n\"a\": 3\n}\n{\"a\": 4}\n",
      "{\"a\": 1}\n{\"a\": 2}\n\n[\n  {\"a\": 3},\n  {\"a\": 4}\n]\n",
    ])
  func whole(text: String) throws {
    let read = try Lenient(text)
    let strict = try StoreReader(Array(text.utf8), name: "in").read()
    #expect(read.store?.values("a") == strict.values("a"))
    #expect(read.messages == [])
  }

  @Test(
    "skips a first line that is cut, wherever it ends",
    arguments: [
      "{", "{\"a\"", "{\"a\":", "{\"a\": 1,", "{\"a\": {", "{\"a\": [", "{\"a\": [1,",
      "{\"a\": \"x",
    ])
  func cutFirstLine(_ text: String) throws {
    let read = try Lenient(text + "\n{\"a\": 1}\n{\"a\": 2}\n")
    #expect(read.store?.values("a") == [1, 2])
    #expect(read.messages.first?.contains("1 skipped line (line 1)") == true)
  }

  @Test("lists the lines of several places in one line once")
  func linesOfPlaces() throws {
    let read = try Lenient(
      [UInt8]("{\"a\": \"".utf8) + [0xFF, 0x41, 0xFE] + [UInt8]("\"}\n{\"a\": 2}\n".utf8))
    #expect(
      read.messages == [
        "\"in.jsonl\" is not valid JSON: 2 places that are not UTF-8, read as U+FFFD (line 1)"
      ])
  }

  @Test("reads lines after a first line that is longer than a step")
  func longFirstLine() throws {
    let long = "{\"a\": \"\(String(repeating: "x", count: 300_000))\"}"
    let read = try Lenient(long + "\n{\"a\": \"y\n{\"a\": \"z\"}\n", name: "in.json")
    #expect(read.store?.values("a").count == 2)
    #expect(read.messages.count == 1)
  }

  @Test("keeps no number that may be cut off")
  func cutNumber() throws {
    let read = try Lenient("[{\"a\": 1}, {\"a\": 12", name: "in.json")
    #expect(read.store?.values("a") == [1])
    let object = try Lenient("{\"a\": 1,\n\"b\": 12", name: "in.json")
    #expect(object.store?.values("a") == [1])
  }

  @Test("does not read an array without a comma as lines")
  func listWithoutComma() throws {
    let read = try Lenient("[{\"a\": 1}\n{\"a\": 2}\n", name: "in.json")
    #expect(read.store == nil)
  }

  @Test("ends when it is cancelled, also if it skips everything")
  func cancelled() throws {
    let folder = try Folder()
    let path = try folder.file("in.jsonl", Array(String(repeating: "x\n", count: 1 << 20).utf8))
    let cancel = CancelFlag()
    cancel.request()
    #expect(throws: StoreProblems.self) {
      try StoreReader(path: path, isLenient: true, cancel: cancel).read()
    }
  }

  @Test("reads a pipe")
  func pipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("{\"a\": 1}\nx\n{\"a\": 2}".utf8))
    try pipe.fileHandleForWriting.close()
    let store = try StoreReader(
      descriptor: pipe.fileHandleForReading.fileDescriptor, isLenient: true
    ).read()
    #expect(store.values("a", of: "input") == [1, 2])
    #expect(store.warnings.count == 1)
  }
}

@Suite("Errors of almost valid JSON")
struct AlmostJSONTests {
  @Test(
    "name what is not JSON at its place, and offer --lenient if it reads the file",
    arguments: [
      (
        "[1,\n]", "1:3: error: a comma before the end of a list or an object is not JSON",
        "ignores it"
      ),
      ("[\n1 // x\n]", "2:3: error: a comment is not JSON", "ignores it"),
      ("# x\n[1]", "1:1: error: a comment is not JSON", "ignores it"),
      ("[NaN]", "1:2: error: NaN is not JSON", "reads it as null"),
      ("[-Infinity]", "1:2: error: -Infinity is not JSON", "reads it as null"),
      ("[True]", "1:2: error: True is not JSON", "reads it"),
      ("['x']", "1:2: error: a text in single quotes is not JSON", "reads it"),
      ("[{a: 1}]", "1:3: error: a key without quotes is not JSON", "reads it"),
      (
        "[\"\\ud83d\"]", "1:3: error: half of a surrogate pair is not a character",
        "reads U+FFFD instead"
      ),
      (
        "{\"a\": 1}\n{\"a\": \n{\"a\": 3}", "2:7: error: the JSON ends too early",
        "skips such lines"
      ),
      (
        "{\"a\": 1}\n{\"a\": x}\n{\"a\": 3}", "2:7: error: expected a value, found \"x\"",
        "skips such lines"
      ),
      ("{\"a\": 1}\n{\"a\": ", "2:6: error: the JSON ends too early", "skips the end"),
      ("[{\"a\": 1}, {\"a\"", "1:16: error: the JSON ends too early", "skips the end"),
    ])
  func named(_ text: String, _ headline: String, _ offer: String) throws {
    let read = try Reading(text)
    #expect(read.headlines == [headline])
    let help = try #require(read.problems.first?.facts.help)
    #expect(help.contains("kura --lenient"))
    #expect(help.hasSuffix(offer))
  }

  @Test(
    "offer nothing that does not read the file",
    arguments: [
      "[1, ] x", "title,date\n1,2", "{\"format\": \"kura/1\", \"model\": {},}", "{\"a\":",
    ])
  func unoffered(_ text: String) throws {
    let help = try #require(try Reading(text).problems.first).facts.help ?? ""
    #expect(!help.contains("--lenient"))
  }
}
