import Foundation
import Testing

@testable import KuraShell

@Suite("A store that is removed while it is open")
struct VanishedStoreTests {
  private let folder: TestFolder
  private let talk: TestSession

  init() throws {
    folder = try TestFolder()
    talk = try TestSession(folder)
  }

  private func takeAway() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/dates.json")
  }

  private let gone = """
    error: "FOLDER/dates.json" was removed; its content is still in memory
      restore the document, or write it again: save "FOLDER/dates.json" replacing

    """

  @Test("is reported by save, with and without changes, and by .refresh; queries are answered")
  func isMissed() throws {
    talk("update Tag/1 set name = \"later\"")
    try takeAway()
    #expect(talk("save") == gone)
    #expect(talk(".refresh") == gone)
    #expect(talk("count Tag where name == \"later\"") == "1\n")
    talk("undo")
    #expect(talk("save") == gone)
    #expect(!folder.names.contains("dates.json"))
  }

  @Test("is rewritten on request, with saved and unsaved changes")
  func isWrittenAnew() throws {
    talk("update Tag/1 set name = \"later\"; save; update Item/1 set title = \"洗濯\"")
    try takeAway()
    talk("save \"FOLDER/dates.json\" replacing")
    #expect(folder.names.filter { $0.hasPrefix("dates") } == ["dates.json"])
    let other = try TestSession(folder)
    #expect(other("count Item where title == \"洗濯\" AND ANY tags.name == \"later\"") == "1\n")
    #expect(talk("update Tag/1 set name = \"never\"; save") != gone)
    #expect(other(".refresh\ncount Tag where name == \"never\"").hasSuffix("1\n"))
  }

  @Test("is reported at the end too, if its saves are in the journal")
  func isMissedAtTheEnd() throws {
    talk("update Tag/1 set name = \"later\"; save")
    try takeAway()
    #expect(
      talk.leave().output.contains(
        "\"FOLDER/dates.json\" was removed, but \"FOLDER/dates.json.journal\" contains saves"))
  }
}

@Suite("Derived values that were edited by hand")
struct HandWrittenDerivedTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Writes a shelf whose `count` and `next` are the given values, right or wrong.
  private func write(_ values: String, to name: String = "dates.json") throws {
    try """
    {"format": "kura/1", "model": {"entities": {
       "Shelf": {"attributes": {"name": {"type": "string"},
           "count": {"type": "integer", "optional": true, "derived": "books.@count"},
           "next": {"type": "integer", "optional": true, "derived": "count + 1"},
           "saved": {"type": "date", "optional": true, "derived": "now()"}},
         "relationships": {"books": {"destination": "Book", "toMany": true, "inverse": "shelf"}}},
       "Book": {"relationships": {"shelf": {"destination": "Shelf", "inverse": "books"}}}}},
     "objects": {"Shelf": [{"objectID": 1, "name": "a"\(values)}, {"objectID": 2, "name": "b", "count": 0, "next": 1}],
       "Book": [{"objectID": 1, "shelf": 1}, {"objectID": 2, "shelf": 1}]}}
    """.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
  }

  private func counts(_ talk: TestSession) -> String {
    talk(".mode csv\nfetch Shelf select count, next, saved sort name")
  }

  @Test(
    "are computed again when the store is opened, with a message",
    arguments: [", \"count\": 5, \"next\": 6", ", \"count\": 2, \"next\": 6", ""])
  func areMended(values: String) throws {
    try write(values)
    let talk = try TestSession(folder)
    #expect(folder.output.contains("were wrong and have been recomputed: Shelf/1."))
    #expect(counts(talk) == "count,next,saved\n2,3,\n0,1,\n")
    #expect(talk("save") == "nothing to save\n")
  }

  @Test("are accepted without a message if they are right")
  func areRight() throws {
    try write(", \"count\": 2, \"next\": 3, \"saved\": \"2020-01-01\"")
    let talk = try TestSession(folder)
    #expect(folder.output.isEmpty)
    #expect(counts(talk).contains("2,3,2020-01-01"))
  }

  @Test("stay right after a save, in the journal and in the rewritten document")
  func outlast() throws {
    try write(", \"count\": 5")
    let talk = try TestSession(folder)
    talk("insert Book shelf = Shelf/2; save")
    #expect(try counts(TestSession(folder)).contains("2,3,"))
    _ = talk.leave()
    let before = folder.output.count
    #expect(try counts(TestSession(folder)).contains("2,3,"))
    #expect(!folder.output.dropFirst(before).contains("recomputed"))
  }
}
