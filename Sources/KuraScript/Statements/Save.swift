import KuraPredicates

extension StatementSyntax {
  static let save = StatementSyntax(
    "save", synopsis: "save [\"FILE\" [replacing]]",
    summary: "writes the changes into the store, or everything into a new one",
    example: "save \"copy.json\" replacing"
  ) { parser throws(SyntaxError) in
    guard parser.optional.end == nil else { return .save(file: nil, replacing: false) }
    let file = try parser.takeString()
    return .save(file: file, replacing: parser.takeWord("replacing") != nil)
  }
}
