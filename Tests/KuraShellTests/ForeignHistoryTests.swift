import Foundation
import KuraBytes
import KuraStore
import Testing

@testable import KuraShell

@Suite("A history that another program wrote, or that has gaps")
struct ForeignHistoryTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private var history: String { folder.path + "/dates.json.history" }

  /// Writes lines with correct checksums.
  private func write(_ head: String, _ lines: String...) throws {
    let bytes = lines.flatMap { line in
      let bytes = Array(line.utf8)
      return bytes + Array(", \"check\": \"\(UInt64(checksumOf: bytes).hexadecimal)\"}\n".utf8)
    }
    try Data(Array((head + "\n").utf8) + bytes).write(to: URL(filePath: history))
  }

  private static let empty =
    #""change": {"inserted": [], "updated": [], "deleted": [], "nextObjectID": {}}"#

  @Test(
    "with enormous numbers causes no crash",
    arguments: ["9223372036854775807", "-1", "0", "1e400"])
  func heads(keep: String) throws {
    try write("{\"history\": 1, \"keep\": \(keep)}")
    let (output, status) = folder.run(
      """
      .history
      insert Tag name = "b"
      save
      as of 0: count Tag
      history of Tag/2
      .history keep 2 saves
      """)
    #expect(status == 0)
    #expect(
      output.contains(
        ".history keep 1000 saves; 0 kept\n1 inserted: Tag/2\nsaved: FOLDER/dates.json\n1\n"))
    #expect(output.hasSuffix(".history keep 2 saves; 1 kept\n"))
  }

  @Test(
    "with impossible numbers and times has damaged saves",
    arguments: [
      #""save": 9223372036854775807, "time": 5"#, #""save": -1, "time": 5"#,
      #""save": 1, "time": 9223372036854775807"#, #""save": 1, "time": -9223372036854775808"#,
    ])
  func saves(line: String) throws {
    try write(
      #"{"history": 1, "keep": 9}"#,
      "{\(line), \"author\": \"a\", \"program\": \"p\", \"actions\": [], \(Self.empty)")
    let (output, status) = folder.run(
      """
      .history
      insert Tag name = "b"
      save
      history
      .history
      """)
    #expect(status == 0)
    #expect(output.hasPrefix(".history keep 9 saves; 0 kept, 1 line is damaged\n"))
    #expect(
      output.contains(/the store changed after save [01], and the history does not record how/))
    #expect(output.hasSuffix(".history keep 9 saves; 1 kept, 1 line is damaged\n"))
  }

  @Test("sends no control characters to the terminal")
  func controls() throws {
    let escape = #"\u001b[31m\u202e"#
    try write(
      #"{"history": 1, "keep": 9}"#,
      #"{"save": 1, "time": 253402300799000000, "author": "\#(escape)", "program": "\#(escape)", "#
        + #""actions": ["\#(escape)"], "before": "\#(escape)", "after": "\#(escape)", "change": "#
        + #"{"inserted": [], "updated": [{"entity": "Tag", "numbers": [1], "columns": {"name": "#
        + #"{"old": ["\#(escape)"], "new": ["\#(escape)"]}}}], "deleted": [], "nextObjectID": {}}"#)
    let (output, _) = folder.run(
      """
      history
      history of Tag/1
      diff 0 1
      as of 0: fetch Tag
      .mode csv
      """
    ) { $0.continuesAfterErrors = true }
    #expect(output.contains(#"\u{1B}[31m"#))
    #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
  }

  @Test("reports a torn line, also after more saves")
  func torn() throws {
    let first = folder.run(
      """
      .history keep 9 saves
      insert Tag name = "b"; save
      insert Tag name = "c"; save
      """)
    #expect(first.status == 0)
    let whole = try Data(contentsOf: URL(filePath: history))
    let lines = whole.split(separator: UInt8(ascii: "\n"))
    let torn = Data(lines[..<2].joined(separator: [UInt8(ascii: "\n")])) + Data("\n{\"sav".utf8)
    try torn.write(to: URL(filePath: history))
    let (output, status) = folder.run(
      """
      insert Tag name = "d"; save
      insert Tag name = "e"; save
      as of 3: count Tag
      as of 1: count Tag
      changes since 1
      diff 1 4
      history
      """
    ) { $0.continuesAfterErrors = true }
    #expect(status == 1)
    #expect(output.contains("saved: FOLDER/dates.json\n4\n"))
    let refusals = output.split(separator: "\n").count {
      $0.contains("after save 1, there was a save that is not in the history")
    }
    #expect(refusals == 3, "\(output)")
    #expect(output.contains("warning: the store changed after save 1"))
  }

  @Test("reports that a document was edited")
  func edited() throws {
    #expect(folder.run(".history keep 9 saves\ninsert Tag name = \"b\"; save").status == 0)
    let text = try #require(folder.text("dates.json"))
    let more = text.replacing(
      #"{"objectID": 2, "name": "b"}"#,
      with: #"{"objectID": 2, "name": "b"}, {"objectID": 7, "name": "by hand"}"#)
    #expect(more != text, "\(text)")
    try more.write(toFile: folder.path + "/dates.json", atomically: false, encoding: .utf8)
    let (output, status) = folder.run("as of 0: fetch Tag")
    #expect(
      status == 1 && output.contains("after save 1, there was a save that is not in the history")
    )
    let later = folder.run(
      "insert Tag name = \"c\"; save\nas of 2: count Tag\nas of 1: count Tag\nas of 0: count Tag"
    ) { $0.continuesAfterErrors = true }
    #expect(later.output.contains("saved: FOLDER/dates.json\n4\n"))
    #expect(!later.output.contains("by hand"))
  }

  @Test("of gigabytes is refused, as are notebooks and scripts, and reading can be cancelled")
  func holes() throws {
    for name in ["dates.json.history", "n.md", "s.kura"] {
      #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
      let file = try FileHandle(forWritingTo: URL(filePath: folder.path + "/" + name))
      try file.truncate(atOffset: 4 << 30)
    }
    let (output, _) = folder.run(
      "history\ninsert Tag name = \"b\"\nsave"
    ) { $0.continuesAfterErrors = true }
    #expect(output.contains("it is larger than 1024 MB"))
    #expect(output.contains("saved: FOLDER/dates.json"))
    #expect(throws: Failure.self) { _ = try LiveFiles.read(folder.path + "/n.md") }
    // A script has no size limit, and is read a megabyte at a time.
    #expect(try LiveFiles.script(folder.path + "/s.kura").read()?.count == 1 << 20)
  }
}
