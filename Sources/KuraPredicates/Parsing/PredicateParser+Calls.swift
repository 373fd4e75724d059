import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// `sum(x)`, `modulus:by:(a, b)`; nil where the word is no call.
  func call() throws(SyntaxError) -> ExpressionTree? {
    guard let end = callNameEnd() else { return nil }
    let name = SourceSpan(required.span.start, end)
    while lastSpan.end < end || cursor.token.is(.colon) { take() }
    let function = try function(called: name)
    let bracket = take()
    let outside = try enter(at: bracket.span)
    if required.is(.star) { throw everything() }
    let arguments = try filtered(by: function, name.joined(bracket.span)) {
      () throws(SyntaxError) in
      try inside(.argument(of: function, 0)) { () throws(SyntaxError) in
        try values(until: bracket)
      }
    }
    leave(to: outside)
    let span = name.joined(lastSpan)
    try check(arguments, for: function, name: name, span: span)
    try grow(above: height, at: name)
    let call = FunctionCall(function.selector, arguments, nameSpan: name)
    return ExpressionTree(.function(call), span: span)
  }

  /// `count(*)`
  private func everything() -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.everything, at: required.span, fixIt: FixIt(required.span, "SELF"))
  }

  /// The end of a name that is followed by a bracket, colons with it; nil if there is none.
  private func callNameEnd() -> Int? {
    guard cursor.mayPrecede("(:") else { return nil }
    var ahead = cursor
    var end = ahead.take().span.end
    while ahead.token.is(.colon), ahead.token.isAdjacent {
      end = ahead.take().span.end
      guard ahead.token.kind == .word, ahead.token.isAdjacent else { break }
      ahead.take()
    }
    return ahead.optional.is(.leftParenthesis) ? end : nil
  }

  private func function(called span: SourceSpan) throws(SyntaxError) -> PredicateFunction {
    let name = cursor.text(span)
    if let function = PredicateFunction.called(name) { return function }
    let names = PredicateFunction.all.compactMap(\.names.first)
    let meant = PredicateFunction.knownElsewhere(as: name)?.names.first
    let near = meant.map { [$0] } ?? nearNames(to: name, among: names)
    throw SyntaxError(
      PredicateSyntaxFacts.unknownFunction(name, near: near), at: span,
      fixIts: operators(called: name, at: span) + times(called: name, at: span)
        + near.map { FixIt(span, $0) })
  }

  private func check(
    _ arguments: [ExpressionTree], for function: PredicateFunction, name: SourceSpan,
    span: SourceSpan
  ) throws(SyntaxError) {
    guard !function.operands.accept(arguments.count) else { return }
    throw SyntaxError(
      PredicateSyntaxFacts.argumentCount(
        cursor.text(name), function.arguments, given: arguments.count), at: span)
  }

  /// The word of a special form and its bracket.
  private func open() throws(SyntaxError) -> (
    word: Token, bracket: Token, outside: Context
  ) {
    let word = take()
    guard required.is(.leftParenthesis) else {
      throw required.end == nil ? reserved(word) : expected(.symbol(.leftParenthesis))
    }
    let bracket = take()
    return (word, bracket, try enter(at: bracket.span))
  }

  /// Takes the comma between two arguments of a special form.
  private func separate(_ form: Token, _ bracket: Token) throws(SyntaxError) {
    if takeComma() { return }
    if required.end != nil { throw unclosed(bracket) }
    throw castAs() ?? expected(.commaIn(form.keyword))
  }

  /// `CAST(a AS NSNumber)`, as in SQL
  private func castAs() -> SyntaxError? {
    let word = required
    let type = cursor.peek()
    guard cursor.isWord(word, "as"), type.kind == .word else { return nil }
    let name = cursor.text(type)
    let span = SourceSpan(lastSpan.end, type.span.end)
    return SyntaxError(
      PredicateSyntaxFacts.castAs(name), at: word.span.joined(type.span),
      fixIt: FixIt(span, ", \"\(name)\""))
  }

  /// `CAST(x, "NSDate")`
  func cast() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let value = try expression(.assignment)
    let valueHeight = height
    try separate(word, bracket)
    noteEnd(.words(CastType.allCases.map { "\"\($0.rawValue)\"" }))
    let type = try expression(.assignment)
    try close(bracket)
    leave(to: outside)
    try grow(above: max(valueHeight, height), at: word.span)
    let call = FunctionCall(.cast, [value, type], nameSpan: word.span)
    return ExpressionTree(.function(call), span: word.span.joined(lastSpan))
  }

  /// `FUNCTION(title, "stringByAppendingString:", "x")`
  func message() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let target = try expression(.assignment)
    let targetHeight = height
    try separate(word, bracket)
    let selector = try quotedSelector()
    height = 0
    let hasArguments = takeComma()
    let arguments = hasArguments ? try values(until: bracket) : []
    if !hasArguments { try close(bracket, orComma: true) }
    leave(to: outside)
    try grow(above: max(targetHeight, height), at: word.span)
    return ExpressionTree(
      .message(target: target, selector: selector, arguments: arguments),
      span: word.span.joined(lastSpan))
  }

  private func quotedSelector() throws(SyntaxError) -> String {
    let token = required
    switch token.kind {
    case .string:
      take()
      return try text(ofString: token)
    case .specifier: return try stringArgument()
    case .word, .hashWord:
      throw SyntaxError(
        PredicateSyntaxFacts.unquotedSelector, at: token.span,
        fixIt: FixIt(token.span, "\"\(cursor.text(token))\""))
    default: throw expected(.value)
    }
  }

  /// `TERNARY(done == YES, 1, 2)`
  func ternary() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let condition = try condition(.or)
    var highest = height
    try separate(word, bracket)
    let yes = try expression(.assignment)
    highest = max(highest, height)
    try separate(word, bracket)
    let no = try expression(.assignment)
    try close(bracket)
    leave(to: outside)
    try grow(above: max(highest, height), at: word.span)
    return ExpressionTree(
      .ternary(condition, yes, no), span: word.span.joined(lastSpan))
  }

  /// `SUBQUERY(items, $i, $i.done == NO)`
  func subquery() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let collection = try inside(.quantified) { () throws(SyntaxError) in
      try expression(.assignment)
    }
    let collectionHeight = height
    try separate(word, bracket)
    noteEnd(.words(["$x"]))
    let variable = try elementVariable(of: collection, in: bracket)
    try separate(word, bracket)
    let part = OpenPart.element(variable: variable, of: collection)
    elements.append(variable)
    defer { elements.removeLast() }
    let condition = try inside(part) { () throws(SyntaxError) in try self.condition(.or) }
    try close(bracket)
    leave(to: outside)
    try grow(above: max(collectionHeight, height), at: word.span)
    return ExpressionTree(
      .subquery(collection, variable: variable, condition),
      span: word.span.joined(lastSpan))
  }
}
