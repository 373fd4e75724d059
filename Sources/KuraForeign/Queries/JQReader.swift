import KuraDiagnostics

/// Reads a filter of jq over the objects of an entity.
struct JQReader {
  let parser: ForeignParser
  let writer: ExpressionWriter
  let entity: String

  init(_ parser: ForeignParser, _ names: ModelNames, about entity: String) {
    self.parser = parser
    self.entity = entity
    writer = ExpressionWriter(names, parser)
  }

  func read() throws(ForeignProblem) -> [String] {
    guard isLikely else { throw parser.unreadable }
    var tree = try parser.expression(.pipe)
    if parser.token.is(",") { tree = try several(tree) }
    guard parser.isAtEnd || parser.token.is(";") else { throw parser.unreadable }
    writer.scope.root = ForeignScope.Place(path: "", entity: entity, isMany: true)
    let query = QueryBuilder(ModelNames.written(entity), of: entity)
    return [try writer.jqStep(query, tree).statement]
  }

  /// `.[] | .title, .year`: values beside each other.
  private func several(_ first: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    guard case .infix("|", let source, let value) = first.kind else { throw parser.unreadable }
    var values = [value]
    while parser.take(",") { values.append(try parser.expression(.conditional)) }
    let all = ForeignExpression(.list(values), value.span)
    return ForeignExpression(.infix("|", source, all), first.span)
  }

  /// Whether it begins as a filter does: `.[]`, `map(`, `[.[]`, `length`.
  private var isLikely: Bool {
    let words: Set = [
      "map", "select", "length", "sort_by", "first", "last", "limit", "unique_by", "min_by",
      "max_by",
      "group_by", "any", "all", "reverse", "to_entries",
    ]
    let first = parser.token
    if first.is(".") { return true }
    if first.is("[") || first.is("{") { return parser.peek().is(".") }
    return first.isWord(among: words) && (parser.peek().is("(") || parser.peek().kind == .end)
  }
}
