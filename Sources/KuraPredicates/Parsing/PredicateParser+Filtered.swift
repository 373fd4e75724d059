import KuraDiagnostics
import KuraValues

// `count(items where done == NO)` and `count(items, done == NO)`, which are `SUBQUERY(items, $x,
// $x.done == NO).@count` here
extension PredicateParser {
  /// Reads the arguments of a call, and adds the probably intended subquery to an error.
  func filtered<Arguments>(
    by function: PredicateFunction, _ call: SourceSpan,
    _ read: () throws(SyntaxError) -> Arguments
  ) throws(SyntaxError) -> Arguments {
    let start = cursor
    do { return try read() } catch {
      guard let operation = function.collectionOperator else { throw error }
      throw guessing(error, from: start) { subquery(aggregatedBy: operation, call) }
    }
  }

  /// Reads the variable of a subquery, and adds one to the error if it is missing.
  func elementVariable(
    of collection: ExpressionTree, in bracket: Token
  ) throws(SyntaxError) -> String {
    if required.kind == .variable { return String(cursor.text(take()).dropFirst()) }
    let error = missingSign(expected(.variable), in: bracket)
    guard let keys = collection.plainKeys else { throw error }
    throw guessing(error, from: cursor) { condition(on: keys)?.withVariable }
  }

  /// Returns the error with a fix that a closure reads from an earlier place. The number of such
  /// attempts per text is limited.
  private func guessing(
    _ error: SyntaxError, from start: TokenCursor, _ read: () -> FixIt?
  ) -> SyntaxError {
    guard guesses > 0 else { return error }
    let before = (cursor, warnings, usedArguments, recorder, guesses)
    defer { (cursor, warnings, usedArguments, recorder, guesses) = before; guesses -= 1 }
    (cursor, recorder, guesses) = (start, nil, 0)
    return offering(read(), in: error)
  }

  private func subquery(aggregatedBy operation: CollectionOperator, _ call: SourceSpan) -> FixIt? {
    guard let path = try? expression(.assignment), let keys = path.plainKeys,
      required.is(.comma) || isWord(required, "where")
    else { return nil }
    take()
    let (many, value) =
      operation == .count ? (keys[...], "") : (keys.dropLast(), "." + (keys.last ?? ""))
    guard !many.isEmpty, let read = condition(on: Array(many)) else { return nil }
    let collection = many.joined(separator: ".")
    let head = TextEdit(
      SourceSpan(call.start, read.start), "SUBQUERY(\(collection), \(read.variable), ")
    let tail = TextEdit(required.span, ").@\(operation.rawValue)\(value)")
    return FixIt(edits: [head] + read.readings + [tail])
  }

  /// Reads a condition up to the bracket, with keys of a collection's elements.
  private func condition(on keys: [String]) -> ElementCondition? {
    let start = required.span.start
    guard let condition = try? condition(.or), required.is(.rightParenthesis) else { return nil }
    let variable = ["$x", "$y", "$z"].first { !elements.contains(String($0.dropFirst())) } ?? "$x"
    return ElementCondition(
      variable: variable, start: start, readings: condition.readings(of: variable, in: keys))
  }
}

/// A variable such as `$x`, and the edits that turn `done == NO` into `$x.done == NO`.
private struct ElementCondition {
  let variable: String
  let start: Int
  let readings: [TextEdit]

  /// The fix that also inserts the variable, for a subquery without one.
  var withVariable: FixIt {
    FixIt(edits: [TextEdit(SourceSpan(start, start), variable + ", ")] + readings)
  }
}

extension ExpressionTree {
  /// The names of a path that consists only of keys.
  fileprivate var plainKeys: [String]? {
    guard case .keyPath(let path) = kind, path.base == nil,
      path.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    return path.components.map(\.name)
  }
}

extension PredicateTree {
  /// Returns the edits that turn `done` and `items.done` into `$x.done`.
  fileprivate func readings(of variable: String, in collection: some Collection<String>)
    -> [TextEdit]
  {
    var edits: [TextEdit] = []
    walk { node, _ in
      guard case .expression(let tree) = node else { return .into }
      if case .evaluatedObject = tree.kind { edits.append(TextEdit(tree.span, variable)) }
      guard case .keyPath(let path) = tree.kind, path.base == nil else { return .into }
      let names = path.components.map(\.name)
      let isLong = names.count > collection.count && names.starts(with: collection)
      let key = path.components[isLong ? collection.count : 0]
      edits.append(TextEdit(SourceSpan(tree.span.start, key.span.start), variable + "."))
      return .into
    }
    return edits
  }
}

// Habits from other languages
extension PredicateParser {
  /// Returns the error for `x IS NOT NULL` or `x NOT IN y`.
  func sqlHabit(_ tree: ExpressionTree, _ token: Token) -> SyntaxError? {
    if cursor.isWord(token, "is") { return isOperator(token) }
    let next = cursor.peek()
    guard token.is(.not) else { return nil }
    guard case .comparison? = InfixOperator(next) else { return notEqual(token, next) }
    let span = tree.span.joined(token.span)
    let left = cursor.text(tree.span)
    return SyntaxError(
      .notBeforeOperator(cursor.text(next), left: left), at: token.span,
      fixIt: FixIt(span, "NOT " + left))
  }

  /// Returns the error for `category not "Private"`.
  private func notEqual(_ word: Token, _ value: Token) -> SyntaxError? {
    let isWord =
      value.kind == .word && value.keyword.map { [.null, .nil, .yes, .no].contains($0) } ?? true
    guard value.kind == .string || value.kind == .number || value.kind == .variable || isWord else {
      return nil
    }
    return SyntaxError(
      .unknownOperator(cursor.text(word), near: ["!="]), at: word.span,
      fixIt: FixIt(word.span, "!="))
  }

  /// Returns the error for `x IS NULL` or `x IS NOT 3`.
  private func isOperator(_ word: Token) -> SyntaxError? {
    var ahead = cursor
    ahead.take()
    let isNegated = ahead.token.is(.not)
    if isNegated { ahead.take() }
    let operation = isNegated ? "!=" : "=="
    guard FreeFormBoolean.isNull(ahead.text(ahead.token)) else {
      let span = isNegated ? word.span.joined(ahead.lastSpan) : word.span
      return SyntaxError(
        .isOperator(operation), at: span,
        fixIt: FixIt(span, operation, .word(isNegated ? "IS NOT" : "IS", as: operation)))
    }
    let span = word.span.joined(ahead.token.span)
    let test = operation + " NULL"
    let respelling = Respelling.word(isNegated ? "IS NOT NULL" : "IS NULL", as: test)
    return SyntaxError(.isOperator(test), at: span, fixIt: FixIt(span, test, respelling))
  }

  /// Returns the error for an operator of another language: `===`, `%`, `%@` without arguments.
  func habit(_ token: Token) -> SyntaxError? {
    switch token.kind {
    case .symbol(.tripleEqual), .symbol(.bangDoubleEqual):
      let text = cursor.text(token)
      return SyntaxError(
        .strangeEquality(text), at: token.span, fixIt: FixIt(token.span, String(text.dropLast())))
    case .symbol(.percent): return percent(token)
    case .specifier:
      let text = cursor.text(token)
      return SyntaxError(
        text == "%%" ? PredicateSyntaxProblem.noModulus("%") : .placeholder(text), at: token.span,
        fixIts: filledPlaceholders(from: token))
    default: return nil
    }
  }

  /// Returns the error for `%` or, in a statement, `%@`.
  private func percent(_ token: Token) -> SyntaxError {
    let next = cursor.peek()
    let text = cursor.text(next)
    guard cursor.isStatement, next.isAdjacent, text.hasPrefix("@") || text == "K" else {
      return SyntaxError(.noModulus("%"), at: token.span)
    }
    let span = SourceSpan(token.span.start, next.span.start + 1)
    return SyntaxError(
      .placeholder(cursor.text(span)), at: span, fixIts: filledPlaceholders(from: token))
  }

  /// Returns the error for `a ? 1 : 2`, `a ?? b`, `a MOD 2` or `a XOR b`.
  func foreignOperator(_ token: Token) -> SyntaxError? {
    let next = cursor.peek()
    if token.is(.question) {
      let isDouble = next.is(.question) && next.isAdjacent
      return SyntaxError(
        isDouble ? PredicateSyntaxProblem.noCoalescing : .noConditional,
        at: isDouble ? token.span.joined(next.span) : token.span)
    }
    if token.is(.comma), cursor.depth == 0 {
      return SyntaxError(.comma, at: token.span)
    }
    if token.is(.bang), next.is(.equal) || next.is(.doubleEqual) {
      return brokenOperator(token.span.joined(next.span), meant: "!=")
    }
    if token.is(.bang), next.is(.tilde), next.isAdjacent {
      return SyntaxError(.unknownOperator("!~", near: []), at: token.span.joined(next.span))
    }
    guard token.kind == .word, token.keyword == nil else { return nil }
    if cursor.isWord(token, "mod") {
      return SyntaxError(.noModulus(cursor.text(token)), at: token.span)
    }
    guard cursor.isWord(token, "xor") else { return nil }
    return SyntaxError(.noExclusiveOr, at: token.span)
  }

  /// Returns the error for `+5` or a `?` placeholder.
  func needlessSign(_ token: Token) -> SyntaxError? {
    let next = cursor.peek()
    if token.is(.question) {
      return SyntaxError(.placeholder("?"), at: token.span, fixIts: filledPlaceholders(from: token))
    }
    if token.is(.colon), next.kind == .word, next.isAdjacent {
      let span = token.span.joined(next.span)
      return SyntaxError(
        .parameter(cursor.text(span), cursor.text(next)), at: span, fixIt: FixIt(token.span, "$"))
    }
    guard token.is(Symbol.plus) else { return nil }
    return SyntaxError(
      .plusSign, at: token.span,
      fixIt: FixIt(SourceSpan(token.span.start, cursor.peek().span.start), ""))
  }

  /// Throws for an operator that is split, reversed or foreign: `a = = b`, `a > = b`, `a =! b`, `a
  /// =~ "b"`.
  func checkPieces(of operation: ComparisonOperator, at place: SourceSpan) throws(SyntaxError) {
    let next = required
    guard case .symbol(let symbol) = next.kind else { return }
    let span = place.joined(next.span)
    if symbol == .bang, operation == .equal, next.isAdjacent {
      throw brokenOperator(span, meant: "!=")
    }
    if symbol == .tilde, operation == .equal, next.isAdjacent, cursor.peek().kind == .string {
      throw SyntaxError(
        .unknownOperator(cursor.text(span), near: ["MATCHES"]), at: span,
        fixIt: FixIt(span, "MATCHES"))
    }
    guard case .comparison? = InfixOperator(next) else { return }
    let joined = cursor.text(span).filter { !$0.isWhitespace }
    let known = ["==", "!=", "<=", ">=", "<>", "=<", "=>"].contains(joined)
    throw brokenOperator(span, meant: known ? joined : joined == "===" ? "==" : nil)
  }

  private func brokenOperator(_ span: SourceSpan, meant: String?) -> SyntaxError {
    SyntaxError(
      .brokenOperator(cursor.text(span), meant: meant), at: span,
      fixIt: meant.map { FixIt(span, $0) })
  }

  /// Returns the error for `a < b < c` or `a == 1 & b == 2`.
  func chainError(
    _ left: PredicateTree, _ comparison: ComparisonOperator, _ right: ExpressionTree
  ) -> SyntaxError {
    let next = required
    if case .function(let call) = right.kind, let error = bitsForLogic(call) { return error }
    let canSplit = comparison.family == .order && (InfixOperator(next)?.isOrder ?? false)
    let end = SourceSpan(right.span.end, right.span.end)
    return SyntaxError(
      .comparisonChain, at: left.span.joined(next.span),
      fixIt: canSplit ? FixIt(end, " AND " + cursor.text(right.span)) : nil)
  }

  private func bitsForLogic(_ call: FunctionCall) -> SyntaxError? {
    let sign = cursor.text(call.nameSpan)
    guard sign == "&" || sign == "|" else { return nil }
    let word = sign == "&" ? "AND" : "OR"
    return SyntaxError(
      .bitsForLogic(sign, meant: word), at: call.nameSpan, fixIt: FixIt(call.nameSpan, word))
  }

  /// Throws for `age BETWEEN 1 AND 9`.
  func checkBounds(of left: PredicateTree, _ right: Operand) throws(SyntaxError) {
    guard case .expression(let upper) = right, case .comparison(let comparison) = left.kind,
      comparison.operation == .between
    else { return }
    let lower = comparison.right
    if case .aggregate = lower.kind { return }
    let span = lower.span.joined(upper.span)
    let bounds = "{\(cursor.text(lower.span)), \(cursor.text(upper.span))}"
    throw SyntaxError(
      .betweenAnd(bounds: bounds), at: span,
      fixIt: FixIt(span, bounds, .word("BETWEEN … AND …", as: "BETWEEN {…, …}")))
  }

  /// Returns the error for `ANY (items.done == NO)`.
  func quantifiedPredicate(_ word: Token, _ tree: PredicateTree) -> SyntaxError {
    var inside = tree.span
    if case .comparison = tree.kind, cursor.bytes(inside).first == UInt8(ascii: "(") {
      inside = SourceSpan(inside.start + 1, max(inside.start + 1, inside.end - 1))
      return SyntaxError(
        .modifierBeforePredicate(cursor.text(word)), at: tree.span,
        fixIt: FixIt(tree.span, cursor.text(inside)))
    }
    return SyntaxError(.modifierBeforePredicate(cursor.text(word)), at: tree.span)
  }

  /// Returns the error for `first name == "x"`: two words instead of one key.
  func blankInKey(_ tree: ExpressionTree, _ token: Token) -> SyntaxError? {
    guard case .keyPath(let path) = tree.kind, path.base == nil, path.components.count == 1,
      case .comparison? = InfixOperator(cursor.peek()), ForeignWord.isUnknown(cursor.text(token))
    else { return nil }
    let span = tree.span.joined(token.span)
    let key = "#\"\(cursor.text(span))\""
    return SyntaxError(
      .blankInKey(cursor.text(token), key: key), at: token.span, fixIt: FixIt(span, key))
  }
}

extension ForeignWord {
  /// Returns whether a word is neither a foreign operator nor similar to one of this language.
  fileprivate static func isUnknown(_ word: String) -> Bool {
    comparison(for: word) == nil && nearNames(to: word, among: ComparisonOperator.words).isEmpty
  }
}

extension InfixOperator {
  fileprivate var isOrder: Bool {
    if case .comparison(let operation) = self { operation.family == .order } else { false }
  }
}

// Characters from Japanese keyboards and word processors
extension PredicateParser {
  /// Returns the error for `＝` instead of `=`. The fix replaces all such characters that follow on
  /// the line.
  func lookalike(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    guard let scalar = text.unicodeScalars.first, let meaning = Lookalike.meaning(of: scalar)
    else { return SyntaxError(.unknownCharacter(text), at: token.span) }
    return SyntaxError(
      .lookalike(text, meaning: meaning), at: token.span, fixIt: plainLine(from: token))
  }

  /// Returns the error for a keyword in full-width letters: `ＣＯＮＴＡＩＮＳ`.
  func fullWidthWord(_ token: Token) -> SyntaxError? {
    let text = cursor.text(token)
    guard text.utf8.count > 2, text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let plain = text.unicodeScalars.map { Lookalike.meaning(of: $0) ?? String($0) }.joined()
    guard plain != text, Keyword(word: plain) != nil else { return nil }
    return SyntaxError(
      .lookalike(text, meaning: plain), at: token.span, fixIt: FixIt(token.span, plain))
  }

  private func plainLine(from token: Token) -> FixIt {
    let end = min(cursor.endOffset, token.span.start + PlainText.longest)
    let line = cursor.textInPlace(SourceSpan(token.span.start, end)).prefix { !$0.isNewline }
    var text = PlainText(line.unicodeScalars)
    text.read()
    return FixIt(
      SourceSpan(token.span.start, token.span.start + text.correctedLength), text.corrected)
  }
}

/// A line with its lookalikes replaced, up to the last of them.
private struct PlainText {
  private var rest: Substring.UnicodeScalarView.SubSequence
  private var length = 0
  private var output = ""
  private var isInWord = false
  /// The replacement for the first `correctedLength` bytes.
  private(set) var corrected = ""
  private(set) var correctedLength = 0

  /// More than anyone types by hand; a later lookalike gives its own error.
  static let longest = 10_000

  init(_ scalars: Substring.UnicodeScalarView) { rest = scalars[...] }

  mutating func read() {
    while let scalar = rest.first {
      let meaning = isInWord && scalar.continuesIdentifier ? nil : Lookalike.meaning(of: scalar)
      isInWord = scalar.startsIdentifier || isInWord && scalar.continuesIdentifier
      if scalar == "\"" || scalar == "'" {
        copyString(scalar)
      } else if let meaning, !isInWord {
        replace(meaning)
      } else {
        copy(scalar)
      }
    }
  }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    length += scalar.utf8.count
    return scalar
  }

  private mutating func copy(_ scalar: Unicode.Scalar) {
    _ = take()
    output.unicodeScalars.append(scalar)
  }

  private mutating func copyString(_ quote: Unicode.Scalar) {
    copy(quote)
    while let scalar = rest.first {
      copy(scalar)
      if scalar == quote { return }
      if scalar == "\\", let escaped = rest.first { copy(escaped) }
    }
  }

  private mutating func replace(_ meaning: String) {
    _ = take()
    if meaning == "\"" || meaning == "'" { return replaceString(meaning) }
    output += meaning
    note()
  }

  /// Replaces `“誕生”` by `"誕生"`, if the line has both quotes.
  private mutating func replaceString(_ quote: String) {
    output += quote
    note()
    guard let end = rest.firstIndex(where: { Lookalike.meaning(of: $0) == quote }) else { return }
    let inside = String(rest[..<end])
    output += inside.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
    while rest.startIndex < end { _ = take() }
    _ = take()
    output += quote
    note()
  }

  private mutating func note() {
    corrected = output
    correctedLength = length
  }
}

extension PredicateParser {
  /// Reads an operand, and the keys and indexes after it.
  func postfix(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    var canAppend = !required.is(.leftParenthesis)
    let operand = try primary(minimum)
    guard case .expression(var tree) = operand else { return operand }
    while true {
      switch optional.kind {
      case .symbol(.dot): tree = try path(after: tree, appending: canAppend)
      case .symbol(.leftBracket) where !isAtSortOption: tree = try index(of: tree)
      case .symbol(.leftParenthesis) where cursor.token.isAdjacent: throw methodCall(tree)
      default: return .expression(tree)
      }
      canAppend = true
    }
  }

  /// Returns a path of one key.
  func keyPath(_ key: KeyComponent) -> ExpressionTree {
    ExpressionTree(.keyPath(KeyPathTree([key])), span: key.span)
  }

  /// Reads all following keys as one path: `.items.@sum.estimate`.
  private func path(
    after base: ExpressionTree, appending: Bool
  ) throws(SyntaxError) -> ExpressionTree {
    var path = KeyPathTree(base: base, [])
    if appending, case .keyPath(let before) = base.kind { path = before }
    while optional.is(.dot) {
      take()
      expectAtEnd(.key(after: path.components.isEmpty ? base : ExpressionTree(.keyPath(path))))
      if required.is(.leftParenthesis) { return try mapped(path, from: base.span) }
      let key = try keyAfterDot()
      if optional.is(.leftBracket), !isAtSortOption {
        return try indexed(key, after: path, from: base.span)
      }
      path.components.append(key)
    }
    try grow(above: height, at: base.span)
    return ExpressionTree(.keyPath(path), span: base.span.joined(lastSpan))
  }

  /// Reads `a.d[0]`, in which the index belongs to `d` alone.
  private func indexed(
    _ key: KeyComponent, after path: KeyPathTree, from start: SourceSpan
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

  private func keyAfterDot() throws(SyntaxError) -> KeyComponent {
    let token = required
    switch token.kind {
    case .word, .hashWord, .collectionOperator, .variable, .string: return try key()
    case .specifier: return try keyArgument()
    case .number, .invalid(.numberWithLetters):
      throw SyntaxError(.componentStartsWithDigit(cursor.text(token)), at: token.span)
    case .symbol, .invalid, .end: throw expected(.key)
    }
  }

  /// Reads a key: `title`, `#like`, `"first name"`, `@count`, `$b`.
  func key() throws(SyntaxError) -> KeyComponent {
    let token = take()
    let name = try name(of: token)
    switch token.kind {
    case .collectionOperator: return KeyComponent(name, .collectionOperator, span: token.span)
    case .variable: return KeyComponent(name, .variable, span: token.span)
    default: return KeyComponent(name, span: token.span)
    }
  }

  /// Returns the name in a token, without `#`, `@`, `$` and quotes.
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

  /// Reads `[0]`, `[FIRST]` or `["key"]`.
  private func index(of tree: ExpressionTree) throws(SyntaxError) -> ExpressionTree {
    let (baseHeight, bracket) = (height, required)
    let kind = try parseIndex()
    try grow(above: max(baseHeight, height), at: bracket.span)
    return ExpressionTree(.index(tree, kind), span: tree.span.joined(lastSpan))
  }

  /// Reads `[0]`, with the brackets.
  package func parseIndex() throws(SyntaxError) -> IndexKind {
    let bracket = take()
    let outside = try enter(at: bracket.span)
    let kind = try indexKind()
    try close(bracket)
    leave(to: outside)
    return kind
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
