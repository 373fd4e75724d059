package import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads one operand without operators: a word, a literal, or something in brackets.
  func primary(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    let token = required
    height = 1
    switch token.kind {
    case .word: return .expression(try word(minimum))
    case .hashWord: return .expression(try keyPathOrObject(minimum))
    case .collectionOperator: return .expression(keyPath(try key()))
    case .variable: return .expression(variable())
    case .string: return .expression(try string())
    case .number: return .expression(try number())
    case .specifier: return try argument()
    case .symbol(.leftParenthesis): return try parenthesized()
    case .symbol(.leftBrace): return .expression(try list())
    case .symbol, .invalid, .end:
      expectAtEnd(.operand)
      throw expected(wanted(minimum))
    }
  }

  /// Returns what an operator of this precedence expects: a predicate after AND, otherwise a value.
  private func wanted(_ minimum: Precedence) -> PredicateSyntaxProblem.Expected {
    let mayBeValue = context.allowsTruth || minimum == .or && nesting > 0
    return minimum <= .comparison && !mayBeValue ? .predicate : .value
  }

  private func word(_ minimum: Precedence) throws(SyntaxError) -> ExpressionTree {
    let token = required
    switch token.keyword {
    case nil, .first, .last, .size:
      if let call = try call() { return call }
      return try keyPathOrObject(minimum)
    case .self: return ExpressionTree(.evaluatedObject, span: take().span)
    case .anyKey: return ExpressionTree(.anyKey, span: take().span)
    case .null, .nil: return constant(.null)
    case .yes, .true: return constant(.boolean(true))
    case .no, .false: return constant(.boolean(false))
    case .cast: return try cast()
    case .function: return try message()
    case .ternary: return try ternary()
    case .subquery: return try subquery()
    case .and, .or:
      if InfixOperator(cursor.peek()) != nil { throw reserved(token) }
      throw offering(connectiveAsFunction(), in: expected(wanted(minimum)))
    default: throw operatorAsFunction() ?? reserved(token)
    }
  }

  private func keyPathOrObject(
    _ minimum: Precedence
  ) throws(SyntaxError) -> ExpressionTree {
    if let object = try object(minimum) { return object }
    return keyPath(try key())
  }

  private func constant(_ value: Value) -> ExpressionTree {
    ExpressionTree(.constant(Constant(value)), span: take().span)
  }

  private func variable() -> ExpressionTree {
    let token = take()
    return ExpressionTree(.variable(String(cursor.text(token).dropFirst())), span: token.span)
  }

  private func number() throws(SyntaxError) -> ExpressionTree {
    let token = take()
    let text = text(token)
    guard let constant = NumberLiteral.constant(text) else {
      throw SyntaxError(.numberTooLarge(text), at: token.span)
    }
    return ExpressionTree(.constant(constant), span: token.span)
  }

  private func string() throws(SyntaxError) -> ExpressionTree {
    let token = take()
    let text = try text(ofString: token)
    noteQuotedSpecifier(text, token)
    return ExpressionTree(.constant(Constant(.string(text))), span: token.span)
  }

  /// Returns the text of a string token. In a statement, an unnecessary backslash is a warning.
  package func text(ofString token: Token) throws(SyntaxError) -> String {
    let bytes = cursor.bytes(token.span)
    let literal = StringLiteral(quoted: bytes)
    let start = token.span.start - bytes.startIndex
    if let (problem, offset) = literal.problem {
      throw SyntaxError(.escape(problem), at: problem.span(from: start + offset, token.span))
    }
    for offset in literal.idleEscapes where cursor.isStatement {
      let span = SourceSpan(start + offset, start + offset + 2)
      warn(.idleEscape(cursor.text(span)), at: span, fix: "\\" + cursor.text(span))
    }
    return literal.text
  }

  /// Reads `MemoDate/17` without blanks, if no operator of higher precedence precedes it or a key
  /// follows it.
  private func object(_ minimum: Precedence) throws(SyntaxError) -> ExpressionTree? {
    guard cursor.isStatement, cursor.mayPrecede("/") else { return nil }
    let name = required
    var ahead = cursor
    ahead.take()
    guard ahead.token.is(.slash), ahead.token.isAdjacent else { return nil }
    ahead.take()
    let token = ahead.take()
    guard token.kind == .number, token.isAdjacent, let number = plainInteger(token),
      !ahead.optional.is(.leftBracket), !ahead.optional.is(.doubleStar)
    else { return nil }
    // `2 * a/4` is a quotient of a product, but `2 * Book/4.pages` can only mean an object.
    guard minimum <= .product || ahead.optional.is(.dot) && ahead.token.isAdjacent else {
      return nil
    }
    let entity = try self.name(of: name)
    cursor = ahead
    return ExpressionTree(
      .objectOrQuotient(entity: entity, number: number), span: name.span.joined(token.span))
  }

  private func plainInteger(_ token: Token) -> Int64? {
    let text = text(token)
    return NumberLiteral.isPlainInteger(text) ? Int64(text) : nil
  }
}

extension PredicateParser {
  /// Reads a predicate or a value in parentheses, depending on the content.
  private func parenthesized() throws(SyntaxError) -> Operand {
    let bracket = take()
    if required.is(.rightParenthesis) { throw expected(.value) }
    if let fetch = try fetch(in: bracket) { return .expression(fetch) }
    let allowsTruth = context.allowsTruth
    let outside = try enter(at: bracket.span)
    context.allowsTruth = allowsTruth
    let inside = try operand(.or)
    if case .expression = inside, optional.is(.comma) { throw listInBrackets(bracket) }
    try close(bracket)
    leave(to: outside)
    let span = bracket.span.joined(lastSpan)
    switch inside {
    case .expression(let tree): return .expression(ExpressionTree(tree.kind, span: span))
    case .predicate(let tree): return .predicate(PredicateTree(tree.kind, span: span))
    }
  }

  /// Reads `{1, x, "y"}`.
  private func list() throws(SyntaxError) -> ExpressionTree {
    let bracket = take()
    let outside = try enter(at: bracket.span)
    let elements: [ExpressionTree]
    if let part = recorder?.ofElement {
      elements = try inside(part) { () throws(SyntaxError) in try values(until: bracket) }
    } else {
      elements = try values(until: bracket)
    }
    leave(to: outside)
    try grow(above: height, at: bracket.span)
    return ExpressionTree(.aggregate(elements), span: bracket.span.joined(lastSpan))
  }

  /// Reads values between commas, and the closing bracket.
  func values(until bracket: Token) throws(SyntaxError) -> [ExpressionTree] {
    var elements: [ExpressionTree] = []
    var highest = 0
    if !isClosing(bracket) {
      repeat {
        if !elements.isEmpty { recorder?.goOn(to: elements.count, in: bracket) }
        elements.append(try expression(.assignment))
        highest = max(highest, height)
      } while takeComma()
    }
    try close(bracket, orComma: true)
    height = highest
    return elements
  }

  func takeComma() -> Bool {
    guard optional.is(.comma) else { return false }
    take()
    return true
  }

  func isClosing(_ bracket: Token) -> Bool {
    guard case .symbol(let symbol) = bracket.kind, let closing = symbol.closing else {
      return false
    }
    return required.is(closing)
  }

  /// Reads the bracket that closes another.
  func close(_ bracket: Token, orComma: Bool = false) throws(SyntaxError) {
    guard !isClosing(bracket) else {
      take()
      return
    }
    guard required.end == nil, case .symbol(let symbol) = bracket.kind,
      let closing = symbol.closing
    else { throw unclosed(bracket) }
    throw unexpectedTail(orComma ? .commaOr(closing) : .symbol(closing))
  }
}

extension StringLiteral.EscapeProblem {
  /// Returns the span of the escape sequence in a string.
  package func span(from start: Int, _ string: SourceSpan) -> SourceSpan {
    switch self {
    case .missingDigits(let text), .loneSurrogate(let text), .noCharacter(let text):
      SourceSpan(start, start + text.utf8.count)
    case .notUTF8: string
    }
  }
}
