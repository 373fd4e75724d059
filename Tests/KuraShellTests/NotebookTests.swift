import Foundation
import KuraDiagnostics
import Testing

@testable import KuraShell

@Suite("Notebooks")
struct NotebookTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var services: SystemServices {
    var result = folder.services
    result.replaceFile = { path, bytes throws(Failure) in
      try? Data(bytes).write(to: URL(filePath: path))
    }
    return result
  }

  private func write(_ text: String) throws {
    try text.write(toFile: folder.path + "/notes.md", atomically: true, encoding: .utf8)
  }

  private func check(writes: Bool = false) -> (output: String, status: KuraShell.ExitStatus) {
    let before = folder.output.count
    let status = NotebookCheck([folder.path + "/notes.md"], writes: writes, services).run()
    let output = String(folder.output.dropFirst(before))
    return (output.replacing(folder.path, with: "FOLDER"), status)
  }

  @Test("contain the typed text, and have the same output when they are run again")
  func transcript() throws {
    let talk = try TestSession(folder)
    talk(".transcript FOLDER/notes.md\ncount MemoDate\nfetch MemoDate\n  limit 1")
    talk("cont Item")
    talk(".transcript off\ncount Item")
    let text = try #require(folder.text("notes.md"))
    #expect(text.contains("kura> count MemoDate\n3\nkura> fetch MemoDate\n ...>   limit 1\n┌"))
    #expect(text.contains("kura> cont Item\nerror: there is no statement \"cont\""))
    #expect(!text.contains("transcript") && !text.contains("count Item\n1"))
    #expect(check().output == "FOLDER/notes.md: 1 block, no differences\n")
    #expect(talk(".transcript FOLDER/notes.md").contains("already exists"))
    #expect(talk(".transcript FOLDER/notes.txt").contains("write .transcript"))
  }

  @Test(
    "without a statement are refused",
    arguments: ["", "# Notes\n", "```kura\ncount Item\n```\n", "```sh\nkura> count Item\n```\n"])
  func noStatement(text: String) throws {
    try write(text)
    let (output, status) = check()
    #expect(output.contains("contains no statement to run") && status == .statementFailed)
  }

  @Test("open no store outside their folder and the current one, through any links")
  func outside() throws {
    let outside = try TestFolder()
    let secret = outside.path + "/secret"
    try "root:x:0:0\n".write(toFile: secret, atomically: true, encoding: .utf8)
    for (name, path) in [("link.json", secret), ("link", outside.path)] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: path)
    }
    let last = outside.path.split(separator: "/").last ?? ""
    for store in [secret, "../\(last)/secret", "link.json", "link/secret", "link/dates.json"] {
      try write("```kura store=\(store)\nkura> fetch Item\n```\n")
      let (output, status) = check()
      #expect(
        output.contains(
          "is neither in the folder of the file that names it nor in the current folder"),
        "\(output)")
      #expect(!output.contains("root:") && status != .done)
    }
    try write("```kura store=dates.json\nkura> count Item\n1\n```\n")
    #expect(check().status == .done)
    try write("```kura store=\(folder.path)/dates.json\nkura> count Item\n1\n```\n")
    #expect(check().status == .done)
  }

  @Test("have the comments of a conversation as prose")
  func prose() throws {
    let path = folder.path
    var lines = [
      ".transcript \(path)/notes.md", "-- # Dates", "-- How many?", "count MemoDate", "-- Done.",
      ".transcript off",
    ]
    var launch = Launch()
    launch.store = .file(path + "/dates.json")
    let session = try Session(launch, folder.services)
    _ = session.converse(
      Conversation { _ in lines.isEmpty ? .end : .text(lines.removeFirst()) })
    let text = try #require(folder.text("notes.md"))
    #expect(
      text == "# Dates\nHow many?\n\n```kura store=\(path)/dates.json\nkura> count MemoDate\n3\n"
        + "```\n\nDone.\n")
  }

  @Test("show differences, and can be updated")
  func differences() throws {
    try write(
      """
      # Notes
      ```kura store=dates.json
      kura> count MemoDate
      4
      kura> insert Tag name = "x"
      1 inserted: Tag/2
      ```
      and then, in the same session,
      ```kura
      kura> count Tag
      7
      ```
      ```kura norun
      kura> count Nothing
      ```
      """)
    let (output, status) = check()
    #expect(status == .statementFailed)
    #expect(output.contains("FOLDER/notes.md:4: the block differs\n  - 4\n  + 3\n"))
    #expect(output.contains("  - 7\n  + 2\n") && output.contains("2 blocks, 2 differ"))
    #expect(check(writes: true).status == .done)
    #expect(check().output == "FOLDER/notes.md: 2 blocks, no differences\n")
    #expect(folder.text("notes.md")?.contains("kura> count Nothing\n```") == true)
    #expect(folder.text("dates.json") == TestFolder.dates)
  }

  @Test("report a missing store, a missing end of a block, and a missing file")
  func faults() throws {
    try write("```kura store=none.json\nkura> count A\n```\n")
    #expect(check().output.contains("the store \"none.json\" of this block cannot be opened"))
    try write("```kura\nkura> count A\n")
    #expect(check().output.contains("notes.md:1:1: error: this block is not closed"))
    try FileManager.default.removeItem(atPath: folder.path + "/notes.md")
    #expect(check().status == .statementFailed)
  }
}
