import Foundation
import KuraStore
import Testing

@testable import KuraShell

@Suite("A session that is ended from outside")
struct RecoveryTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.answers = []
  }

  private var state: String { folder.path + "/state" }

  /// Returns the output for a user who types these lines, and then leaves or gets a signal.
  private func say(
    _ lines: [String], _ last: Conversation.Event = .ended, store: String? = "dates.json",
    answers: [String] = [], _ prepare: (inout Launch) -> Void = { _ in }
  ) throws -> (output: String, status: KuraShell.ExitStatus) {
    folder.answers = answers
    var launch = Launch()
    launch.store = store.map { .file(folder.path + "/" + $0) }
    prepare(&launch)
    var services = folder.services
    services.recoveryFiles = RecoveryFiles(folder: state)
    let session = try Session(launch, services)
    let before = folder.output.count
    var rest = lines.map { Conversation.Event.text($0) }[...]
    let status = session.converse(Conversation { _ in rest.popFirst() ?? last })
    let output = String(folder.output.dropFirst(before)).replacing(folder.path, with: "FOLDER")
    return (output, status)
  }

  private var kept: [String] { folder.names.filter { $0.contains("unsaved") } }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private static let question =
    "A session that ended at 2023-11-15T07:13:20+09:00 left unsaved changes: 1 object. Recover them? [y]es, [n]o and delete them, [l]ater: "

  @Test("keeps its changes, which the next session takes in and saves")
  func takenIn() throws {
    let (output, status) = try say(["insert Category name = \"x\""])
    #expect(
      output.hasSuffix(
        "unsaved changes (1 object) are kept in FOLDER/dates.json.unsaved; the next session offers to recover them\n"
      ))
    #expect(status == .unsavedChanges)
    #expect(folder.text("dates.json") == TestFolder.dates)
    #expect(try mode(folder.path + "/dates.json.unsaved") == 0o600)
    let next = try say(["fetch Category where name == \"x\"", "save"], .end, answers: ["y"])
    #expect(next.output.contains(Self.question + "recovered: 1 object; "))
    #expect(next.output.contains("│ Category/2 │ x    │"))
    #expect(next.output.hasSuffix("saved: FOLDER/dates.json\n"))
    #expect(kept == [])
    #expect(folder.text("dates.json")?.contains("\"x\"") == true)
  }

  @Test("keeps nothing without unsaved changes")
  func nothing() throws {
    #expect(try say(["count Category"]).status == .done)
    #expect(kept == [])
  }

  @Test("is offered until the user answers, and deleted if the user declines")
  func answers() throws {
    _ = try say(["delete Tag/1"])
    #expect(
      try say([], .end, answers: [""]).output.contains(
        "the changes stay in FOLDER/dates.json.unsaved"))
    #expect(kept == ["dates.json.unsaved"])
    #expect(try say(["count Tag"], .end, answers: ["no"]).output.hasSuffix("1\n"))
    #expect(kept == [])
  }

  @Test("is reported to scripts, which take it in or drop it")
  func scripts() throws {
    _ = try say(["insert Category name = \"x\""])
    func run(_ script: String) throws -> String {
      folder.answers = nil
      var launch = Launch()
      launch.store = .file(folder.path + "/dates.json")
      launch.statements = [script]
      var services = folder.services
      services.recoveryFiles = RecoveryFiles(folder: state)
      let before = folder.output.count
      _ = launch.run(services, nil)
      return String(folder.output.dropFirst(before)).replacing(folder.path, with: "FOLDER")
    }
    #expect(
      try run("count Category") == """
        warning: a session that ended at 2023-11-15T07:13:20+09:00 left unsaved changes (1 object) in FOLDER/dates.json.unsaved
          .recover restores the changes, .recover drop deletes them
        1

        """)
    #expect(try run(".recover\nsave\ncount Category").hasSuffix("saved: FOLDER/dates.json\n2\n"))
    #expect(try run(".recover") == "there are no unsaved changes from an earlier session\n")
    _ = try say(["insert Category name = \"y\""])
    #expect(try run(".recover drop\ncount Category").hasSuffix("(1 object)\n2\n"))
    #expect(kept == [])
  }

  @Test("is merged with what another session has saved since")
  func merged() throws {
    _ = try say(["insert Category name = \"mine\"", "update Item/1 set title = \"mine\""])
    let other = try TestSession(folder)
    other("insert Category name = \"theirs\"; update Tag/1 set name = \"theirs\"; save")
    _ = other.leave()
    let next = try say(["fetch Category", "print Item/1.title", "save"], .end, answers: ["y"])
    #expect(next.output.contains("│ Category/2 │ theirs │"))
    #expect(next.output.contains("│ Category/3 │ mine   │"), "\(next.output)")
    #expect(next.status == .done)
    #expect(kept == [])
  }

  @Test("is refused completely if others have saved the same key, until the user decides")
  func conflict() throws {
    _ = try say(["update Item/1 set title = \"mine\""])
    let other = try TestSession(folder)
    other("update Item/1 set title = \"theirs\"; save")
    _ = other.leave()
    let next = try say(
      ["print Item/1.title", ".merge memory", ".recover", "print Item/1.title", "save"], .end,
      answers: ["y"])
    #expect(next.output.contains("nothing was recovered: 1 change conflicts with a later save"))
    #expect(next.output.contains("theirs"))
    #expect(next.output.contains("recovered: 1 object"))
    #expect(next.status == .done)
    #expect(folder.text("dates.json")?.contains("\"mine\"") == true)
    #expect(kept == [])
  }

  @Test("keeps changes of the model, too")
  func model() throws {
    _ = try say(["alter entity Tag add color: string?", "update Tag/1 set color = \"赤\""])
    let next = try say(["print Tag/1.color", "save"], .end, answers: ["y"])
    #expect(next.output.contains("1 object and 1 entity") || next.output.contains("1 entity"))
    #expect(next.output.contains("赤"))
    #expect(next.output.hasSuffix("saved: FOLDER/dates.json\n"))
    #expect(kept == [])
  }

  @Test("opens changes of the model separately if another session has saved since")
  func modelBeside() throws {
    _ = try say(["alter entity Tag add color: string?"])
    let other = try TestSession(folder)
    other("insert Category name = \"theirs\"; save")
    _ = other.leave()
    let next = try say(
      ["count Category", "save \"\(folder.path)/mine.json\""], .end, answers: ["y"])
    #expect(next.output.contains("so Kura opened the changes as a separate store"))
    #expect(next.output.contains("saved: FOLDER/mine.json"))
    #expect(folder.text("dates.json")?.contains("theirs") == true)
    #expect(folder.text("dates.json")?.contains("color") == false)
    #expect(kept == [])
  }

  @Test("keeps changes without a store in the user's folder")
  func inMemory() throws {
    let lines = ["entity Note { text: string }", "insert Note text = \"書く\""]
    let (output, _) = try say(lines, store: nil)
    #expect(output.contains("in FOLDER/state/scratch.unsaved"))
    #expect(try mode(state) == 0o700)
    #expect(try mode(state + "/scratch.unsaved") == 0o600)
    let next = try say(["fetch Note"], .end, store: nil, answers: ["y", "y"])
    #expect(next.output.contains("書く"))
    // The user confirmed leaving without them.
    #expect(!FileManager.default.fileExists(atPath: state + "/scratch.unsaved"))
  }

  @Test("keeps the changes of scratch contexts")
  func scratch() throws {
    _ = try say([
      "insert Category name = \"a\"", "begin", "insert Category name = \"b\"", "begin",
      "delete Category/1",
    ])
    let next = try say(["fetch Category select name"], .end, answers: ["y", "n"])
    #expect(next.output.contains("recovered: 4 objects"))
    #expect(next.output.contains("│ a    │\n│ b    │"), "\(next.output)")
  }

  @Test("never overwrites a file, including its own")
  func several() throws {
    _ = try say(["insert Category name = \"a\""])
    let (output, _) = try say(["insert Category name = \"b\""], answers: ["l"])
    #expect(output.contains("dates.json.unsaved-2"))
    #expect(kept == ["dates.json.unsaved", "dates.json.unsaved-2"])
    let next = try say([".recover", "count Category", "save"], .end, answers: ["l", "l"])
    #expect(next.output.contains("\n3\n"), "\(next.output)")
    #expect(kept == [])
  }

  @Test("keeps the changes that it has taken in, too")
  func again() throws {
    _ = try say(["insert Category name = \"a\""])
    _ = try say(["insert Category name = \"b\""], answers: ["y"])
    #expect(kept == ["dates.json.unsaved-2"])
    #expect(try say(["count Category"], .end, answers: ["y", "n"]).output.contains("\n3\n"))
  }

  @Test("keeps nothing under --safe or in a dry run", arguments: [true, false])
  func doors(_ isSafe: Bool) throws {
    _ = try say(["insert Category name = \"a\""]) {
      isSafe ? ($0.isSafe = true) : ($0.isDryRun = true)
    }
    #expect(kept == [])
  }

  @Test("reports that a damaged file cannot be read, whatever it contains")
  func damaged() throws {
    _ = try say(["insert Category name = \"a\"", "update Item/1 set title = \"z\""])
    let path = folder.path + "/dates.json.unsaved"
    let whole = try Data(contentsOf: URL(filePath: path))
    for length in stride(from: 0, to: whole.count - 1, by: 7) {
      try whole.prefix(length).write(to: URL(filePath: path))
      let (output, status) = try say(["count Category"], .end, answers: ["y", "n"])
      #expect(output.contains("cannot be read"), "\(length)")
      #expect(status == .done)
    }
    for (old, new) in [
      ("\"Item\"", "\"Itm\""), ("\"title\"", "\"titl\""), ("\"z\"", "1.5"), ("[1]", "[-1]"),
    ] {
      let text = String(decoding: whole, as: UTF8.self).replacing(old, with: new)
      try Data(text.utf8).write(to: URL(filePath: path))
      let (output, _) = try say(["count Category"], .end, answers: ["y", "n"])
      let answers = [
        "cannot be read", "do not fit the current model", "cannot be recovered",
        "nothing was recovered", "recovered: ",
      ]
      #expect(answers.contains { output.contains($0) }, "\(old)")
    }
  }

  @Test("that another session has taken in is not offered twice")
  func locked() throws {
    _ = try say(["insert Category name = \"a\""])
    let file = RecoveryFiles(folder: state).find(for: folder.path + "/dates.json")
    #expect(file.count == 1)
    #expect(try !say([], .end).output.contains("Recover them"))
    withExtendedLifetime(file) {}
  }
}
