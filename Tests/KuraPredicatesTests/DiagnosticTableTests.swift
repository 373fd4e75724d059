import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

/// A text with the marked place, the message, and the text after the fix.
///
///     title NOT IN {"a"}
///           ^~~
///     error: NOT must come before the whole comparison, not before IN
///     write NOT title IN …
///     => NOT title IN {"a"}
///
/// A block with only a text is recorded, and fails once.
struct DiagnosticCase: CustomStringConvertible, Sendable {
  let text: String
  let expected: [String]

  var description: String { text }
}

extension DiagnosticCase {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Tables/diagnostics.txt")

  private static var blocks: [[String]] {
    get throws {
      try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n").map {
        $0.split(separator: "\n").map(String.init)
      }
    }
  }

  static var all: [DiagnosticCase] {
    get throws {
      try blocks.compactMap { lines in
        let lines = lines.drop { $0.hasPrefix("# ") }
        return lines.first.map { DiagnosticCase(text: $0, expected: Array(lines.dropFirst())) }
      }
    }
  }

  /// Writes the messages into the blocks that contain only a text.
  static func record() throws -> Int {
    var count = 0
    let blocks = try blocks.map { lines in
      guard let text = lines.last, lines.dropLast().allSatisfy({ $0.hasPrefix("# ") }) else {
        return lines
      }
      count += 1
      return lines + DiagnosticCase(text: text, expected: []).said
    }
    guard count > 0 else { return 0 }
    let text = blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
    return count
  }
}

extension DiagnosticCase {
  /// The errors and warnings, or the error of the evaluation.
  var diagnostics: [Diagnostic] {
    let parser = PredicateParser(TokenCursor(SourceText(text), mode: .statement))
    let read = outcome { () throws(SyntaxError) in
      let tree = try parser.parsePredicate()
      try parser.parseEnd()
      return tree
    }
    switch read {
    case .failure(let error): return [error]
    case .success(let tree): return parser.warnings.isEmpty ? evaluation(of: tree) : parser.warnings
    }
  }

  private func evaluation(of tree: PredicateTree) -> [Diagnostic] {
    let object: [String: Value] = [
      "title": "父の誕生日", "age": 42, "items": [["done": true, "price": 120]], "tags": ["a", "b"],
    ]
    do throws(Diagnostic) {
      _ = try tree.evaluate(object)
      return []
    } catch { return [error] }
  }

  /// The lines below the text.
  var said: [String] {
    diagnostics.flatMap { diagnostic in
      var lines = diagnostic.rendered(in: SourceText(text)).components(separatedBy: "\n")
      let message = lines.removeFirst()
      lines = lines.dropFirst().map { String($0.dropFirst(2)) }
      lines.insert(message, at: min(1, lines.count))
      return lines + (diagnostic.fixIt.map { ["=> " + fixed(text, $0)] } ?? [])
    }
  }
}

@Suite("The table of diagnostics")
struct DiagnosticTableTests {
  @Test func hasNothingToRecord() throws { #expect(try DiagnosticCase.record() == 0) }

  @Test("has the message, the place and the correction", arguments: try DiagnosticCase.all)
  func says(_ testCase: DiagnosticCase) {
    #expect(testCase.said == testCase.expected)
    for diagnostic in testCase.diagnostics {
      #expect(!diagnostic.facts.sentence.contains("\n"))
      #expect(diagnostic.facts.help?.contains("\n") != true)
    }
  }

  @Test("has fixes that work, or lead to another message", arguments: try DiagnosticCase.all)
  func fixes(_ testCase: DiagnosticCase) {
    for fix in testCase.diagnostics.compactMap(\.fixIt) {
      let corrected = DiagnosticCase(text: fixed(testCase.text, fix), expected: [])
      #expect(corrected.said != testCase.expected)
    }
  }
}
