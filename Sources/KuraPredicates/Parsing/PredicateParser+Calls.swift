import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads `sum(x)` or `modulus:by:(a, b)`; nil if the word does not begin a call.
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
    let key = function.isWindow ? try windowKey() : []
    try grow(above: height, at: name)
    let call = FunctionCall(function, arguments + key, nameSpan: name)
    return ExpressionTree(.function(call), span: name.joined(lastSpan))
  }

  /// Reads the `per category` of `rank() per category`.
  private func windowKey() throws(SyntaxError) -> [ExpressionTree] {
    let argumentsHeight = height
    expectAtEnd(.words(["per"]))
    guard cursor.isWord(optional, "per") else { return [] }
    take()
    let key = try value(postfix(.product))
    height = max(height, argumentsHeight)
    return [key]
  }

  /// Returns the error for `count(*)`.
  private func everything() -> SyntaxError {
    SyntaxError(
      .everything, at: required.span, fixIt: FixIt(required.span, "SELF", .word("*", as: "SELF")))
  }

  /// Returns the end of a name before a bracket, including its colons; nil if there is none.
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

  /// Functions of other languages that are unlike all functions with similar names.
  private static let absent: Set = ["lag", "lead"]

  private func function(called span: SourceSpan) throws(SyntaxError) -> PredicateFunction {
    let name = cursor.text(span)
    if let function = PredicateFunction.called(name) { return function }
    let names = PredicateFunction.all.compactMap(\.names.first)
    let meant = PredicateFunction.knownElsewhere(as: name)?.names.first
    let isAbsent = Self.absent.contains(name.lowercased())
    let near = isAbsent ? [] : meant.map { [$0] } ?? nearNames(to: name, among: names)
    throw SyntaxError(
      .unknownFunction(name, near: near), at: span,
      fixIts: operators(called: name, at: span) + times(called: name, at: span)
        + near.map { FixIt(span, $0) })
  }

  private func check(
    _ arguments: [ExpressionTree], for function: PredicateFunction, name: SourceSpan,
    span: SourceSpan
  ) throws(SyntaxError) {
    guard !function.operands.accept(arguments.count) else { return }
    throw SyntaxError(
      .argumentCount(cursor.text(name), function.arguments, given: arguments.count), at: span,
      fixIts: function.operands.accept(0) ? [FixIt(SourceSpan(name.end, span.end), "()")] : [])
  }

  /// Reads the word of a special form and its bracket.
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

  /// Reads the comma between two arguments of a special form.
  private func separate(_ form: Token, _ bracket: Token) throws(SyntaxError) {
    if takeComma() { return }
    if required.end != nil { throw unclosed(bracket) }
    throw castAs() ?? expected(.commaIn(form.keyword))
  }

  /// Returns the error for `CAST(a AS NSNumber)`, as in SQL.
  private func castAs() -> SyntaxError? {
    let word = required
    let type = cursor.peek()
    guard cursor.isWord(word, "as"), type.kind == .word else { return nil }
    let name = cursor.text(type)
    let span = SourceSpan(lastSpan.end, type.span.end)
    return SyntaxError(
      .castAs(name), at: word.span.joined(type.span), fixIt: FixIt(span, ", \"\(name)\""))
  }

  /// Reads `CAST(x, "NSDate")`.
  func cast() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let value = try expression(.assignment)
    let valueHeight = height
    try separate(word, bracket)
    expectAtEnd(.words(CastType.names.map { "\"\($0)\"" }))
    let type = try expression(.assignment)
    try close(bracket)
    leave(to: outside)
    try grow(above: max(valueHeight, height), at: word.span)
    let call = FunctionCall(.cast, [value, type], nameSpan: word.span)
    return ExpressionTree(.function(call), span: word.span.joined(lastSpan))
  }

  /// Reads `FUNCTION(title, "stringByAppendingString:", "x")`.
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
        .unquotedSelector, at: token.span, fixIt: FixIt(token.span, "\"\(cursor.text(token))\""))
    default: throw expected(.value)
    }
  }

  /// Reads `TERNARY(done == YES, 1, 2)`.
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

  /// Reads `SUBQUERY(items, $i, $i.done == NO)`.
  func subquery() throws(SyntaxError) -> ExpressionTree {
    let (word, bracket, outside) = try open()
    let collection = try inside(.quantified) { () throws(SyntaxError) in
      try expression(.assignment)
    }
    let collectionHeight = height
    try separate(word, bracket)
    expectAtEnd(.words(["$x"]))
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

// Errors with a next step for the user
extension PredicateParser {
  /// Returns the error that something is expected at the cursor.
  package func expected(_ wanted: PredicateSyntaxProblem.Expected) -> SyntaxError {
    let token = required
    if case .invalid(let problem) = token.kind { return lexical(problem, token) }
    if let end = token.end {
      let before = cursor.text(lastSpan)
      return SyntaxError(.missing(wanted, after: before, end), at: token.span)
    }
    return habit(token) ?? pointless(token, wanted)
      ?? SyntaxError(.unexpected(wanted, found: cursor.text(token)), at: token.span)
  }

  /// Returns the error that the next token does not belong to anything.
  package func unexpectedTail(
    _ wanted: PredicateSyntaxProblem.Expected = .end
  ) -> SyntaxError {
    let token = required
    if let error = foreignOperator(token) ?? timeWithoutQuotes(token) { return error }
    guard token.kind == .word else { return expected(wanted) }
    if let error = wordAfterString(token) { return error }
    let word = cursor.text(token)
    let candidates = ["AND", "OR"] + ComparisonOperator.words
    let near = nearNames(to: word, among: candidates)
    let isPreposition = ["of", "on", "to", "is", "as", "by"].contains(word.lowercased())
    guard !near.isEmpty, token.keyword == nil, word.utf8.count > 1, !isPreposition else {
      return expected(wanted)
    }
    return unknownOperator(token, near)
  }

  /// Returns the error for `date > 9:00`.
  private func timeWithoutQuotes(_ colon: Token) -> SyntaxError? {
    let next = cursor.peek()
    guard cursor.text(colon) == ":", colon.isAdjacent, next.isAdjacent, next.kind == .number,
      (1...2).contains(cursor.text(lastSpan).utf8.count), cursor.text(next).utf8.count == 2,
      Int(cursor.text(lastSpan)) != nil
    else { return nil }
    let span = lastSpan.joined(next.span)
    let text = cursor.text(span)
    return SyntaxError(.timeWithoutQuotes(text), at: span, fixIt: FixIt(span, "\"\(text)\""))
  }

  package func unclosed(_ bracket: Token) -> SyntaxError {
    SyntaxError(.unclosed(cursor.text(bracket), required.end ?? .line), at: bracket.span)
  }

  func reserved(_ token: Token) -> SyntaxError {
    let word = cursor.text(token)
    return SyntaxError(.reservedWord(word), at: token.span, fixIt: FixIt(token.span, "#" + word))
  }

  func unknownOperator(_ token: Token, _ near: [String]) -> SyntaxError {
    SyntaxError(
      .unknownOperator(cursor.text(token), near: near), at: token.span,
      fixIt: near.count == 1 ? FixIt(token.span, near[0]) : nil)
  }

  /// Returns the error for a value instead of a predicate.
  func missingComparison(after tree: ExpressionTree) -> SyntaxError {
    let token = required
    switch token.kind {
    case .invalid(let problem): return lexical(problem, token)
    case .end(let end): return bareValue(tree, end)
    case .word: return missingComparison(after: tree, before: token)
    case .symbol: return habit(token) ?? foreignOperator(token) ?? bareValue(tree, nil)
    default: return expected(.comparison)
    }
  }

  private func missingComparison(after tree: ExpressionTree, before token: Token) -> SyntaxError {
    let word = cursor.text(token)
    if let error = wordyOperator(token) ?? sqlHabit(tree, token) ?? fullWidthWord(token) {
      return error
    }
    let isClause = clauseWords.contains { $0 == word.lowercased() }
    if isClause || InfixOperator(token) != nil || optional.end != nil {
      return bareValue(tree, nil)
    }
    if let error = foreignOperator(token) ?? blankInKey(tree, token) {
      return error
    }
    let known = ForeignWord.comparison(for: word).map { [$0] }
    return unknownOperator(token, known ?? nearNames(to: word, among: ComparisonOperator.words))
  }

  private func bareValue(_ tree: ExpressionTree, _ end: Token.End?) -> SyntaxError {
    SyntaxError(
      .bareValue(cursor.text(tree.span), end), at: tree.span, fixIts: wholeComparisons(of: tree))
  }

  /// Throws if a foreign operator follows a complete value, as in `print x NOT IN y`. Without this
  /// check the error would concern the rest of the statement.
  func checkHabit(after tree: ExpressionTree) throws(SyntaxError) {
    let token = optional
    guard token.is(.not) || cursor.isWord(token, "is") else { return }
    if let error = wordyOperator(token) { throw error }
    if let error = sqlHabit(tree, token) { throw error }
  }

  /// Returns the error for `.5`, `/* … */` or `// …` instead of a value.
  private func pointless(
    _ token: Token, _ wanted: PredicateSyntaxProblem.Expected
  ) -> SyntaxError? {
    if wanted == .value || wanted == .predicate, let error = needlessSign(token) { return error }
    let next = cursor.peek()
    if token.is(.dot), next.kind == .number, next.isAdjacent {
      let span = token.span.joined(next.span)
      let text = cursor.text(next)
      return SyntaxError(
        .numberWithoutLeadingDigit(text), at: span,
        fixIts: [FixIt(span, "0." + text), FixIt(span, "\".\(text)\"")])
    }
    if token.is(.dot), next.kind == .word, next.isAdjacent, !token.isAdjacent {
      return SyntaxError(
        .unexpected(wanted, found: cursor.text(token)), at: token.span, fixIt: FixIt(token.span, "")
      )
    }
    let opensComment = token.is(.star) || token.is(.slash) || token.is(.doubleStar)
    guard opensComment, token.isAdjacent, cursor.text(lastSpan) == "/" else { return nil }
    return SyntaxError(.comment(inStatement: cursor.isStatement), at: lastSpan.joined(token.span))
  }

  /// Returns the error for an invalid token.
  package func lexical(_ problem: LexicalProblem, _ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    switch problem {
    case .unclosedQuote: return unclosedQuote(token)
    case .numberWithLetters:
      let digits = text.filter { $0 != "_" }
      let meant = digits.utf8.allSatisfy(\.isDigit) ? digits : nil
      return SyntaxError(
        .numberWithLetters(text, meant: meant), at: token.span,
        fixIt: FixIt(token.span, meant ?? "\"\(text)\""))
    case .numberWithoutDigits:
      return SyntaxError(.numberWithoutDigits(text), at: token.span)
    case .missingName: return missingName(token)
    case .unknownCharacter:
      return SyntaxError(.unknownCharacter(text), at: token.span)
    case .lookalike: return lookalike(token)
    case .notUTF8: return SyntaxError(.notUTF8, at: token.span)
    }
  }

  /// Returns the error for a lone `$`, or for `@"text"` as in Objective-C.
  private func missingName(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    let next = cursor.peek()
    guard text == "@", next.kind == .string, next.isAdjacent else {
      return SyntaxError(.missingName(text), at: token.span)
    }
    return SyntaxError(.signBeforeString, at: token.span, fixIt: FixIt(token.span, ""))
  }

  /// Returns the error at the opening quote, unless a similar character was meant to close it.
  private func unclosedQuote(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    let start = token.span.start
    let open = SourceSpan(start, start + (text.hasPrefix("#") ? 2 : 1))
    let quote = text.hasPrefix("'") ? "'" : "\""
    if let error = lookalikeQuote(token, quote) { return error }
    let before = cursor.bytes(SourceSpan(lastSpan.start, start))
    // The text before it ended with a quote: `'kellogg''`, `'JR's Pad'`
    let followsString = lastSpan.end > 0 && before.last?.isQuote == true
    return SyntaxError(
      .unclosedQuote(quote, followsString: followsString), at: open,
      fixIt: followsString ? escapingQuote() : nil)
  }

  /// Returns the error for `"誕生”`, closed with another character than it was opened with.
  private func lookalikeQuote(_ token: Token, _ quote: String) -> SyntaxError? {
    let text = cursor.textInPlace(token.span)
    let line = text.unicodeScalars.prefix { $0 != "\n" }
    guard let place = line.lastIndex(where: { Lookalike.meaning(of: $0) == quote })
    else { return nil }
    let start = token.span.start + text[..<place].utf8.count
    let mark = text.unicodeScalars[place]
    let span = SourceSpan(start, start + mark.utf8.count)
    return SyntaxError(
      .lookalike(String(mark), meaning: quote), at: span, fixIt: FixIt(span, quote))
  }

  /// Returns the error for a word that touches the end of a string: `'JR's Pad'`, `"say "hi""`.
  func wordAfterString(_ token: Token) -> SyntaxError? {
    guard token.isAdjacent, let quote = cursor.bytes(lastSpan).last, quote.isQuote else {
      return nil
    }
    return SyntaxError(
      .textAfterString(cursor.text(token), quote: quote == UInt8(ascii: "'") ? "'" : "\""),
      at: token.span, fixIt: escapingQuote())
  }

  /// Returns a fix that escapes the quote which ended the last string too early.
  private func escapingQuote() -> FixIt {
    let place = max(lastSpan.start, lastSpan.end - 1)
    return FixIt(SourceSpan(place, place), "\\")
  }
}

extension PredicateParser {
  /// Reads `(fetch Item where done == NO)` after its bracket; nil if it is not a fetch.
  func fetch(in bracket: Token) throws(SyntaxError) -> ExpressionTree? {
    guard let readFetch, let result = fetchWord else { return nil }
    let outside = try enter(at: bracket.span)
    let (words, outsideTallest) = (clauseWords, tallest)
    take()
    tallest = 1
    var fetch = try readFetch(result)
    clauseWords = words
    try close(bracket)
    leave(to: outside)
    fetch.span = bracket.span.joined(lastSpan)
    // A fetch has several trees next to each other; the tallest counts.
    try grow(above: tallest, at: bracket.span)
    tallest = max(outsideTallest, height)
    return ExpressionTree(.fetch(fetch), span: fetch.span)
  }

  /// Returns `fetch`, `count` or `exists` if a source can follow; otherwise the word is a key.
  private var fetchWord: FetchTree.Result? {
    let word = required
    guard let result = FetchTree.Result.allCases.first(where: { isWord(word, $0) }) else {
      return nil
    }
    let next = cursor.peek()
    if next.end == .text { recorder?.note(.source) }
    return isFetchSource(next) ? result : nil
  }

  /// Returns whether a token can be the source of a fetch: an entity, a variable or `_`.
  package func isFetchSource(_ token: Token) -> Bool {
    switch token.kind {
    case .hashWord, .variable: true
    case .word: token.keyword == nil
    default: false
    }
  }

  /// Reads an expression instead of an entity: `Item/3`, `$home.items`.
  package func parseFetchSource() throws(SyntaxError) -> ExpressionTree {
    try value(postfix(.product))
  }

  private func isWord(_ token: Token, _ result: FetchTree.Result) -> Bool {
    switch result {
    case .objects: cursor.isWord(token, "fetch")
    case .count: cursor.isWord(token, "count")
    case .exists: cursor.isWord(token, "exists")
    }
  }
}

extension PredicateParser {
  /// Reads a sort key: `title[cd] desc nulls last`, `name natural`.
  package func parseSortKey() throws(SyntaxError) -> SortTree {
    let outside = context
    context = Context(readsSortKey: true)
    var key = SortTree(try expression(.assignment))
    context = outside
    key.options = try optionalOptions()
    while try takeSortWord(&key) {}
    expectAtEnd(.words(["asc", "desc", "natural", "nulls first", "nulls last"]))
    key.span = key.expression.span.joined(lastSpan)
    return key
  }

  private func takeSortWord(_ key: inout SortTree) throws(SyntaxError) -> Bool {
    let token = optional
    if cursor.isWord(token, "asc") || cursor.isWord(token, "ascending") {
      key.isAscending = true
    } else if cursor.isWord(token, "desc") || cursor.isWord(token, "descending") {
      key.isAscending = false
    } else if cursor.isWord(token, "natural") {
      key.isNatural = true
    } else if cursor.isWord(token, "nulls") {
      take()
      key.nullsFirst = try takeNullsPlace()
      return true
    } else {
      return false
    }
    take()
    return true
  }

  private func takeNullsPlace() throws(SyntaxError) -> Bool {
    let token = required
    guard token.is(.first) || token.is(.last) else { throw expected(.words(["first", "last"])) }
    take()
    return token.is(.first)
  }

  /// Whether the cursor is at the `[cd]` that ends a sort key.
  var isAtSortOption: Bool {
    guard context.readsSortKey else { return false }
    var ahead = cursor
    ahead.take()
    var count = 0
    while ahead.token.kind == .word,
      ComparisonOptions.reading(cursor.text(ahead.token)).wrong == nil
    {
      ahead.take()
      count += 1
    }
    return count > 0 && ahead.token.is(.rightBracket)
  }
}
