import KuraPredicates

/// `model`, `model as mermaid`
package struct ModelStatement: StatementTree {
  package var format: Name?
}

/// `describe Item`
package struct DescribeStatement: StatementTree {
  package var entity: Name
}

extension StatementSyntax {
  static let model = StatementSyntax(
    "model", synopsis: "model [as text|boxes|mermaid|dot|svg|swift]",
    summary:
      "shows the model as statements that rebuild it, as a diagram, or as classes of Core Data",
    example: "model as mermaid"
  ) { parser throws(SyntaxError) in
    ModelStatement(format: try parser.readModelFormat())
  }

  /// The words that may follow `model as`.
  package static let modelFormats = ["text", "boxes", "mermaid", "dot", "svg", "swift"]
}

extension StatementParser {
  fileprivate func readModelFormat() throws(SyntaxError) -> Name? {
    if optional.end == .text { predicates.expectAtEnd(.words(["as"])) }
    guard optional.end == nil else { return nil }
    guard takeWord("as") != nil else { throw expected(.word("as")) }
    predicates.expectAtEnd(.words(StatementSyntax.modelFormats))
    let token = required
    guard token.kind == .word else { throw expected(.word("text")) }
    let word = text(token).lowercased()
    guard StatementSyntax.modelFormats.contains(word) else {
      throw unknownWord(token, among: StatementSyntax.modelFormats) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
    take()
    return Name(word, span: token.span)
  }
}

extension StatementSyntax {
  static let describe = StatementSyntax(
    "describe", synopsis: "describe ENTITY",
    summary: "lists the keys, types and rules of an entity",
    example: "describe MemoDate"
  ) { parser throws(SyntaxError) in
    DescribeStatement(entity: try parser.takeName(.entity))
  }
}
