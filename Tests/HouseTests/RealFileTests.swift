import Foundation
import Testing

/// A question about a file, the program of jq that computes the same, and jq's answer: a block of `questions.txt`.
///
///     twitter.json
///     fetch statuses where user.followers_count > 1000 select id_str
///     .statuses[] | select(.user.followers_count > 1000) | {id_str}
///     {"id_str":"505874861616427008"}
struct FileQuestion: CustomTestStringConvertible, Sendable {
  let files: [String]
  let statement: String
  /// The program of jq; it reads the file's lines that are valid JSON.
  let program: String
  let answer: [String]

  var testDescription: String { "\(files.joined(separator: " ")): \(statement)" }

  static let folder = PackageFolder.url.appending(path: "Tests/HouseTests/RealFiles")

  static var all: [FileQuestion] {
    get throws {
      let text = try String(contentsOf: folder.appending(path: "questions.txt"), encoding: .utf8)
      return try text.split(separator: "\n\n").map { block in
        let lines = block.split(separator: "\n").map(String.init)
        try #require(lines.count > 3, "a question without an answer: \(block)")
        return FileQuestion(
          files: lines[0].split(separator: " ").map(String.init), statement: lines[1],
          program: lines[2], answer: Array(lines.dropFirst(3)))
      }
    }
  }
}

@Suite("Files of the kinds that people have")
struct RealFileTests {
  @Test("give jq's answers to three questions each", arguments: try FileQuestion.all)
  func answers(_ question: FileQuestion) throws {
    let arguments = ["--timezone", "UTC", "--format", "jsonl"] + question.files
    let output = try output(arguments + [question.statement])
    let rows = try output.map { try Row($0) }
    #expect(try rows == question.answer.map { try Row($0) }, "\(question.program)")
  }

  @Test("are of fifteen kinds")
  func kinds() throws {
    let questions = try FileQuestion.all
    let files = Set(questions.compactMap(\.files.last))
    #expect(files.count >= 15)
    for file in files { #expect(questions.count { $0.files.last == file } >= 3, "\(file)") }
  }

  /// A row as Foundation reads it.
  private struct Row: Equatable {
    let values: NSDictionary

    init(_ json: String) throws {
      let read = try JSONSerialization.jsonObject(with: Data(json.utf8))
      values = try #require(read as? NSDictionary, "\(json)")
    }
  }

  private func output(_ arguments: [String]) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = try TranscriptRunner.findBinary()
    process.arguments = arguments
    process.currentDirectoryURL = FileQuestion.folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = FileManager.default.temporaryDirectory.path
    process.environment = environment
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
