import Foundation
import KuraDiagnostics
import KuraPredicates

/// The tables next to the tests.
enum Table {
  /// Returns the rows of a table, split at tabs; `#` and a space begin a comment.
  static func rows(_ name: String, from file: String = #filePath) throws -> [[String]] {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Tables")
    let text = try String(contentsOf: folder.appending(path: name + ".tsv"), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// Parses a predicate as in a statement.
func readInStatement(_ text: String) throws(Diagnostic) -> PredicateParser {
  let parser = PredicateParser(TokenCursor(SourceText(text), mode: .statement))
  parser.clauseWords = ["sort", "limit"]
  return parser
}

/// Returns the result of parsing, or its diagnostic.
func outcome<Tree>(_ read: () throws(SyntaxError) -> Tree) -> Result<Tree, Diagnostic> {
  do throws(SyntaxError) {
    return .success(try read())
  } catch {
    return .failure(error.diagnostic)
  }
}

/// Returns a text after a fix.
func fixed(_ text: String, _ fix: FixIt) -> String { fix.applied(to: text) }
