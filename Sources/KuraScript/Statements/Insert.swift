import KuraDiagnostics
import KuraPredicates

extension StatementSyntax {
  static let insert = StatementSyntax(
    "insert",
    synopsis: """
      insert ENTITY key = EXPR, …
      insert ENTITY {"key": value, …}
      """,
    summary: "makes a new object, or with JSON one or several",
    example: "insert MemoDate title = \"父の誕生日\", date = \"1935-06-11\""
  ) { parser throws(SyntaxError) in
    .insert(try parser.readInsert())
  }
}

extension StatementParser {
  /// What follows the word `insert`.
  func readInsert() throws(SyntaxError) -> InsertStatement {
    try refuseIdleWord("into")
    let entity = try takeName(.entity)
    let isJSON = required.is(.leftBrace) || required.is(.leftBracket)
    return InsertStatement(
      entity: entity,
      values: isJSON ? .json(try takeJSON()) : .assignments(try readAssignments(allowing: [.set])))
  }

  /// The bytes of a JSON object or array, which another module reads.
  private func takeJSON() throws(SyntaxError) -> SourceSpan {
    let start = required.span.start
    var scan = JSONScan(cursor.bytes(SourceSpan(start, cursor.endOffset)))
    switch scan.run() {
    case .end(let length):
      let span = SourceSpan(start, start + length)
      cursor.jump(to: span.end)
      return span
    case .unclosed(let offset):
      throw error(.unclosedJSON(.text), at: SourceSpan(start + offset, start + offset + 1))
    case .unclosedQuote(let offset):
      throw SyntaxError(
        PredicateSyntaxFacts.unclosedQuote("\"", followsString: false),
        at: SourceSpan(start + offset, start + offset + 1))
    case .wrongBracket(let offset, let found, let wanted):
      throw error(
        .wrongJSONBracket(found, wanted: wanted),
        at: SourceSpan(start + offset, start + offset + 1))
    }
  }
}
