import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads an operand and the keys and indexes behind it.
  func postfix(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    var canAppend = !required.is(.leftParenthesis)
    let operand = try primary(minimum)
    guard case .expression(var tree) = operand else { return operand }
    while true {
      switch optional.kind {
      case .symbol(.dot): tree = try path(behind: tree, appending: canAppend)
      case .symbol(.leftBracket) where !isAtSortOption: tree = try index(of: tree)
      case .symbol(.leftParenthesis) where cursor.token.isAdjacent: throw methodCall(tree)
      default: return .expression(tree)
      }
      canAppend = true
    }
  }

  /// A path of one key.
  func keyPath(_ key: KeyComponent) -> ExpressionTree {
    ExpressionTree(.keyPath(KeyPathTree([key])), span: key.span)
  }

  /// `.items.@sum.estimate`: all the keys that follow, in one path.
  private func path(
    behind base: ExpressionTree, appending: Bool
  ) throws(SyntaxError) -> ExpressionTree {
    var path = KeyPathTree(base: base, [])
    if appending, case .keyPath(let before) = base.kind { path = before }
    while optional.is(.dot) {
      take()
      noteEnd(.key(behind: path.components.isEmpty ? base : ExpressionTree(.keyPath(path))))
      let key = try keyBehindDot()
      if optional.is(.leftBracket), !isAtSortOption {
        return try indexed(key, behind: path, from: base.span)
      }
      path.components.append(key)
    }
    try grow(above: height, at: base.span)
    return ExpressionTree(.keyPath(path), span: base.span.joined(lastSpan))
  }

  /// `a.d[0]`: the index belongs to `d` alone.
  private func indexed(
    _ key: KeyComponent, behind path: KeyPathTree, from start: SourceSpan
  ) throws(SyntaxError) -> ExpressionTree {
    let baseHeight = height + 1
    height = 1
    var tree = key.kind == .variable ? ExpressionTree(.variable(key.name)) : keyPath(key)
    tree.span = key.span
    while optional.is(.leftBracket), !isAtSortOption { tree = try index(of: tree) }
    try grow(above: max(height, baseHeight), at: key.span)
    let base =
      path.components.isEmpty
      ? path.base ?? keyPath(key) : ExpressionTree(.keyPath(path), span: start)
    return ExpressionTree(.indexAfterDot(base, tree), span: start.joined(tree.span))
  }

  private func keyBehindDot() throws(SyntaxError) -> KeyComponent {
    let token = required
    switch token.kind {
    case .word, .hashWord, .collectionOperator, .variable, .string: return try key()
    case .specifier: return try keyArgument()
    case .number:
      throw SyntaxError(
        PredicateSyntaxFacts.componentStartsWithDigit(cursor.text(token)), at: token.span)
    case .invalid(.numberWithLetters):
      throw SyntaxError(
        PredicateSyntaxFacts.componentStartsWithDigit(cursor.text(token)), at: token.span)
    case .symbol, .invalid, .end: throw expected(.key)
    }
  }

  /// Takes a key as it stands: `title`, `#like`, `"first name"`, `@count`, `$b`.
  func key() throws(SyntaxError) -> KeyComponent {
    let token = take()
    let name = try name(of: token)
    switch token.kind {
    case .collectionOperator: return KeyComponent(name, .collectionOperator, span: token.span)
    case .variable: return KeyComponent(name, .variable, span: token.span)
    default: return KeyComponent(name, span: token.span)
    }
  }

  /// What a token calls something, without `#`, `@`, `$` and quotes.
  package func name(of token: Token) throws(SyntaxError) -> String {
    let text = text(token)
    switch token.kind {
    case .collectionOperator, .variable: return String(text.dropFirst())
    case .hashWord where !text.hasPrefix("#\""): return String(text.dropFirst())
    case .string: return try self.text(ofString: token)
    case .hashWord:
      var string = token
      string.span.start += 1
      return try self.text(ofString: string)
    default: return text
    }
  }

  /// `[0]`, `[FIRST]`, `["key"]`
  private func index(of tree: ExpressionTree) throws(SyntaxError) -> ExpressionTree {
    let baseHeight = height
    let bracket = take()
    let outside = try enter(at: bracket.span)
    let kind = try indexKind()
    try close(bracket)
    leave(to: outside)
    try grow(above: max(baseHeight, height), at: bracket.span)
    return ExpressionTree(.index(tree, kind), span: tree.span.joined(lastSpan))
  }

  private func indexKind() throws(SyntaxError) -> IndexKind {
    if let kind = IndexKind(required.keyword), cursor.peek().is(.rightBracket) {
      take()
      return kind
    }
    return .at(try expression(.assignment))
  }
}

extension IndexKind {
  init?(_ keyword: Keyword?) {
    switch keyword {
    case .first: self = .first
    case .last: self = .last
    case .size: self = .size
    default: return nil
    }
  }
}
