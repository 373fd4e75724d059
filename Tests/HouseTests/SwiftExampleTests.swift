import KuraLessons
import Testing

/// Every `swift` block of every document, compiled with the modules that were just built, and run.
@Suite("The Swift examples in the documents")
struct SwiftExampleTests {
  struct Example: Sendable {
    let file: PackageFolder.File
    let program: String
    let claims: Int
  }

  static let examples = DocumentTests.files.compactMap { file -> Example? in
    guard let text = try? file.text(), let found = SwiftExamples(MarkdownDocument(text)) else {
      return nil
    }
    return Example(file: file, program: found.program, claims: found.claims)
  }

  @Test func areThere() {
    #expect(Self.examples.map(\.file.path).contains("README.md"))
    #expect(Self.examples.reduce(0) { $0 + $1.claims } > 30)
  }

  /// All examples in one program, compiled when the first test needs it.
  private static let programs = Result { try SwiftPrograms(examples.map(\.program)) }

  @Test("compile, and give the documented results", arguments: examples.indices)
  func giveWhatTheySay(place: Int) throws {
    let said = try Self.programs.get().output(of: place)
    #expect(said == "", "\(Self.examples[place].file)")
  }

  @Test("with errors are found")
  func wrongOnes() throws {
    let block = "```swift\nimport Kura\nlet a = 1   // 2\nKey(\"a\") == 1   // a == 1\n```"
    let examples = try #require(SwiftExamples(MarkdownDocument(block)))
    #expect(examples.claims == 2)
    #expect(try SwiftPrograms([examples.program]).output(of: 0) == "line 3: 1\n")
  }
}
