import Foundation
import KuraDiagnostics
import Testing

@testable import KuraStore

/// What stands under the names of a store's files, and is none of them.
@Suite struct StrangeFileTests {
  private let text = store(#""title": {"type": "string"}"#, #"{"objectID": 1, "title": "one"}"#)

  private func sentence(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "done"
    } catch let problems as StoreProblems {
      return problems.diagnostics.first?.facts.sentence ?? ""
    } catch {
      return "\(error)"
    }
  }

  /// Puts something in the place of a file, and a file beside the store that it may lead to.
  private func put(_ kind: String, _ path: String) throws {
    let victim = path + "-victim"
    if !FileManager.default.fileExists(atPath: victim) {
      try Data("precious".utf8).write(to: URL(filePath: victim))
    }
    switch kind {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "link": #expect(symlink(victim, path) == 0)
    default: #expect(link(victim, path) == 0)
    }
  }

  private func isWhole(_ path: String) -> Bool {
    (try? String(contentsOfFile: path + "-victim", encoding: .utf8)) == "precious"
  }

  static let words = [
    "pipe": "is a pipe", "link": "is a symbolic link", "name": "has 2 names (hard links)",
  ]

  @Test("A lock that is none is refused at once", arguments: words.keys.sorted())
  func lock(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".lock")
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    let said = sentence { try session.save() }
    #expect(said == "\"\(path).lock\" \(Self.words[kind] ?? ""), and is left alone")
    #expect(isWhole(path + ".lock"))
    #expect(try KeptSession(path).titles == ["one"])
  }

  @Test(
    "A new document that is none is refused, and the saves are kept", arguments: words.keys.sorted()
  )
  func temporary(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".new")
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    try session.save()
    let said = sentence { _ = try session.keeper.fold(session.contents) }
    #expect(said == "\"\(path).new\" \(Self.words[kind] ?? ""), and is left alone")
    #expect(isWhole(path + ".new") && folder.names.contains("s.json.new"))
    #expect(try KeptSession(path).titles == ["one", "two"])
  }

  @Test("A journal that is none is refused", arguments: ["pipe", "link"])
  func journal(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".journal")
    let said = sentence { _ = try StoreKeeper.open(path: path) }
    #expect(said == "\"\(path).journal\" \(Self.words[kind] ?? ""), and is left alone")
    try FileManager.default.removeItem(atPath: path + ".journal")
    var session = try KeptSession(path)
    try put(kind, path + ".journal")
    session.insert(2, title: "two")
    #expect(sentence { try session.save() }.hasPrefix("\"\(path).journal\" "))
    #expect(isWhole(path + ".journal"))
  }

  @Test func aJournalOfSeveralNamesIsReadAndNotWritten() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    try session.save()
    try FileManager.default.linkItem(atPath: path + ".journal", toPath: folder.path + "/other")
    let before = try Data(contentsOf: URL(filePath: path + ".journal"))
    var other = try KeptSession(path)
    #expect(other.titles == ["one", "two"] && other.keeper.readOnly == .journalLinks(2))
    other.insert(3, title: "three")
    #expect(throws: StoreProblems.self) { try other.save() }
    session.insert(3, title: "three")
    #expect(sentence { try session.save() }.contains("has 2 names (hard links)"))
    #expect(try Data(contentsOf: URL(filePath: folder.path + "/other")) == before)
  }

  @Test func aDocumentThatBecomesAPipeIsNotWaitedFor() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try KeptSession(path)
    try FileManager.default.removeItem(atPath: path)
    try put("pipe", path)
    session.insert(2, title: "two")
    #expect(sentence { try session.save() } == "\"\(path)\" is a pipe, and is left alone")
    #expect(sentence { _ = try session.keeper.refresh { _ in } }.hasSuffix("and is left alone"))
    let making = sentence {
      _ = try StoreKeeper.make(session.contents, path: path, replaces: true)
    }
    #expect(making.hasPrefix("cannot write"))
  }

  @Test func leftOverFilesGoWithAFold() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    _ = try folder.file("s.json.new", [1])
    _ = try folder.file("s.json.journal.new", [1])
    var session = try KeptSession(path)
    session.insert(2, title: "two")
    try session.save()
    #expect(session.keeper.close(session.contents).isEmpty)
    #expect(folder.names == ["s.json"])
  }

  @Test func aLockIsReadNoFurtherThanKuraWrites() throws {
    let long = Array((#"{"process": 1, "user": ""# + String(repeating: "x", count: 9000)).utf8)
    let disk = ModelDisk(["s.lock": long])
    let place = StorePlace(path: "s", folder: 1, document: "s")
    let file = try place.open("s.lock", as: .lock, .writing, disk.files)
    #expect(LockHolder(of: file.descriptor, disk.files) == nil)
  }
}
