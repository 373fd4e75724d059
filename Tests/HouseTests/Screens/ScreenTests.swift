import Foundation
import KuraLessons
import TestSupport
import Testing

/// Every `screen` block of every document: the screen after some keys.
///
///     ```screen columns=40 rows=10 keys=fetch␠Mem⇥
///
/// With `KURA_RECORD=1` in the environment the blocks are rewritten; check the result.
@Suite("The screens in the documents", .serialized)
struct ScreenTests {
  private static let keys: [Character: String] = [
    "␠": " ", "⏎": "\r", "⇥": "\t", "⎋": "\u{1B}", "↑": "\u{1B}[A", "↓": "\u{1B}[B",
    "→": "\u{1B}[C", "←": "\u{1B}[D", "⇤": "\u{1B}[Z", "¹": "\u{1B}OP",
  ]

  /// The editor sends it after each of its frames, one for each key.
  private static let endOfPicture = "\u{1B}[?2026l"

  private static var files: [PackageFolder.File] {
    DocumentTests.files.filter { file in
      (try? file.text()).map { MarkdownDocument($0).blocks.contains { $0.language == "screen" } }
        ?? false
    }
  }

  @Test func areThere() { #expect(!Self.files.isEmpty) }

  @Test("show what the program shows", arguments: files)
  func shows(file: PackageFolder.File) throws {
    let text = try file.text()
    let isRecording = ProcessInfo.processInfo.environment["KURA_RECORD"] != nil
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for block in MarkdownDocument(text).blocks.reversed() where block.language == "screen" {
      let shown = try screen(block)
      if isRecording {
        let start = block.firstLine - 1
        lines.replaceSubrange(start..<start + block.lines.count, with: shown)
      } else {
        #expect(shown == block.lines, "\(file):\(block.firstLine)")
      }
    }
    if isRecording {
      try lines.joined(separator: "\n").write(to: file.url, atomically: true, encoding: .utf8)
    }
  }

  /// Types the keys of a block, one after the other, into a session of its own.
  private func screen(_ block: MarkdownDocument.Block) throws -> [String] {
    let home = try TemporaryFolder()
    try Data().write(to: home.url.appending(path: ".kura_history"))
    let store = block.attributes["store"] ?? Transcript.usualStore
    let copy = home.url.appending(path: URL(filePath: store).lastPathComponent)
    try FileManager.default.copyItem(at: PackageFolder.url.appending(path: store), to: copy)
    let columns = block.attributes["columns"].flatMap { Int($0) } ?? 80
    let rows = block.attributes["rows"].flatMap { Int($0) } ?? 24
    let program = try ProgramOnTerminal(
      TranscriptRunner.findBinary().path, [copy.path, "--timezone", "Asia/Tokyo"], home: home.path)
    program.resize(columns: Int32(columns), rows: Int32(rows))
    try program.seesPrompt()
    let prompt = copy.deletingPathExtension().lastPathComponent + "> "
    var model = ScreenModel(columns: columns, rows: rows)
    model.show(prompt + (try program.shown(upTo: Self.endOfPicture)))
    for key in block.attributes["keys"] ?? "" {
      program.type(Self.keys[key] ?? String(key))
      model.show(try program.shown(upTo: Self.endOfPicture))
    }
    model.show(program.takeAll())
    return model.lines
  }
}
