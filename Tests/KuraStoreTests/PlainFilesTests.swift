import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraStore
import KuraValues
import TestSupport
import Testing

/// The result of reading several files.
private struct Files {
  var store: StoreContents?
  var message = ""

  init(_ texts: [String], isUnion: Bool, isLenient: Bool = false, names: [String]? = nil) throws {
    let folder = try Folder()
    let readers = try texts.enumerated().map { place, text in
      let name = names?[place] ?? "f\(place).json"
      return StoreReader(path: try folder.file(name, Array(text.utf8)), isLenient: isLenient)
    }
    do throws(StoreProblems) {
      store = try PlainFiles(readers).read(isUnion: isUnion)
    } catch {
      message = (error.diagnostics.first?.rendered() ?? "").replacing(folder.path + "/", with: "")
    }
  }

  var entities: [String] { store?.graph.model.entities.map(\.name) ?? [] }
}

@Suite("Several files of plain JSON")
struct PlainFilesTests {
  @Test("give the entities of each, with a number after a name that is taken")
  func apart() throws {
    let files = try Files(
      [
        "[{\"a\": 1}]", "{\"items\": [{\"b\": 2}], \"n\": 1}",
        "{\"items\": [{\"b\": 3}, {\"b\": 4}]}",
      ], isUnion: false)
    #expect(files.entities == ["f0", "items", "f1", "items2"])
    #expect(files.store?.values("a", of: "f0") == [1])
    #expect(files.store?.values("b", of: "items") == [2])
    #expect(files.store?.values("b", of: "items2") == [3, 4])
    #expect(files.store?.graph.tables[3].liveCount == 2)
  }

  @Test("are one entity as a union, in their order, with the file of each row")
  func union() throws {
    let files = try Files(
      [
        "[{\"a\": 1, \"b\": 7}] [{\"a\": 2}]", "", "{\"a\": 2.5}\n{\"a\": 3}\n",
        "{\"a\": 4, \"c\": [{}]}", "[]",
      ], isUnion: true)
    #expect(files.entities == ["input"])
    #expect(files.store?.values("a", of: "input") == [1.0, 2.0, 2.5, 3.0, 4.0])
    #expect(files.store?.values("b", of: "input") == [7, .null, .null, .null, .null])
    let names = files.store?.values("file", of: "input").map { value -> String in
      if case .string(let text) = value { String(text.suffix(7)) } else { "" }
    }
    #expect(names == ["f0.json", "f0.json", "f2.json", "f2.json", "f3.json"])
  }

  @Test("keep their own key file in a union")
  func clash() throws {
    let files = try Files(["[{\"file\": 1}]"], isUnion: true)
    #expect(files.store?.values("file", of: "input") == [1])
    #expect(files.store?.values("file2", of: "input").count == 1)
  }

  @Test("must be plain JSON", arguments: [true, false])
  func refused(isUnion: Bool) throws {
    let store = try Files(
      ["[]", "{\"format\": \"kura/1\", \"model\": {\"entities\": {}}}"], isUnion: isUnion)
    #expect(
      store.message.hasPrefix("error: \"f1.json\" is a store, and several files must be plain JSON")
    )
    let wrong = try Files(["[]", "[1,\n2 3]"], isUnion: isUnion)
    #expect(wrong.message.hasPrefix("f1.json:2:3: error: expected \",\" or \"]\""))
    let damaged = try Files(["[1]", "[2,]"], isUnion: isUnion, isLenient: true)
    #expect(damaged.store?.warnings.count == 1)
  }

  @Test("list the skipped lines of a file without a valid one")
  func nothingValid() throws {
    let union = try Files(
      ["[1]", "hello\nworld\n"], isUnion: true, isLenient: true,
      names: ["a.jsonl", "b.jsonl"])
    #expect(union.store?.graph.objectCount(of: "input") == 1)
    #expect(union.store?.warnings.count == 1)
  }

  @Test("give in a union what one file with all rows gives")
  func generated() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededNumbers(seed: seed)
    for _ in 0..<TestLength.count(10, long: 500) {
      let rows = (0..<1 + random.below(3) * 9000).map { row in
        let value = random.pick(["\(row)", "\(row).5", "\"x\(row % 7)\"", "null", "[\(row)]"])
        return "{\"n\": \(row), \"k\(random.below(3))\": \(value)}"
      }
      let cut = random.below(rows.count + 1)
      let parts = [rows[..<cut], rows[cut...]].map { part in
        random.flip() ? "[\(part.joined(separator: ","))]" : part.joined(separator: "\n")
      }
      let union = try #require(try Files(parts, isUnion: true).store)
      let whole = try #require(try Reading("[\(rows.joined(separator: ","))]").store)
      for key in ["n", "k0", "k1", "k2"] {
        #expect(union.values(key, of: "input") == whole.values(key), "seed \(seed), \(key)")
      }
    }
  }
}
