import Foundation
import KuraRendering
import KuraSentences
import KuraValues
import Testing

@testable import KuraShell

/// A script with its output and exit status, in a file of the folder Transcripts.
///
///     --keep-going
///     === script
///     count MemoDate
///     === says
///     3
///     === status 0
struct ShellTranscript: CustomStringConvertible, Sendable {
  let file: URL
  let options: [String]
  let script: String
  /// The recorded output; nil before the recording.
  let says: String?
  let status: Int32?

  var description: String { file.lastPathComponent }

  init(_ file: URL) throws {
    self.file = file
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "=== script\n")
    options = parts[0].split(separator: "\n").map(String.init)
    let rest = (parts.count > 1 ? parts[1] : "").components(separatedBy: "=== says\n")
    script = rest[0]
    let end = rest.count > 1 ? rest[1].components(separatedBy: "=== status ") : []
    says = end.first
    status = end.count > 1 ? Int32(end[1].trimmingCharacters(in: .whitespacesAndNewlines)) : nil
  }

  static var all: [ShellTranscript] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Transcripts")
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      )
      .filter { $0.pathExtension == "txt" }
      .sorted { $0.path < $1.path }.map { try ShellTranscript($0) }
    }
  }

  func record(_ output: String, _ status: Int32) throws {
    let head = options.map { $0 + "\n" }.joined()
    try "\(head)=== script\n\(script)=== says\n\(output)=== status \(status)\n"
      .write(to: file, atomically: true, encoding: .utf8)
  }

  func prepare(_ launch: inout Launch, _ folder: TestFolder) {
    for option in options {
      switch option {
      case "--keep-going": launch.continuesAfterErrors = true
      case "--autosave": launch.savesAtEnd = true
      case "--read-only": launch.isReadOnly = true
      case "--plain": launch.store = .file(folder.path + "/plain.json")
      case "--memory": launch.store = nil
      case "--lenient": launch.isLenient = true
      case "--files", "--union":
        let paths = ["plain.json", "more/plain.json"].map {
          StoreSource.file("\(folder.path)/\($0)")
        }
        folder.makeAnotherPlain()
        launch.store = .files(paths, isUnion: option == "--union")
      case "--diagnostics text": launch.messages = .text
      case "--language ja": launch.language = .japanese
      case "--timezone UTC": launch.zone = .utc
      case "--create":
        launch.store = .file(folder.path + "/new.json")
        launch.creates = true
      case "--arg": launch.arguments["who"] = "O'Brien\"誕"
      default:
        if let format = OutputFormat.named(String(option.dropFirst(2))) {
          launch.format = format
        } else {
          Issue.record("\(self): there is no option \(option)")
        }
      }
    }
  }
}

@Suite("Transcripts of scripts")
struct ShellTranscriptTests {
  @Test("have the recorded output and exit status", arguments: try ShellTranscript.all)
  func says(_ transcript: ShellTranscript) throws {
    let folder = try TestFolder()
    let (output, status) = folder.run(transcript.script) { transcript.prepare(&$0, folder) }
    guard let expected = transcript.says else {
      try transcript.record(output, status)
      Issue.record("\(transcript) has been recorded; read it, and run the tests again")
      return
    }
    #expect(output == expected)
    #expect(status == transcript.status)
    if status != 0, !transcript.script.contains("save") {
      #expect(folder.text("dates.json") == TestFolder.dates, "a failed script changed the store")
    }
  }

  @Test("exist")
  func some() throws { #expect(try ShellTranscript.all.count >= 60) }
}
