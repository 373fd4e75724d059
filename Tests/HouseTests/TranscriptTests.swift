import KuraLessons
import KuraSentences
import Testing

/// Every `console` and `kura` block of every document, run by the program that was just built.
@Suite("The examples in the documents")
struct TranscriptTests {
  /// The blocks of one document, which are run in order in one folder.
  struct Example: Sendable, CustomTestStringConvertible {
    let file: PackageFolder.File
    let blocks: [MarkdownDocument.Block]
    var testDescription: String { file.path }
  }

  static let examples = DocumentTests.files.compactMap { file -> Example? in
    guard let text = try? file.text() else { return nil }
    let blocks = MarkdownDocument(text).blocks.filter { Transcript($0) != nil }
    return blocks.isEmpty ? nil : Example(file: file, blocks: blocks)
  }

  @Test func areThere() { #expect(!Self.examples.isEmpty) }

  @Test("show the output of the program", arguments: examples)
  func sayWhatTheProgramSays(example: Example) throws {
    let language = Language(ofDocument: example.file.path)
    let runner = try TranscriptRunner(language: language?.rawValue)
    for block in example.blocks {
      let place = "\(example.file):\(block.firstLine)"
      switch Transcript(block) {
      case .console(let steps):
        for step in steps {
          let said = try runner.output(of: step.command)
          #expect(said == step.output, "\(place): \(step.command)")
        }
      case .session(let script, let output, let store):
        let said = try runner.output(ofScript: script, store: store)
        #expect(said == output, "\(place)")
      case nil: break
      }
    }
  }
}
