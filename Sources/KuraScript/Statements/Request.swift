package import KuraDiagnostics
package import KuraPredicates

/// `request Overdue($today) = fetch Item where dueDate < $today`
package struct RequestStatement: StatementTree {
  package var name: Name
  /// The names without `$`.
  package var parameters: [Name]
  package var fetch: FetchTree
  /// The text after the name as written, which the model stores.
  package var text: String

  package var typedParts: [TypedPart] { [.fetch(fetch, parameters: parameters)] }
}

/// `run Overdue(today())`
package struct RunStatement: StatementTree {
  package var name: Name
  package var arguments: [Argument]

  package enum Argument: Sendable {
    /// `today()`, `$home`
    case expression(ExpressionTree)
    /// `predicate done == NO`
    case predicate(PredicatePart)
  }

  package var typedParts: [TypedPart] {
    let values = arguments.compactMap { argument in
      if case .expression(let tree) = argument { tree } else { nil }
    }
    return [.expressions(values)]
  }
}

/// `drop entity Item all`, `drop request Overdue`
package enum DropStatement: StatementTree {
  case entity(Name, all: Bool)
  case request(Name)
}

extension StatementSyntax {
  static let request = StatementSyntax(
    "request", synopsis: "request NAME($PARAMETER, …) = fetch ENTITY …",
    summary: "saves a fetch in the model under a name",
    example: "request Since($day) = fetch MemoDate where date >= $day sort date"
  ) { parser throws(SyntaxError) in
    try parser.readRequest()
  }

  static let run = StatementSyntax(
    "run", synopsis: "run NAME(EXPR, …)\nrun NAME(predicate PREDICATE, …)",
    summary: "runs a saved request",
    example: "run Since(\"2000-01-01\")"
  ) { parser throws(SyntaxError) in
    try parser.readRun()
  }

  static let drop = StatementSyntax(
    "drop", synopsis: "drop entity NAME [all]\ndrop request NAME",
    summary: "removes an entity with all its objects, or a saved request",
    example: "drop request Since"
  ) { parser throws(SyntaxError) in
    if parser.takeWord("entity") != nil {
      let name = try parser.takeName(.entity)
      return DropStatement.entity(name, all: parser.takeWord("all") != nil)
    }
    guard parser.takeWord("request") != nil else { throw parser.expected(.dropped) }
    return DropStatement.request(try parser.takeName(.request))
  }
}

extension StatementParser {
  fileprivate func readRequest() throws(SyntaxError) -> RequestStatement {
    let name = try takeName(.request)
    var parameters: [Name] = []
    if optional.is(.leftParenthesis) {
      try take(.leftParenthesis)
      parameters = try readParameters()
    }
    try take(.equal)
    guard isWord(required, "fetch") else { throw expected(.word("fetch")) }
    let start = take().span.start
    let fetch = try readFetch()
    let written = cursor.text(SourceSpan(start, lastSpan.end))
    let text = "(\(parameters.map { "$" + $0.text }.joined(separator: ", "))) = \(written)"
    return RequestStatement(name: name, parameters: parameters, fetch: fetch, text: text)
  }

  private func readParameters() throws(SyntaxError) -> [Name] {
    var parameters: [Name] = []
    while !required.is(.rightParenthesis) {
      let name = try takeVariable()
      if parameters.contains(where: { $0.text == name.text }) {
        throw error(.repeatedKey("$" + name.text), at: name.span)
      }
      parameters.append(name)
      guard takeComma() else { break }
    }
    try take(.rightParenthesis)
    return parameters
  }

  func readRun() throws(SyntaxError) -> RunStatement {
    let name = try takeName(.request)
    var arguments: [RunStatement.Argument] = []
    if optional.is(.leftParenthesis) {
      try take(.leftParenthesis)
      while !required.is(.rightParenthesis) {
        if let part = try readPredicatePart() {
          arguments.append(.predicate(part))
        } else {
          arguments.append(.expression(try predicates.parseExpressionOrPredicate()))
        }
        guard takeComma() else { break }
      }
      try take(.rightParenthesis)
    }
    return RunStatement(name: name, arguments: arguments)
  }
}

extension RequestStatement {
  /// Reads the statement of a model's request.
  ///
  /// Throws a diagnostic that has the text.
  package static func reading(_ source: SourceText) throws(Diagnostic) -> RequestStatement? {
    do throws(SyntaxError) {
      let statement = try StatementParser(TokenCursor(source, mode: .statement)).parse()
      return statement.tree as? RequestStatement
    } catch {
      var diagnostic = error.diagnostic
      diagnostic.source = source
      throw diagnostic
    }
  }
}
