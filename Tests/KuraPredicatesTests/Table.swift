import Foundation
import KuraDiagnostics
import KuraPredicates

/// The tables beside the tests, found by their folder.
enum Table {
  /// The rows of a table, each split at its TABs; `#` and a blank begin a comment.
  static func rows(_ name: String, from file: String = #filePath) throws -> [[String]] {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Tables")
    let text = try String(contentsOf: folder.appending(path: name + ".tsv"), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// Reads a predicate as a statement does.
func readInStatement(_ text: String) throws(Diagnostic) -> PredicateParser {
  let parser = PredicateParser(TokenCursor(SourceText(text), mode: .statement))
  parser.clauseWords = ["sort", "limit"]
  return parser
}

/// What a read gave, or its diagnostic.
func outcome<Tree>(_ read: () throws(SyntaxError) -> Tree) -> Result<Tree, Diagnostic> {
  do throws(SyntaxError) {
    return .success(try read())
  } catch {
    return .failure(error.diagnostic)
  }
}

/// A text with a fix made.
func fixed(_ text: String, _ fix: FixIt) -> String { fix.applied(to: text) }
