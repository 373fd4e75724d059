import Foundation
import KuraGraph
import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraStore

@Suite(.enabled(if: CachedFile.isPossible)) struct StoreCacheTests {
  private static let text = store(
    #""title": {"type": "string"}, "due": {"type": "date", "optional": true}"#,
    #"{"objectID": 1, "title": "one", "due": "2026-01-02"}, {"objectID": 7, "title": "誕生日"}"#)

  private func file() throws -> CachedFile { try CachedFile(Array(Self.text.utf8)) }

  @Test func whatWasReadSlowlyIsReadFromTheCacheNextTime() throws {
    let file = try file()
    let first = try file.open()
    #expect(!first.isCached)
    let kept = try #require(first.cache.keep())
    #expect(kept.isFirst)
    #expect(kept.size == Int64(try file.cacheBytes().count))
    let second = try file.open()
    #expect(second.isCached && second.cache.keep() == nil)
    #expect(second.store.written == first.store.written)
    #expect(second.keeper != nil)
  }

  @Test func nothingIsWrittenOfWhatIsReadAtOnce() throws {
    var file = try file()
    file.settings.leastTime = .seconds(60)
    #expect(try file.keep() == nil)
    #expect(file.folder.names == ["s.json"])
  }

  @Test func onlyThePersonMayReadIt() throws {
    let file = try file()
    try file.keep()
    var status = stat()
    #expect(stat(try #require(file.cachePath), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(file.settings.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func plainJSONIsCachedByItsName() throws {
    var text = #"{"a": [{"x": 1, "first name": "ü"}, {"x": null, "y": [1, {"z": 2}]}], "b": 3, "#
    text += #""c": [{"d": 1.5, "e": true, "f": 12345678901234567890123}]}"#
    let file = try CachedFile(Array(text.utf8), named: "my data.json")
    try file.keep()
    let opened = try file.open()
    #expect(opened.isCached && !opened.store.isStore)
    #expect(opened.store.graph.model.entities.map(\.name) == ["a", "c", "my data"])
    try file.check("plain")
    // With another file name, its one entity has another name.
    let link = file.folder.path + "/other.json"
    #expect(symlink(file.path, link) == 0)
    var options = KeepingOptions()
    options.cache = file.settings
    #expect(try StoreKeeper.open(path: link, options).cache?.isUsed == false)
  }

  @Test func thousandsOfKeysThatFewRowsHaveAreNotCached() throws {
    let members = (0..<2000).map { "\"k\($0)\": \($0)" }
    let file = try CachedFile(Array("[{\(members.joined(separator: ", "))}]".utf8))
    #expect(try file.keep() == nil)
  }

  @Test func aDocumentThatWasJustWrittenIsNotCached() throws {
    var file = try file()
    file.settings.rest = 3_600_000_000_000
    #expect(try file.keep() == nil)
  }

  @Test func chunksOfAllFormsComeBack() throws {
    var numbers = SeededNumbers(seed: 3)
    let rows = (1...17_000).map { row in
      let rare = row % 4_000 == 0 ? #", "rare": "r\#(row)", "seldom": \#(row)"# : ""
      let tags = row % 3 == 0 ? #", "tags": [1, 2]"# : ""
      return
        #"{"objectID": \#(row * 2), "title": "\#(numbers.below(1000))", "unique": "é \#(row)","#
        + #" "priority": \#(numbers.below(300)), "cost": \#(row).5, "done": \#(numbers.flip())"#
        + #", "owner": \#(row % 2 + 1)\#(rare)\#(tags)}"#
    }
    let file = try CachedFile(Array(Self.large(rows).utf8))
    try file.keep()
    let opened = try file.open()
    #expect(opened.isCached)
    #expect(opened.store.written == (try file.document).written)
  }

  private static func large(_ rows: [String]) -> String {
    #"{"format": "kura/1", "timezone": "Asia/Tokyo", "model": {"entities": {"Tag": {"attributes": {}},"#
      + #" "Item": {"attributes": {"title": {"type": "string"}, "unique": {"type": "string"},"#
      + #" "priority": {"type": "integer"}, "cost": {"type": "double"}, "done": {"type": "boolean"},"#
      + #" "rare": {"type": "string", "optional": true}, "seldom": {"type": "integer", "optional": true}},"#
      + #" "relationships": {"owner": {"destination": "Tag"}, "tags": {"destination": "Tag","#
      + #" "toMany": true}}}}}, "objects": {"Tag": [{"objectID": 1}, {"objectID": 2}],"#
      + #" "Item": [\#(rows.joined(separator: ",\n"))]}}"#
  }

  @Test func aSaveOnTopOfACacheIsASaveOnTopOfTheDocument() throws {
    let file = try file()
    try file.keep()
    var options = KeepingOptions()
    options.cache = file.settings
    options.documentLimit = 0
    var session = try StoreSession(file.path, options)
    session.insert(8, title: "two")
    try session.save()
    #expect(try StoreSession(file.path).titles == ["one", "誕生日", "two"])
    let again = try file.open()
    #expect(again.isCached)
    try file.check("behind a save")
  }

  @Test func theLeastRecentlyUsedGoesFirst() throws {
    let file = try file()
    var settings = file.settings
    for name in ["a", "b", "c"] {
      _ = try file.folder.file("\(name).json", Array(Self.text.utf8))
      CachedFile.settle()
      var options = KeepingOptions()
      options.cache = settings
      let opened = try StoreKeeper.open(path: "\(file.folder.path)/\(name).json", options)
      let size = try #require(opened.cache?.keep()).size
      settings.limit = size * 2 + size / 2
    }
    let paths = CacheListing(settings).entries.compactMap(\.path)
    #expect(paths.map { $0.suffix(6) } == ["c.json", "b.json"])
    CacheListing(settings).clear()
    #expect(CacheListing(settings).entries.isEmpty && file.cacheNames.isEmpty)
  }

  @Test func noRoomIsTakenFromOthers() throws {
    var file = try file()
    file.settings.reserve = .max / 2
    #expect(try file.keep() == nil)
    #expect(file.cacheNames.isEmpty)
  }

  @Test func whoMayNotWriteReadsWhatIsThere() throws {
    let file = try file()
    var settings = file.settings
    settings.writes = false
    #expect(try file.keep(with: settings) == nil)
    #expect(file.folder.names == ["s.json"])
    try file.keep()
    #expect(try file.open(with: settings).isCached)
  }

  @Test func beforeAChangeAllIsRead() throws {
    let file = try file()
    try file.keep()
    let opened = try file.open()
    opened.cache.beginChanges()
    try file.setCache([])
    try file.setDocument([])
    #expect(opened.store.written.count > 100)
  }
}
