import Foundation
import KuraLessons

/// The `swift` blocks of a document as one program, which compares each line with its documented
/// result.
///
///     birthdays.predicateFormat   // title == "x"
///     try songs.count(by: "1 +")   // error: expected a value
struct SwiftExamples {
  /// The program, or nil if the document has no such block.
  let program: String
  /// The number of lines with a documented result.
  private(set) var claims = 0

  init?(_ document: MarkdownDocument) {
    let blocks = document.blocks.filter {
      $0.language == "swift" && $0.attributes["norun"] == nil
    }
    guard !blocks.isEmpty else { return nil }
    var imports: [String] = []
    var body: [String] = []
    var claims = 0
    for block in blocks {
      for (place, line) in block.lines.enumerated() {
        if line.hasPrefix("import ") {
          imports.append(line)
        } else if let claim = Claim(line) {
          claims += 1
          body.append(claim.check(line: block.firstLine + place))
        } else {
          body.append(line)
        }
      }
    }
    self.claims = claims
    program = (imports + [Self.helpers] + body).joined(separator: "\n") + "\n"
  }

  /// A line with a documented result.
  private struct Claim {
    let code: String
    let result: String

    /// Only an expression at the beginning of a line can be compared with its result.
    init?(_ line: String) {
      guard let mark = line.range(of: "   // "), let first = line.first, first != " " else {
        return nil
      }
      code = String(line[..<mark.lowerBound])
      result = String(line[mark.upperBound...])
    }

    func check(line: Int) -> String {
      let words = code.split(separator: " ")
      let claim = "(\(line), ##\"\(result)\"##)"
      guard words.first == "let", words.count > 1 else {
        let isLater = code.contains("await ")
        return "\(isLater ? "await checkLater" : "check")\(claim) { \(code) }"
      }
      // `let title: String = …`
      let name = words[1].prefix { $0 != ":" }
      return code + "\ncheck\(claim) { \(name) }"
    }
  }

  /// They print results that differ.
  private static let helpers = """
    @MainActor func checkLater<Answer>(
      _ line: Int, _ claim: String, _ body: @MainActor () async throws -> Answer
    ) async {
      let result: Result<Answer, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      check(line, claim) { try result.get() }
    }

    func check<Result>(_ line: Int, _ claim: String, _ body: () throws -> Result) {
      var said: String
      do {
        let result = try body()
        let mirror = Mirror(reflecting: result)
        let inside = mirror.displayStyle == .optional ? mirror.children.first?.value : result
        said = inside.map { "\\($0)" } ?? "nil"
      } catch {
        // Its help is not part of the documented result.
        said = String("\\(error)".prefix { $0 != "\\n" })
      }
      if said != claim { print("line \\(line): \\(said)") }
    }
    """
}
