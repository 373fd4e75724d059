public import KuraDiagnostics
public import KuraValues

extension PredicateTree {
  /// Parses a predicate in Cocoa's format language.
  ///
  ///     try PredicateTree(parsing: "title CONTAINS[cd] '誕生' AND date < $today")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(parsing text: String) throws(Diagnostic) {
    self = try PredicateParser.read(text, nil) { parser throws(SyntaxError) in
      try parser.parsePredicate()
    }
  }

  /// Parses a format string with arguments: `%@` is a value, `%K` a key path, `%d` an integer.
  ///
  ///     try PredicateTree(format: "%K == %@", arguments: [.string("title"), .string("誕生日")])
  ///
  /// An argument is never parsed as syntax. Linear in the format. Throws a diagnostic whose span is
  /// in the format.
  public init(format: String, arguments: [Value]) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments.map(FormatArgument.value))
  }

  /// Parses a format string in which `%@` can also be an expression or a predicate. Linear in the
  /// format.
  public init(format: String, arguments: [FormatArgument]) throws(Diagnostic) {
    self = try PredicateParser.read(format, arguments) { parser throws(SyntaxError) in
      try parser.parsePredicate()
    }
  }
}

extension ExpressionTree {
  /// Parses an expression in Cocoa's format language.
  ///
  ///     try ExpressionTree(parsing: "price * (1 + tax)")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(parsing text: String) throws(Diagnostic) {
    self = try PredicateParser.read(text, nil) { parser throws(SyntaxError) in
      try parser.parseExpression()
    }
  }

  /// Parses a format string with arguments. Linear in the format.
  public init(format: String, arguments: [FormatArgument]) throws(Diagnostic) {
    self = try PredicateParser.read(format, arguments) { parser throws(SyntaxError) in
      try parser.parseExpression()
    }
  }
}

extension SortTree {
  /// Parses one sort key.
  ///
  ///     try SortTree(parsing: "title[cd] desc nulls last")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(parsing text: String) throws(Diagnostic) {
    self = try PredicateParser.read(text, nil) { parser throws(SyntaxError) in
      try parser.parseSortKey()
    }
  }
}

extension [SortTree] {
  /// Parses sort keys that are separated by commas.
  ///
  ///     try [SortTree](parsing: "category, date desc")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(parsing text: String) throws(Diagnostic) {
    self = try PredicateParser.read(text, nil) { parser throws(SyntaxError) in
      var keys = [try parser.parseSortKey()]
      while parser.takeComma() { keys.append(try parser.parseSortKey()) }
      return keys
    }
  }
}

extension PredicateParser {
  fileprivate static func read<Tree>(
    _ text: String, _ arguments: [FormatArgument]?,
    _ read: (PredicateParser) throws(SyntaxError) -> Tree
  ) throws(Diagnostic) -> Tree {
    let mode = Lexer.Mode.format(takesArguments: arguments != nil)
    let parser = PredicateParser(TokenCursor(SourceText(text), mode: mode))
    parser.arguments = arguments
    do throws(SyntaxError) {
      let tree = try read(parser)
      try parser.parseEnd()
      return tree
    } catch {
      throw error.diagnostic
    }
  }
}
