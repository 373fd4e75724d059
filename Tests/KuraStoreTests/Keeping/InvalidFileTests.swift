import Foundation
import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraStore

/// Other files and folders with the names of a store's files.
@Suite struct InvalidFileTests {
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

  /// Replaces a file with something else, and creates a file that it may lead to.
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
    "pipe": "is a pipe", "link": "is a symbolic link", "name": "has 2 hard links",
  ]

  @Test("A lock of another program is refused at once", arguments: words.keys.sorted())
  func lock(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".lock")
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    let said = sentence { try session.save() }
    #expect(said == "\"\(path).lock\" \(Self.words[kind] ?? ""), so Kura does not use it")
    #expect(isWhole(path + ".lock"))
    #expect(try StoreSession(path).titles == ["one"])
  }

  @Test(
    "A new document of another program is refused; saves are kept", arguments: words.keys.sorted()
  )
  func temporary(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".new")
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    let said = sentence { _ = try session.keeper.fold(session.contents) }
    #expect(said == "\"\(path).new\" \(Self.words[kind] ?? ""), so Kura does not use it")
    #expect(isWhole(path + ".new") && folder.names.contains("s.json.new"))
    #expect(try StoreSession(path).titles == ["one", "two"])
  }

  @Test("A journal of another program is refused", arguments: ["pipe", "link"])
  func journal(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".journal")
    let said = sentence { _ = try StoreKeeper.open(path: path) }
    #expect(said == "\"\(path).journal\" \(Self.words[kind] ?? ""), so Kura does not use it")
    try FileManager.default.removeItem(atPath: path + ".journal")
    var session = try StoreSession(path)
    try put(kind, path + ".journal")
    session.insert(2, title: "two")
    #expect(sentence { try session.save() }.hasPrefix("\"\(path).journal\" "))
    #expect(isWhole(path + ".journal"))
  }

  @Test func aJournalOfSeveralNamesIsReadAndNotWritten() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    try FileManager.default.linkItem(atPath: path + ".journal", toPath: folder.path + "/other")
    let before = try Data(contentsOf: URL(filePath: path + ".journal"))
    var other = try StoreSession(path)
    #expect(other.titles == ["one", "two"] && other.keeper.readOnly == .journalLinks(2))
    other.insert(3, title: "three")
    #expect(throws: StoreProblems.self) { try other.save() }
    session.insert(3, title: "three")
    #expect(sentence { try session.save() }.contains("has 2 hard links"))
    #expect(try Data(contentsOf: URL(filePath: folder.path + "/other")) == before)
  }

  @Test func aDocumentThatBecomesAPipeIsNotWaitedFor() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    var session = try StoreSession(path)
    try FileManager.default.removeItem(atPath: path)
    try put("pipe", path)
    session.insert(2, title: "two")
    #expect(sentence { try session.save() } == "\"\(path)\" is a pipe, so Kura does not use it")
    #expect(
      sentence { _ = try session.keeper.refresh { _ in } }.hasSuffix("so Kura does not use it"))
    let making = sentence {
      _ = try StoreKeeper.make(session.contents, path: path, replaces: true)
    }
    #expect(making.hasPrefix("cannot write"))
  }

  @Test func leftOverFilesGoWithAFold() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    _ = try folder.file("s.json.new", Array("{\n  \"format\": \"kura/1\",\n  \"mo".utf8))
    _ = try folder.file("s.json.journal.new", Array(#"{"journal": 1, "docu"#.utf8))
    var session = try StoreSession(path)
    session.insert(2, title: "two")
    try session.save()
    #expect(session.keeper.close(session.contents).isEmpty)
    #expect(folder.names == ["s.json"])
  }

  /// Contents that another program, or Kura for another store, may have written under a name.
  static let foreign = [
    "store": store(#""other": {"type": "string"}"#, #"{"objectID": 1, "other": "precious"}"#),
    "text": "precious\n", "letter": "x",
  ]

  /// Puts a file of a kind next to a store, uses the store, and checks that the file is unchanged.
  private func keeps(
    _ suffix: String, _ kind: String, _ body: (inout StoreSession) throws -> Void
  ) throws -> String {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    let bytes = Array((Self.foreign[kind] ?? "").utf8)
    let other = try folder.file("s.json" + suffix, bytes)
    let said = sentence {
      var session = try StoreSession(path)
      session.insert(2, title: "two")
      try body(&session)
    }
    #expect(try Array(Data(contentsOf: URL(filePath: other))) == bytes, "\(suffix) \(kind)")
    return said.replacing(folder.path + "/", with: "")
  }

  private func refusal(_ suffix: String) -> String {
    "\"s.json\(suffix)\" was not written by Kura, so Kura does not use it"
  }

  @Test("A file with the name of a lock or a new document stays", arguments: foreign.keys.sorted())
  func foreignNames(kind: String) throws {
    #expect(try keeps(".lock", kind) { try $0.save() } == refusal(".lock"))
    let folded = try keeps(".new", kind) {
      try $0.save()
      _ = try $0.keeper.fold($0.contents)
    }
    #expect(folded == refusal(".new"))
    let replaced = try keeps(".new", kind) {
      _ = try StoreKeeper.make($0.contents, path: $0.keeper.path, replaces: true)
    }
    #expect(replaced == refusal(".new"))
  }

  @Test("A file with the name of a new journal stays", arguments: foreign.keys.sorted())
  func foreignNewJournal(kind: String) throws {
    let said = try keeps(".journal.new", kind) {
      try $0.save()
      #expect($0.keeper.close($0.contents).isEmpty)
    }
    #expect(said == "done")
  }

  @Test("A file with the name of a journal stays", arguments: foreign.keys.sorted())
  func foreignJournal(kind: String) throws {
    #expect(try keeps(".journal", kind) { try $0.save() }.hasPrefix("the first line of"))
    let replaced = try keeps(".journal", kind) {
      _ = try StoreKeeper.make($0.contents, path: $0.keeper.path, replaces: true)
    }
    #expect(replaced == refusal(".journal"))
  }

  @Test("A file with the name of a history stays", arguments: foreign.keys.sorted())
  func foreignHistory(kind: String) throws {
    let entry = SaveEntry(
      time: Timestamp(microseconds: 5), author: "", program: "", actions: [])
    for suffix in [".history", ".history.new"] {
      _ = try keeps(suffix, kind) { session in
        let history = session.keeper.history
        let uses: [() throws -> Void] = [
          { try history.keep(10) }, { _ = try history.add(entry) }, { _ = try history.read() },
          { try history.forget() },
        ]
        for use in uses {
          do { try use() } catch let error as SidecarProblem {
            #expect(error.reason.hasSuffix(refusal(suffix).dropFirst(8)))
          }
        }
      }
    }
  }

  @Test(
    "A history that is not a plain file, or has several names, is not written",
    arguments: words.keys.sorted())
  func strangeHistory(kind: String) throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    try put(kind, path + ".history")
    let history = try StoreSession(path).keeper.history
    let error = #expect(throws: SidecarProblem.self) { try history.keep(10) }
    #expect(error?.reason.contains(Self.words[kind] ?? "") == true)
    #expect(isWhole(path + ".history"))
  }

  @Test("No store is created with the name of another store's sidecar file")
  func ownNames() throws {
    let folder = try Folder()
    let path = try folder.file("s.json", Array(text.utf8))
    let contents = try StoreSession(path).contents
    for suffix in [".new", ".lock", ".journal", ".journal.new", ".history", ".unsaved-2"] {
      let said = sentence {
        _ = try StoreKeeper.make(contents, path: path + suffix, replaces: true)
      }
      #expect(said == "\"\(path)\(suffix)\" is reserved for Kura's own files next to \"\(path)\"")
    }
    #expect(folder.names == ["s.json"])
    #expect(try StoreKeeper.make(contents, path: folder.path + "/t.new", replaces: false) != nil)
  }

  @Test func aLockIsReadNoFurtherThanKuraWrites() throws {
    let long = Array((#"{"process": 1, "user": ""# + String(repeating: "x", count: 9000)).utf8)
    let disk = ModelDisk(["s.lock": long])
    let file = try disk.place.open(.lock, .writing)
    #expect(LockHolder(of: file) == nil)
  }
}
