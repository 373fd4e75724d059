import KuraPredicates

/// A kind of statement, with its data for the parser, the help and completion.
///
/// It is a class, because there is exactly one object of each kind.
package final class StatementSyntax: Sendable {
  /// The word that begins it.
  package let name: String
  /// Other words that may begin it: `abstract` in `abstract entity`.
  package let otherFirstWords: [String]
  /// The syntax, line by line, as the manual shows it.
  package let synopsis: String
  /// One line of help.
  package let summary: String
  package let example: String
  /// Whether its closing brace ends it, also if other words follow on the same line.
  let endsAtBrace: Bool
  /// Reads what follows the first word.
  let read: @Sendable (StatementParser) throws(SyntaxError) -> any StatementTree

  init(
    _ name: String, orBegins otherFirstWords: [String] = [], synopsis: String, summary: String,
    example: String, endsAtBrace: Bool = false,
    read: @escaping @Sendable (StatementParser) throws(SyntaxError) -> any StatementTree
  ) {
    self.name = name
    self.otherFirstWords = otherFirstWords
    self.synopsis = synopsis
    self.summary = summary
    self.example = example
    self.endsAtBrace = endsAtBrace
    self.read = read
  }
}

/// Every kind of statement, in the order of the help.
package enum StatementCatalog {
  package static let all: [StatementSyntax] = [
    .fetch, .count, .exists, .print, .let, .insert, .update, .delete, .undo, .redo, .begin, .commit,
    .cancel, .changes, .save, .rollback, .history, .diff, .asOf,
    .revert, .entity, .alter, .drop, .model, .describe, .request, .run,
    .watch, .unwatch, .explain, .trace, .steps, .compare, .show, .lesson, .hint,
    .answer, .next, .reset, .progress,
    .quiz,
  ]

  /// Returns the statement that a word begins, in any case.
  package static func syntax(beginning word: ArraySlice<UInt8>) -> StatementSyntax? {
    firstWords.place(of: word).map { beginnings[$0].syntax }
  }

  /// Returns the statement that a word begins, in any case.
  package static func syntax(beginning word: String) -> StatementSyntax? {
    syntax(beginning: Array(word.utf8)[...])
  }

  /// The words that a line may have instead of a setting: `quit` is `.quit`.
  package static let settingWords = ["help": "help", "quit": "quit", "exit": "quit"]

  private static let beginnings = all.flatMap { syntax in
    ([syntax.name] + syntax.otherFirstWords).map { (word: $0, syntax: syntax) }
  }

  private static let firstWords = WordList(beginnings.map(\.word))
}
